from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

import pytest

from agent.errors import (
    ConfigError,
    ProviderError,
    RateLimited,
    Rejected,
    Stalled,
    StreamBroken,
    Unreachable,
)
from agent.providers.base import Usage
from agent.providers.secret import Secret
from parsing import Options
from tests.agent.providers.fake_server import (
    JSON,
    FakeServer,
    Reply,
    answer,
    delta,
    refusal,
    sse,
    stream,
)
from ui.gateway.heard import Heard, Prepared
from ui.gateway.settings import Settings
from ui.gateway.told import Tokens
from ui.gateway.upstream import Served

KEY = "sk-very-secret-key-1234567890"
BODY: dict[str, Any] = {"model": "m", "messages": [], "stream": True}
RAW: dict[str, Any] = {"model": "m", "prompt": "Hi", "stream": True}


class Asked:
    """What was heard of one reply, and how it ended."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.error: ProviderError | None = None
        self.requests: list[Any] = []

    @property
    def text(self) -> str:
        return "".join(heard.text for heard in self.heard)


def served(base: str, **settings: Any) -> Served:
    given = {"first_token_timeout_s": 5.0, "idle_timeout_s": 5.0, **settings}
    return Served(Settings(base, upstream_key=Secret(KEY), **given))


def prepared(body: dict[str, Any]) -> Prepared:
    return Prepared(body, "hermes", (), Options("serving"))


def ask(reply: Reply, body: dict[str, Any] = BODY, **settings: Any) -> Asked:
    asked = Asked()

    async def hear() -> None:
        async with FakeServer([reply]) as server:
            upstream = served(server.base_url, **settings)
            try:
                async for heard in upstream.stream(prepared(body)):
                    asked.heard.append(heard)
            except ProviderError as fault:
                asked.error = fault
            finally:
                await upstream.aclose()
            asked.requests = server.requests

    asyncio.run(hear())
    return asked


def choice(**fields: object) -> dict[str, Any]:
    return {"choices": [{"index": 0, "finish_reason": None, **fields}]}


def test_body_goes_to_chat_completions_and_a_prompt_to_completions() -> None:
    chat = ask(answer("Hi"))
    raw = ask(
        stream(choice(text="H"), choice(text="i"), choice(text="", finish_reason="stop")), RAW
    )

    assert [(one.path, one.body) for one in chat.requests] == [("/v1/chat/completions", BODY)]
    assert [(one.path, one.body) for one in raw.requests] == [("/v1/completions", RAW)]
    assert chat.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert [heard.text for heard in raw.heard] == ["H", "i", ""]
    assert chat.text == raw.text == "Hi"
    assert chat.heard[-1] == raw.heard[-1] == Heard(finish="stop")


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_each_event_is_heard_once_however_the_bytes_are_cut(size: int) -> None:
    told = ask(stream(*(delta(content=char) for char in "漢🙂 ab"), delta("stop"), size=size))

    assert [heard.text for heard in told.heard] == [*"漢🙂 ab", ""]


def test_character_that_the_server_cut_in_two_is_whole() -> None:
    told = ask(stream(delta(content="\ud83d"), delta(content="\ude42!"), delta("stop")))

    assert [heard.text for heard in told.heard] == ["🙂!", ""]


def test_reasoning_beside_the_text_is_heard_and_absent_differs_from_empty() -> None:
    told = ask(
        stream(
            delta(role="assistant", content="", reasoning_content=None),
            delta(reasoning_content="h"),
            delta(reasoning="m", content=None),
            delta(content="ok"),
            delta("stop"),
        )
    )
    empty = ask(stream(delta(content="", reasoning_content=""), delta("stop")))

    assert [heard.reasoning for heard in told.heard] == ["h", "m", None, None]
    assert [heard.reasoning for heard in empty.heard] == ["", None]


@pytest.mark.parametrize(
    ("chunk", "tokens"),
    [
        (choice(delta={"content": "ab"}, token_ids=[1, 2]), Tokens([1, 2])),
        (choice(text="ab", token_ids=[1, 2]), Tokens([1, 2])),
        ({**choice(delta={"content": "ab"}), "tokens": [3]}, Tokens([3])),
        (choice(text="ab", tokens=[3]), Tokens([3])),
        (choice(delta={"content": "ab", "gen_tokens": [4]}), Tokens([4])),
        (choice(delta={"content": "ab"}, token_ids=[]), None),
        (choice(delta={"content": "ab"}, token_ids=None, logprobs=None), None),
        (choice(delta={"content": "ab"}, token_ids=["x"], logprobs={"content": []}), None),
        (
            choice(delta={"content": "ab"}, logprobs={"content": [{"token": "ab"}]}),
            Tokens(None, [{"token": "ab"}]),
        ),
        (
            choice(
                text="ab",
                logprobs={
                    "tokens": ["a", "b"],
                    "token_logprobs": [-0.1, -0.2],
                    "top_logprobs": [{"a": -0.1, "x": -3.0}],
                },
            ),
            Tokens(
                None,
                [
                    {
                        "token": "a",
                        "logprob": -0.1,
                        "bytes": [97],
                        "top_logprobs": [
                            {"token": "a", "logprob": -0.1, "bytes": [97]},
                            {"token": "x", "logprob": -3.0, "bytes": [120]},
                        ],
                    },
                    {"token": "b", "logprob": -0.2, "bytes": [98], "top_logprobs": []},
                ],
            ),
        ),
    ],
)
def test_tokens_are_found_wherever_a_server_puts_them(
    chunk: dict[str, Any], tokens: Tokens | None
) -> None:
    told = ask(stream(chunk, delta("stop")))

    assert told.heard[0] == Heard("ab", tokens=tokens)


def test_tokens_without_text_are_heard() -> None:
    told = ask(stream(choice(delta={"content": ""}, token_ids=[7]), delta("stop")))

    assert told.heard == [Heard(tokens=Tokens([7])), Heard(finish="stop")]


def test_native_calls_are_heard_as_they_came() -> None:
    call = {"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}
    told = ask(
        stream(
            delta(tool_calls=[call]),
            delta(function_call={"name": "g"}),
            delta(content="x", tool_calls=[]),
            delta("tool_calls"),
        )
    )

    assert [heard.calls for heard in told.heard] == [
        *([call], [{"index": 0, "function": {"name": "g"}}], None, None)
    ]
    assert told.heard[-1].finish == "tool_calls"


@pytest.mark.parametrize(
    ("word", "finish"),
    [("stop", "stop"), ("eos_token", "stop"), ("LENGTH", "length"), ("max_tokens", "length")],
)
def test_finish_reason_is_one_of_ours(word: str, finish: str) -> None:
    assert ask(stream(delta(content="a"), delta(word))).heard[-1].finish == finish


def test_usage_is_the_servers_or_that_of_llama_cpps_timings() -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 6}
    timings = {"prompt_n": 3, "cache_n": 4, "predicted_n": 9}
    details = {"completion_tokens_details": {"reasoning_tokens": 2}}
    said = {"choices": [], "usage": {**usage, **details}}

    assert ask(answer("Hi", usage=(5, 6))).heard[-1].usage == Usage(5, 6)
    assert ask(stream(delta("stop"), said)).heard[-1].usage == Usage(5, 6, 2)
    timed = {**delta("stop"), "timings": timings}
    assert ask(stream(timed)).heard[-1].usage == Usage(7, 9, None, 4)
    assert ask(stream(timed, said)).heard[-1].usage == Usage(5, 6, 2)
    assert ask(stream({**timed, "usage": usage})).heard[-1].usage == Usage(5, 6)
    assert ask(answer("Hi")).heard[-1].usage is None


def test_answer_that_was_not_streamed_is_heard() -> None:
    chat = {"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}
    raw = {"choices": [{"text": "Hi", "finish_reason": "length"}]}
    for body, finish in ((chat, "stop"), (raw, "length")):
        reply = Reply(
            [sse(body, done=False).removeprefix(b"data: ")], headers={"content-type": JSON}
        )
        assert ask(reply).heard == [Heard("Hi"), Heard(finish=finish)]


HALF = sse(delta(content="Half"), done=False)
FAULTS: list[tuple[Sequence[Any], type[ProviderError], str]] = [
    ([HALF, sse({"error": {"message": f"no {KEY}"}}, done=False)], StreamBroken, "no ****"),
    ([HALF, b'error: {"message": "no"}\n\n'], StreamBroken, "no"),
    ([HALF, b'{"error": {"message": "rate limit"}}\n\n'], RateLimited, "rate limit"),
    ([HALF, b"data: {garbage\n\n"], StreamBroken, "no JSON"),
    ([HALF, b"data: {gar"], StreamBroken, "ended early"),
    ([HALF, b"data: [1]\n\n"], StreamBroken, "an object was expected"),
    ([HALF, sse(delta("error"), done=False)], StreamBroken, "broke the answer off"),
    ([HALF], StreamBroken, "neither a finish reason nor [DONE]"),
    ([HALF, "cut"], StreamBroken, "ended early"),
    ([HALF, "reset"], StreamBroken, "ended early"),
    ([HALF + b"data: {garbage\n\n"], StreamBroken, "no JSON"),
]


@pytest.mark.parametrize(("pieces", "kind", "says"), FAULTS)
def test_fault_in_the_stream_is_told_after_what_was_heard(
    pieces: Sequence[Any], kind: type[ProviderError], says: str
) -> None:
    told = ask(Reply(pieces))

    assert told.heard == [Heard("Half")]
    assert type(told.error) is kind
    assert says in str(told.error)
    assert KEY not in str(told.error)


def test_fault_after_the_answers_own_end_costs_the_usage_only() -> None:
    told = ask(Reply([HALF, sse(delta("stop"), done=False), "reset"]))

    assert (told.heard, told.error) == ([Heard("Half"), Heard(finish="stop")], None)


@pytest.mark.parametrize(
    ("status", "kind"), [(400, Rejected), (401, Rejected), (429, RateLimited), (503, Rejected)]
)
def test_refusal_is_the_agents_error_without_the_key(status: int, kind: type) -> None:
    told = ask(refusal(status, f"not with {KEY}"))

    assert type(told.error) is kind
    assert "not with ****" in str(told.error)
    assert told.heard == []


def test_refusal_names_the_model_that_was_asked_for() -> None:
    told = ask(refusal(404, "no such model"), {**BODY, "model": "other"})

    assert "'other'" in str(told.error)


def test_server_that_says_nothing_is_stalled() -> None:
    told = ask(Reply([HALF, "hang"]), idle_timeout_s=0.05)

    assert isinstance(told.error, Stalled)
    assert told.error.limit == "idle"


def test_server_that_is_not_there_is_unreachable() -> None:
    async def hear() -> None:
        async with FakeServer([]) as server:
            base = server.base_url
        upstream = served(base)
        with pytest.raises(Unreachable):
            await anext(upstream.stream(prepared(BODY)))
        await upstream.aclose()

    asyncio.run(hear())


@pytest.mark.parametrize("base", ["localhost:1/v1", "http://me:word@host/v1", "http://a/v1?key=b"])
def test_address_that_cannot_be_meant_is_refused_at_once(base: str) -> None:
    with pytest.raises(ConfigError):
        Served(Settings(base))


class Noting:
    """A server by hand, which says when its connections are closed, and how many there were."""

    def __init__(self, said: bytes) -> None:
        self._said = said
        self.connections = 0
        self.closed = asyncio.Event()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while head := await self._head(reader):
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
            writer.write(self._said)
            await writer.drain()
        self.closed.set()
        writer.close()
        await writer.wait_closed()

    async def _head(self, reader: asyncio.StreamReader) -> bytes:
        try:
            return await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


def framed(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def test_leaving_the_stream_closes_the_upstreams_connection_at_once() -> None:
    async def leave() -> None:
        server = Noting(HEAD + framed(HALF * 3))
        async with server as base:
            upstream = served(base)
            async with aclosing(upstream.stream(prepared(BODY))) as heard:
                assert await anext(heard) == Heard("Half")
            await asyncio.wait_for(server.closed.wait(), 2)
            await upstream.aclose()

    asyncio.run(leave())


def test_cancelling_whoever_listens_closes_the_upstreams_connection_at_once() -> None:
    async def cancel() -> None:
        server, begun = Noting(HEAD + framed(HALF)), asyncio.Event()

        async def listen(upstream: Served) -> None:
            async with aclosing(upstream.stream(prepared(BODY))) as all_heard:
                async for _ in all_heard:
                    begun.set()

        async with server as base:
            upstream = served(base)
            listening = asyncio.create_task(listen(upstream))
            await asyncio.wait_for(begun.wait(), 2)
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            await asyncio.wait_for(server.closed.wait(), 2)
            await upstream.aclose()

    asyncio.run(cancel())


def test_connection_is_used_again_after_a_whole_answer() -> None:
    async def twice() -> int:
        said = framed(HALF) + framed(sse(delta("stop"))) + b"0\r\n\r\n"
        server = Noting(HEAD + said)
        async with server as base:
            upstream = served(base)
            for _ in range(2):
                heard = [one async for one in upstream.stream(prepared(BODY))]
                assert heard == [Heard("Half"), Heard(finish="stop")]
            await upstream.aclose()
            await asyncio.wait_for(server.closed.wait(), 2)
        return server.connections

    assert asyncio.run(twice()) == 1

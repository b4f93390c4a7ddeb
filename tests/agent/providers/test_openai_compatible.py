import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from agent.errors import Rejected
from agent.providers.base import (
    Attachment,
    CallPiece,
    Message,
    Provider,
    Request,
    TextPiece,
)
from tests.agent.providers.fake_server import (
    Answering,
    FakeServer,
    Reply,
    answer,
    delta,
    refusal,
    stream,
)
from tests.agent.providers.told import KEY, Told, ask, history, opened

GO = Message("user", "go")
CORPUS = Path(__file__).parent / "corpus" / "replays.jsonl"
REPLAYS = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]


def talk(replies: list[Answering], then: Callable[[Provider, FakeServer], Awaitable[None]]) -> None:
    async def run() -> None:
        async with FakeServer(replies) as server:
            provider = opened(server.base_url)
            try:
                await then(provider, server)
            finally:
                await provider.aclose()

    asyncio.run(run())


def test_openai_sends_the_whole_request() -> None:
    request = Request("Be short.", (GO,), 100, 0.5, 'root ::= "a"', ("</x>",))

    async def then(provider: Provider, server: FakeServer) -> None:
        assert (await ask(provider, request)).text == "ok"
        asked = server.requests[0]
        assert asked.path == "/v1/chat/completions"
        assert asked.headers["authorization"] == f"Bearer {KEY}"
        assert asked.body == {
            "model": "fake",
            "messages": [
                {"role": "system", "content": "Be short."},
                {"role": "user", "content": "go"},
            ],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": 100,
            "temperature": 0.5,
            "stop": ["</x>"],
            "grammar": 'root ::= "a"',
        }

    talk([answer("ok")], then)


def test_openai_leaves_out_what_is_not_set() -> None:
    async def then(provider: Provider, server: FakeServer) -> None:
        await ask(provider, Request("", (GO,)))
        assert set(server.requests[0].body) == {"model", "messages", "stream", "stream_options"}
        assert server.requests[0].body["messages"] == [{"role": "user", "content": "go"}]

    talk([answer("ok")], then)


def test_openai_asks_once_more_without_a_field_the_server_refuses() -> None:
    async def then(provider: Provider, server: FakeServer) -> None:
        request = Request("", (GO,), max_tokens=9)
        assert (await ask(provider, request)).text == "ok"
        assert (await ask(provider, request)).text == "again"
        fields = [
            [
                name
                for name in ("stream_options", "max_tokens", "max_completion_tokens")
                if name in asked.body
            ]
            for asked in server.requests
        ]
        assert fields == [
            ["stream_options", "max_tokens"],
            ["max_tokens"],
            ["max_completion_tokens"],
            ["max_completion_tokens"],
        ]

    talk(
        [
            refusal(400, "Unrecognized request argument supplied: stream_options"),
            refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."),
            answer("ok"),
            answer("again"),
        ],
        then,
    )


def test_openai_does_not_ask_again_when_a_field_has_a_bad_value() -> None:
    async def then(provider: Provider, server: FakeServer) -> None:
        told = await ask(provider, Request("", (GO,), max_tokens=10**9))
        assert isinstance(told.error, Rejected)
        assert len(server.requests) == 1

    talk([refusal(400, "max_tokens is too large: 1000000000")], then)


@pytest.mark.parametrize("row", REPLAYS, ids=[row["id"] for row in REPLAYS])
def test_openai_sends_back_what_the_corpus_says(row: dict[str, Any]) -> None:
    async def then(provider: Provider, server: FakeServer) -> None:
        told = await ask(provider)
        await ask(provider, history(GO, told.message, GO))
        assert server.requests[1].body["messages"][2] == {
            "role": "assistant",
            "content": "a",
            **row["replayed"],
        }

    talk([stream(*(delta(**each) for each in row["deltas"])), answer("b")], then)


def test_openai_sends_signatures_back() -> None:
    on_text = {"google": {"thought_signature": "sig-text"}}
    on_call = {"google": {"thought_signature": "sig-call", "kind": 1}}
    call = {"id": "c", "function": {"name": "run", "arguments": "{}"}, "extra_content": on_call}
    details = [{"type": "reasoning.encrypted", "data": "xyz"}]

    async def then(provider: Provider, server: FakeServer) -> None:
        told = await ask(provider)
        assert told.calls == [{"id": "c", "name": "run", "arguments": {}}]
        assert (
            Attachment({"provider": "openai_compatible", "call": 0, "extra_content": on_call})
            in told.items
        )
        foreign = {"provider": "anthropic", "block": {"type": "thinking"}}
        kept = Message("assistant", "a", None, (*told.kept, foreign))
        await ask(provider, history(GO, kept, GO))
        assert server.requests[1].body["messages"][2] == {
            "role": "assistant",
            "content": "a",
            "extra_content": on_call,
            "thought_signature": "plain",
            "reasoning_details": details,
        }

    talk(
        [
            stream(
                delta(reasoning_details=details),
                delta(content="a", extra_content=on_text),
                delta(thought_signature="plain"),
                delta(tool_calls=[call]),
            ),
            answer("b"),
        ],
        then,
    )


def test_openai_reads_an_answer_that_was_not_streamed() -> None:
    whole = {
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": "whole",
                    "reasoning_content": "hm",
                    "tool_calls": [{"id": "c", "function": {"name": "run", "arguments": "{}"}}],
                },
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 3, "completion_tokens": 1},
    }

    async def then(provider: Provider, server: FakeServer) -> None:
        told = await ask(provider)
        assert (told.text, told.reasoning, told.finish) == ("whole", "hm", "stop")
        assert told.calls == [{"id": "c", "name": "run", "arguments": {}}]
        assert told.usage is not None
        assert told.usage.prompt == 3
        failed = await ask(provider)
        assert "out of memory" in str(failed.error)

    talk([refusal(200, whole), refusal(200, "out of memory")], then)


def test_openai_tells_id_and_name_once() -> None:
    def piece(**fields: Any) -> dict[str, Any]:
        return delta(tool_calls=[{"index": 3, "id": "c", "function": {"name": "run", **fields}}])

    async def then(provider: Provider, server: FakeServer) -> None:
        told = await ask(provider)
        assert [item for item in told.items if isinstance(item, CallPiece)] == [
            CallPiece(0, "c", "run", ""),
            CallPiece(0, None, None, '{"a"'),
            CallPiece(0, None, None, ": 1}"),
        ]

    talk([stream(piece(), piece(arguments='{"a"'), piece(arguments=": 1}"))], then)


def test_openai_gives_the_connection_back_when_it_is_left_early() -> None:
    async def run() -> None:
        hanging = Reply([b'data: {"choices": [{"delta": {"content": "a"}}]}\n\n', "hang"])
        async with FakeServer([hanging, answer("b")]) as server:
            provider = opened(server.base_url)
            told = Told()

            async def listen() -> None:
                async for item in provider.stream(history(GO)):
                    told.items.append(item)
                    heard.set()

            heard = asyncio.Event()
            listening = asyncio.create_task(listen())
            await heard.wait()
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            assert told.items == [TextPiece("a")]
            assert (await ask(provider)).text == "b"
            await provider.aclose()

    asyncio.run(run())


def test_openai_hears_the_end_although_the_connection_breaks_after_it() -> None:
    async def then(provider: Provider, server: FakeServer) -> None:
        told = await ask(provider)
        assert (told.text, told.finish, told.error) == ("a", "stop", None)

    end = stream(delta(content="a"), delta("stop"), done=False)
    talk([Reply([*end.pieces, "cut"])], then)


def test_openai_sends_text_that_holds_half_a_character() -> None:
    async def then(provider: Provider, server: FakeServer) -> None:
        told = await ask(provider, Request("", (Message("user", "a\ud83d \u2028 漢"),)))
        assert told.text == "ok"
        assert server.requests[0].body["messages"][0]["content"] == "a? \u2028 漢"

    talk([answer("ok")], then)


def test_openai_says_what_it_cannot_read_when_a_line_nests_too_deep() -> None:
    async def then(provider: Provider, server: FakeServer) -> None:
        told = await ask(provider)
        assert "no JSON" in str(told.error)

    talk([Reply([b"data: " + b"[" * 100_000 + b"\n\n"])], then)

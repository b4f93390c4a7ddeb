import asyncio
from typing import Any

import pytest

from agent.errors import RateLimited, Rejected, StreamBroken
from agent.providers.base import Message, ReasoningPiece, Request, TextPiece, Usage
from tests.agent.providers.fake_server import FakeServer, Reply, cut_every, refusal
from tests.agent.providers.told import KEY, Told, ask, history, opened

GO = Message("user", "go")
START = {
    "type": "message_start",
    "message": {
        "id": "m",
        "usage": {
            "input_tokens": 10,
            "cache_read_input_tokens": 5,
            "cache_creation_input_tokens": 2,
            "output_tokens": 1,
        },
    },
}
PING = {"type": "ping"}
STOP = {"type": "message_stop"}


def begin(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def grow(index: int, kind: str, **more: str) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **more}}


def close(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def end(reason: str | None = "end_turn") -> dict[str, Any]:
    return {
        "type": "message_delta",
        "delta": {"stop_reason": reason},
        "usage": {"output_tokens": 7},
    }


THINKING = [
    begin(0, type="thinking", thinking="", signature=""),
    grow(0, "thinking_delta", thinking="Let me "),
    PING,
    grow(0, "thinking_delta", thinking="see – 漢字."),
    grow(0, "signature_delta", signature="c2ln"),
    grow(0, "signature_delta", signature="bmF0dXJl"),
    close(0),
    begin(1, type="redacted_thinking", data="b3BhcXVl"),
    close(1),
]
TEXT = [
    begin(2, type="text", text=""),
    grow(2, "text_delta", text="Hello "),
    grow(2, "text_delta", text="there"),
    close(2),
]


def reply(*events: dict[str, Any], size: int = 0) -> Reply:
    from json import dumps

    written = [
        f"event: {each['type']}\ndata: {dumps(each, ensure_ascii=False)}\n\n" for each in events
    ]
    data = "".join(written).encode()
    return Reply(cut_every(data, size) if size else [data])


def talk(
    replies: list[Reply], *requests: Request, thinking: int | None = None
) -> tuple[list[Told], FakeServer]:
    async def run() -> tuple[list[Told], FakeServer]:
        async with FakeServer(replies) as server:
            base = server.base_url.removesuffix("/v1")
            provider = opened(base, "anthropic", thinking_tokens=thinking)
            told = [await ask(provider, request) for request in requests]
            await provider.aclose()
            return told, server

    return asyncio.run(run())


@pytest.mark.parametrize("size", [0, 1, 2, 7])
def test_anthropic_streams_thinking_text_and_usage(size: int) -> None:
    (told,), _ = talk([reply(START, *THINKING, *TEXT, end(), STOP, size=size)], history(GO))

    assert told.error is None
    assert told.reasoning == "Let me see – 漢字."
    assert told.text == "Hello there"
    assert told.usage == Usage(prompt=17, completion=7, cached=5)
    assert told.finish == "stop"
    assert [item for item in told.items if isinstance(item, TextPiece | ReasoningPiece)] == [
        ReasoningPiece("Let me "),
        ReasoningPiece("see – 漢字."),
        TextPiece("Hello "),
        TextPiece("there"),
    ]


def test_anthropic_sends_thinking_back_first_and_verbatim() -> None:
    async def run() -> None:
        first = reply(START, *THINKING, *TEXT, end(), STOP)
        async with FakeServer([first, reply(START, *TEXT, end(), STOP)]) as server:
            provider = opened(server.base_url, "anthropic", thinking_tokens=2000)
            told = await ask(provider, history(GO))
            foreign = {"provider": "openai_compatible", "extra_content": {}}
            kept = Message("assistant", told.text, told.reasoning, (foreign, *told.kept))
            await ask(provider, history(GO, kept, Message("user", "on")))
            await provider.aclose()
        assert server.requests[1].body["messages"][1] == {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Let me see – 漢字.", "signature": "c2lnbmF0dXJl"},
                {"type": "redacted_thinking", "data": "b3BhcXVl"},
                {"type": "text", "text": "Hello there"},
            ],
        }

    asyncio.run(run())


def test_anthropic_sends_the_whole_request() -> None:
    request = Request("Be short.", (GO,), temperature=0.5, stop=("</x>",))
    _, server = talk([reply(START, *TEXT, end(), STOP)], request)
    asked = server.requests[0]
    cache = {"cache_control": {"type": "ephemeral"}}

    assert asked.path == "/v1/messages"
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert asked.body == {
        "model": "fake",
        "max_tokens": 8192,
        "system": [{"type": "text", "text": "Be short.", **cache}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "go", **cache}]}],
        "stream": True,
        "stop_sequences": ["</x>"],
        "temperature": 0.5,
    }


def test_anthropic_leaves_room_beside_the_thinking_and_no_temperature() -> None:
    request = Request("", (GO,), max_tokens=100, temperature=0.5)
    _, server = talk([reply(START, end(), STOP)], request, thinking=2000)
    body = server.requests[0].body

    assert body["thinking"] == {"type": "enabled", "budget_tokens": 2000}
    assert body["max_tokens"] == 3024
    assert "temperature" not in body
    assert "system" not in body


def test_anthropic_leaves_out_empty_messages() -> None:
    request = history(GO, Message("assistant", " \n"), Message("user", "on"))
    _, server = talk([reply(START, end(), STOP)], request)

    assert [each["role"] for each in server.requests[0].body["messages"]] == ["user", "user"]


def test_anthropic_tells_native_calls() -> None:
    events = [
        begin(0, type="text", text="I "),
        grow(0, "text_delta", text="run."),
        close(0),
        begin(1, type="tool_use", id="t1", name="run", input={}),
        grow(1, "input_json_delta", partial_json='{"a"'),
        grow(1, "input_json_delta", partial_json=": 1}"),
        close(1),
        begin(2, type="tool_use", id="t2", name="see", input={}),
        close(2),
    ]
    (told,), _ = talk([reply(START, *events, end("tool_use"), STOP)], history(GO))

    assert told.text == "I run."
    assert told.calls == [
        {"id": "t1", "name": "run", "arguments": {"a": 1}},
        {"id": "t2", "name": "see", "arguments": {}},
    ]
    assert told.finish == "tool_calls"


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("tool_use", "tool_calls"),
        ("refusal", "content_filter"),
        ("model_context_window_exceeded", "length"),
        ("something_new", "something_new"),
    ],
)
def test_anthropic_stop_reason_becomes_a_finish(reason: str, finish: str) -> None:
    (told,), _ = talk([reply(START, *TEXT, end(reason), STOP)], history(GO))

    assert told.finish == finish


@pytest.mark.parametrize(
    ("error", "expected", "retryable", "says"),
    [
        ({"type": "overloaded_error", "message": "Overloaded"}, StreamBroken, True, "Overloaded"),
        ({"type": "api_error", "message": "Internal"}, StreamBroken, True, "Internal"),
        ({"type": "rate_limit_error", "message": "Slow"}, RateLimited, True, "Slow"),
        ({"type": "invalid_request_error", "message": "No"}, Rejected, False, "No"),
        ({"type": "authentication_error", "message": "Key"}, Rejected, False, "the key"),
    ],
)
def test_anthropic_error_within_the_stream(
    error: dict[str, str], expected: type[Exception], retryable: bool, says: str
) -> None:
    (told,), _ = talk([reply(START, *TEXT, {"type": "error", "error": error})], history(GO))

    assert told.text == "Hello there"
    assert isinstance(told.error, expected)
    assert told.error is not None
    assert told.error.retryable is retryable
    assert says in str(told.error)
    assert told.finish is None


def test_anthropic_overload_before_the_stream_can_be_tried_again() -> None:
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    (told,), _ = talk([refusal(529, body)], history(GO))

    assert isinstance(told.error, Rejected)
    assert (told.error.status, told.error.retryable) == (529, True)


@pytest.mark.parametrize("events", [[START, *THINKING[:4]], [START, *TEXT], [START]])
def test_anthropic_stream_without_its_end_is_broken(events: list[dict[str, Any]]) -> None:
    (told,), _ = talk([reply(*events)], history(GO))

    assert isinstance(told.error, StreamBroken)
    assert "ended early" in str(told.error)
    assert told.error.retryable
    assert told.kept == ()


def test_anthropic_end_is_known_by_either_sign() -> None:
    by_reason, by_stop = talk(
        [reply(START, *TEXT, end()), reply(START, *TEXT, end(None), STOP)], history(GO), history(GO)
    )[0]

    assert (by_reason.finish, by_reason.error) == ("stop", None)
    assert (by_stop.finish, by_stop.error) == ("stop", None)


def test_anthropic_reads_an_answer_that_was_not_streamed() -> None:
    thinking = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
    whole = {
        "type": "message",
        "content": [
            thinking,
            {"type": "text", "text": "Hello"},
            {"type": "tool_use", "id": "t", "name": "run", "input": {"a": 1}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 3, "output_tokens": 2},
    }
    (told,), _ = talk([refusal(200, whole)], history(GO))

    assert (told.reasoning, told.text, told.finish) == ("hm", "Hello", "tool_calls")
    assert told.calls == [{"id": "t", "name": "run", "arguments": {"a": 1}}]
    assert told.kept == ({"provider": "anthropic", "block": thinking},)
    assert told.usage == Usage(prompt=3, completion=2)


def test_anthropic_passes_over_events_it_does_not_know() -> None:
    new = {"type": "content_block_delta", "index": 2, "delta": {"type": "citations_delta"}}
    odd: list[dict[str, Any]] = [
        {"type": "novelty", "x": 1},
        {"type": "message_start"},
        begin(9, type="novelty"),
        new,
    ]
    (told,), _ = talk([reply(START, *odd, *TEXT, close(9), end(), STOP)], history(GO))

    assert (told.text, told.error) == ("Hello there", None)

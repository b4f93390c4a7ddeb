from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from anthropic import AsyncAnthropic

from parsing import ArgumentsDelta, CallBegan, ReasoningDelta, TextDelta
from tests.ui.gateway.messages_play import (
    ASKED,
    CONTENT,
    USAGE,
    Play,
    assert_in_order,
    events,
    said,
)
from ui.gateway.messages.arguments import INVALID
from ui.gateway.told import Ended

CUT = "the arguments were cut off here"


@pytest.fixture
def play() -> Play:
    return Play()


def test_messages_gives_a_message(play: Play) -> None:
    with play.client() as client:
        message = client.messages.create(**ASKED)

    assert message.id.startswith("msg_")
    assert said(message) == {
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": CONTENT,
        "stop_reason": "end_turn",
        "usage": {
            "input_tokens": 7,
            "output_tokens": 7,
            "cache_read_input_tokens": 4,
            "output_tokens_details": {"thinking_tokens": 3},
        },
    }


def test_messages_streams_a_message(play: Play) -> None:
    heard: dict[str, list[str]] = {"text": [], "thinking": [], "input_json": []}
    with play.client() as client:
        whole = client.messages.create(**ASKED)
        with client.messages.stream(**ASKED) as stream:
            for event in stream:
                match event.type:
                    case "text":
                        heard["text"].append(event.text)
                    case "thinking":
                        heard["thinking"].append(event.thinking)
                    case "input_json":
                        heard["input_json"].append(event.partial_json)
                    case _:
                        pass
            streamed = stream.get_final_message()
        with client.messages.stream(**ASKED) as stream:
            text = list(stream.text_stream)

    assert said(streamed) == said(whole)
    assert heard == {
        "text": ["I ", "call.", "Done 東京\u2028🚀"],
        "thinking": ["Hm, ", "f."],
        "input_json": ['{"a": "x', 'y"', "}"],
    }
    assert text == heard["text"]
    assert_in_order(events(play.sent))


def test_messages_streams_raw_events(play: Play) -> None:
    play.chunks = [[TextDelta(0, "Hi")], [TextDelta(0, "")]]
    play.end = Ended("length", None)
    with play.client() as client, client.messages.create(**ASKED, stream=True) as stream:
        heard = list(stream)

    assert [event.type for event in heard] == [
        *("message_start", "content_block_start", "content_block_delta", "content_block_stop"),
        *("message_delta", "message_stop"),
    ]
    found = events(play.sent)
    found[0]["message"].pop("id")
    assert found == [
        {
            "type": "message_start",
            "message": {
                "type": "message",
                "role": "assistant",
                "model": "m",
                "content": [],
                "stop_reason": None,
                "stop_sequence": None,
                "usage": {"input_tokens": 0, "output_tokens": 0},
            },
        },
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "text", "text": ""},
        },
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": "Hi"},
        },
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "max_tokens", "stop_sequence": None},
            "usage": {"output_tokens": 0},
        },
        {"type": "message_stop"},
    ]


def test_messages_streams_to_an_asynchronous_client(play: Play) -> None:
    async def read() -> Any:
        transport = httpx2.ASGITransport(app=app)
        async with (
            AsyncAnthropic(
                api_key="none",
                base_url="http://gateway",
                max_retries=0,
                http_client=httpx2.AsyncClient(transport=transport),
            ) as client,
            client.messages.stream(**ASKED) as stream,
        ):
            return await stream.get_final_message()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        request = await receive()
        response = play.answer(
            httpx2.Request("POST", f"http://gateway{scope['path']}", content=request["body"])
        )
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async for part in parts(response.content):
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def parts(content: bytes) -> AsyncIterator[bytes]:
        for at in range(0, len(content), 7):
            yield content[at : at + 7]

    assert said(asyncio.run(read()))["content"] == CONTENT


def test_messages_veils_thinking_that_is_not_to_be_shown(play: Play) -> None:
    thinking = {"type": "adaptive", "display": "omitted"}
    with play.client() as client:
        whole = client.messages.create(**ASKED, extra_body={"thinking": thinking})
        with client.messages.stream(**ASKED, extra_body={"thinking": thinking}) as stream:
            streamed = stream.get_final_message()

    veiled = {"type": "thinking", "thinking": "", "signature": "tagline"}
    assert said(whole)["content"] == [veiled, *CONTENT[1:]]
    assert said(streamed) == said(whole)


def test_messages_with_nothing_said_has_no_content(play: Play) -> None:
    play.chunks = [[TextDelta(0, "")], [ReasoningDelta(1, "")]]
    with play.client() as client:
        whole = client.messages.create(**ASKED)
        with client.messages.stream(**ASKED) as stream:
            streamed = stream.get_final_message()

    assert whole.content == streamed.content == []


def test_messages_tells_a_cut_call_and_then_what_follows(play: Play) -> None:
    play.chunks = [[CallBegan(0, "f"), ArgumentsDelta(0, '{"a": "x')], [TextDelta(1, "after")]]
    with play.client() as client, client.messages.stream(**ASKED) as stream:
        message = stream.get_final_message()

    assert said(message)["content"] == [
        {"type": "tool_use", "name": "f", "input": {"a": "x", INVALID: CUT}},
        {"type": "text", "text": "after"},
    ]


@pytest.mark.parametrize(
    ("finish", "reason"),
    [
        ("stop", "end_turn"),
        ("tool_calls", "tool_use"),
        ("length", "max_tokens"),
        ("content_filter", "refusal"),
        ("eos", "end_turn"),
    ],
)
def test_messages_says_why_it_ended(play: Play, finish: str, reason: str) -> None:
    play.end = Ended(finish, USAGE)
    with play.client() as client:
        whole = client.messages.create(**ASKED)
        with client.messages.stream(**ASKED) as stream:
            streamed = stream.get_final_message()

    assert (whole.stop_reason, streamed.stop_reason) == (reason, reason)


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (Ended("stop", stop="END"), ("stop_sequence", "END")),
        (Ended("stop", stop="<|im_end|>"), ("end_turn", None)),
        (Ended("length", stop="END"), ("max_tokens", None)),
    ],
)
def test_messages_says_which_stop_sequence_ended_it(
    play: Play, end: Ended, expected: tuple[str, str | None]
) -> None:
    play.end = end
    with play.client() as client:
        whole = client.messages.create(**ASKED, stop_sequences=["END"])
        with client.messages.stream(**ASKED, stop_sequences=["END"]) as stream:
            streamed = stream.get_final_message()

    assert (whole.stop_reason, whole.stop_sequence) == expected
    assert (streamed.stop_reason, streamed.stop_sequence) == expected

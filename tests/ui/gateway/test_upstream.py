from __future__ import annotations

from typing import Any

import pytest

from agent.providers.base import Usage
from tests.agent.providers.fake_server import (
    JSON,
    Reply,
    answer,
    delta,
    sse,
    stream,
)
from tests.ui.gateway.asked_upstream import BODY, KEY, RAW, ask, choice
from ui.gateway.heard import Heard
from ui.gateway.told import Tokens


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
        (  # llama.cpp's
            choice(delta={"content": "ab"}, logprobs={"content": [{"id": 5, "token": "ab"}]}),
            Tokens([5], [{"id": 5, "token": "ab"}]),
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


@pytest.mark.parametrize("member", ["stop_reason", "matched_stop"])
def test_stop_sequence_that_ended_the_answer_is_told(member: str) -> None:
    ended = ask(
        stream(delta(content="a"), choice(finish_reason="stop", delta={}, **{member: "END"}))
    )
    token = ask(
        stream(delta(content="a"), choice(finish_reason="stop", delta={}, **{member: 151645}))
    )

    assert ended.heard[-1] == Heard(finish="stop", stop="END")
    assert token.heard[-1] == Heard(finish="stop")

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.providers.base import Usage
from parsing import ArgumentsDelta, CallBegan, CallEnded, Delta, ReasoningDelta, TextDelta
from ui.gateway.asked import Ask
from ui.gateway.chat import CHAT
from ui.gateway.client import Fault
from ui.gateway.told import Ended, Pieces, Tokens, Told

STOP = Ended("stop")


def asked(**more: Any) -> Ask:
    return CHAT.asked({"model": "m", "messages": [{"role": "user", "content": "hi"}], **more})


def events(data: bytes) -> list[dict[str, Any]]:
    assert data.endswith(b"\n\n")
    lines = [line.removeprefix(b"data: ") for line in data[:-2].split(b"\n\n")]
    return [json.loads(line) for line in lines if line != b"[DONE]"]


def streamed(ask: Ask, *chunks: Pieces, end: Ended = STOP) -> list[dict[str, Any]]:
    answer = CHAT.answer(ask)
    data = answer.begin() + b"".join(map(answer.told, chunks)) + answer.ended(end)
    assert data.endswith(b"data: [DONE]\n\n")
    return events(data)


def piece(*deltas: Delta, tokens: Tokens | None = None) -> Pieces:
    return [
        *map(Told, deltas[:-1]),
        Told(deltas[-1] if deltas else None, tokens),
    ]


ODD = 'é "\\\n\u2028\ud800'
CHUNKS = [
    piece(ReasoningDelta(0, "hm")),
    piece(TextDelta(1, ODD)),
    piece(CallBegan(2, 'f"'), ArgumentsDelta(2, '{"a": ')),
    piece(ArgumentsDelta(2, "1}"), CallEnded(2), CallBegan(4, "g"), ArgumentsDelta(4, '{"b')),
]


def test_chat_streams_one_event_a_delta() -> None:
    found = streamed(asked(), *CHUNKS, end=Ended("tool_calls", Usage(1, 2)))
    deltas = [event["choices"][0]["delta"] for event in found]
    ids = [entry["id"] for d in deltas for entry in d.get("tool_calls", ()) if "id" in entry]

    def began(number: int, name: str) -> dict[str, Any]:
        about = {"index": number, "id": ids[number], "type": "function"}
        return {"tool_calls": [{**about, "function": {"name": name, "arguments": ""}}]}

    def went_on(number: int, text: str) -> dict[str, Any]:
        return {"tool_calls": [{"index": number, "function": {"arguments": text}}]}

    assert deltas == [
        {"role": "assistant", "content": ""},
        {"reasoning_content": "hm"},
        {"content": ODD},
        began(0, 'f"'),
        went_on(0, '{"a": '),
        went_on(0, "1}"),
        began(1, "g"),
        went_on(1, '{"b'),
        {},
    ]
    assert len(set(ids)) == 2
    assert all(id_.startswith("call_") for id_ in ids)
    assert [event["choices"][0]["finish_reason"] for event in found] == [*[None] * 8, "tool_calls"]
    assert {(e["id"], e["object"], e["model"], e["created"]) for e in found} == {
        (found[0]["id"], "chat.completion.chunk", "m", found[0]["created"])
    }
    assert found[0]["id"].startswith("chatcmpl-")
    assert not any("usage" in event for event in found)


def test_chat_whole_says_what_its_stream_says() -> None:
    pieces = [one for chunk in CHUNKS for one in chunk]
    whole = CHAT.answer(asked()).whole(pieces, Ended("length", Usage(5, 7, 3, 2)))
    (choice,) = whole["choices"]
    message = choice["message"]
    ids = [entry.pop("id") for entry in message["tool_calls"]]

    assert message == {
        "role": "assistant",
        "content": ODD,
        "reasoning_content": "hm",
        "tool_calls": [
            {"type": "function", "function": {"name": 'f"', "arguments": '{"a": 1}'}},
            {"type": "function", "function": {"name": "g", "arguments": '{"b'}},
        ],
    }
    assert len(set(ids)) == 2
    assert (whole["object"], choice["finish_reason"]) == ("chat.completion", "length")
    assert whole["usage"] == {
        "prompt_tokens": 5,
        "completion_tokens": 7,
        "total_tokens": 12,
        "prompt_tokens_details": {"cached_tokens": 2},
        "completion_tokens_details": {"reasoning_tokens": 3},
    }


def test_chat_whole_with_nothing_said_has_null_content() -> None:
    whole = CHAT.answer(asked()).whole([], Ended("stop"))

    assert whole["choices"][0]["message"] == {"role": "assistant", "content": None}
    assert "usage" not in whole


def test_chat_tells_usage_in_the_stream_only_when_it_is_wanted() -> None:
    wanted = asked(stream_options={"include_usage": True})
    found = streamed(wanted, piece(TextDelta(0, "a")), end=Ended("stop", Usage(1, 2)))

    assert [event["usage"] for event in found[:-1]] == [None, None, None]
    assert (found[-1]["choices"], found[-1]["usage"]["total_tokens"]) == ([], 3)


TOKENS = Tokens(ids=[7, 8], logprobs=[{"token": "a"}])


@pytest.mark.parametrize(
    "deltas",
    [
        (TextDelta(0, "a"), TextDelta(0, "b")),
        (CallBegan(0, "f"), ArgumentsDelta(0, "{}"), CallEnded(0)),
        (),
        (CallEnded(0),),
    ],
)
def test_chat_tells_tokens_with_the_last_delta_of_their_chunk(deltas: tuple[Delta, ...]) -> None:
    ask = asked(logprobs=True, return_token_ids=True)
    _, *found, _ = streamed(ask, piece(*deltas, tokens=TOKENS))
    choices = [event["choices"][0] for event in found]

    assert [choice.get("token_ids") for choice in choices] == [*[None] * (len(found) - 1), [7, 8]]
    assert choices[-1]["logprobs"] == {"content": [{"token": "a"}], "refusal": None}
    assert all(choice["logprobs"] is None for choice in choices[:-1])
    whole = CHAT.answer(ask).whole(piece(TextDelta(0, "a"), tokens=TOKENS) * 2, Ended("stop"))
    assert whole["choices"][0]["token_ids"] == [7, 8, 7, 8]
    assert len(whole["choices"][0]["logprobs"]["content"]) == 2


def test_chat_does_not_tell_tokens_that_nobody_asked_for() -> None:
    answer = CHAT.answer(asked())

    assert answer.told(piece(tokens=TOKENS)) == b""
    assert b"token_ids" not in answer.told(piece(TextDelta(0, "a"), tokens=TOKENS))
    whole = CHAT.answer(asked()).whole(piece(TextDelta(0, "a"), tokens=TOKENS), Ended("stop"))
    assert whole["choices"][0]["logprobs"] is None


def test_chat_tells_a_fault_as_openai_does() -> None:
    fault = Fault(504, "upstream_timeout", "too slow", param="x")
    (told,) = events(CHAT.answer(asked()).failed(fault))

    assert told == CHAT.error(fault)
    assert told["error"] == {
        "message": "too slow",
        "type": "upstream_error",
        "param": "x",
        "code": "upstream_timeout",
    }

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.providers.base import Usage
from parsing import ArgumentsDelta, CallBegan, CallEnded, Delta, ReasoningDelta, TextDelta
from tests.ui.gateway.responses_events import events, put_together, timeless
from tests.ui.gateway.responses_play import LOGPROBS, STOP, USAGE, answer, pieces, streamed, tokens
from ui.gateway.client import Fault
from ui.gateway.responses import RESPONSES
from ui.gateway.told import Ended, Pieces


@dataclass
class Spoken:
    """A block as a model may say it, in pieces; a call may be cut."""

    kind: str
    texts: list[str]
    ended: bool

    def deltas(self, index: int) -> list[Delta]:
        if self.kind == "call":
            arguments: list[Delta] = [ArgumentsDelta(index, text) for text in self.texts]
            end: list[Delta] = [CallEnded(index)] if self.ended else []
            return [CallBegan(index, "f"), *arguments, *end]
        kind = TextDelta if self.kind == "text" else ReasoningDelta
        return [kind(index, text) for text in self.texts]

    def item(self, *, whole: bool) -> Any:
        said = "".join(self.texts)
        status = "completed" if whole else "incomplete"
        item: dict[str, Any]
        match self.kind:
            case "call":
                item = {"type": "function_call", "call_id": None, "name": "f", "arguments": said}
                status = "completed" if self.ended else "incomplete"
            case "text":
                part = {"type": "output_text", "text": said, "annotations": []}
                item = {"type": "message", "role": "assistant", "content": [part]}
            case _:
                parts = [{"type": "reasoning_text", "text": said}]
                item = {"type": "reasoning", "summary": [], "content": parts}
        return {"id": None, "status": status, **item}


TEXTS = st.text(min_size=1, max_size=4) | st.sampled_from(
    ['{"a": 1', '"}', "\ud800", "\u2028", "é"]
)
SPOKEN = st.builds(
    Spoken,
    st.sampled_from(["text", "reasoning", "call"]),
    st.lists(TEXTS, min_size=1, max_size=4),
    st.booleans(),
)


@st.composite
def chunked(draw: st.DrawFn, said: list[Spoken]) -> list[Pieces]:
    deltas: list[Delta] = [
        delta for index, block in enumerate(said) for delta in block.deltas(index)
    ]
    chunks: list[Pieces] = []
    while deltas:
        size = draw(st.integers(1, 4))
        chunks.append(pieces(*deltas[:size], tokens=tokens(str(len(deltas)))))
        deltas = deltas[size:]
    return chunks


@settings(max_examples=100, deadline=None)
@given(
    st.data(),
    st.lists(SPOKEN, max_size=6),
    st.sampled_from(["stop", "tool_calls", "length", "content_filter", "abort", "a new word"]),
    st.none() | st.just(USAGE),
    st.sampled_from([{}, LOGPROBS]),
)
def test_stream_adds_up_to_the_whole_response(
    data: st.DataObject, said: list[Spoken], finish: str, usage: Usage | None, more: Any
) -> None:
    chunks = data.draw(chunked(said))
    end = Ended(finish, usage)
    heard = streamed(chunks, end, **more)
    last = heard[-1]["response"]
    whole = answer(**more).whole(list(itertools.chain(*chunks)), end)
    cut = finish in {"length", "content_filter", "abort"}
    places = range(1, len(said) + 1)
    expected = [
        block.item(whole=not cut or place < len(said))
        for place, block in zip(places, said, strict=True)
    ]

    assert [event["type"] for event in heard[:2]] == ["response.created", "response.in_progress"]
    assert heard[-1]["type"] == f"response.{last['status']}"
    assert last["status"] == ("incomplete" if cut else "completed")
    assert put_together(heard) == last["output"]
    assert timeless(whole) == timeless(last)
    for part in (part for item in last["output"] for part in item.get("content", ())):
        if part.pop("logprobs", None):
            assert more
            assert part["type"] == "output_text"
    assert timeless(last)["output"] == expected


def test_item_is_done_when_the_next_begins_and_a_call_when_it_ends() -> None:
    heard = streamed(
        [
            pieces(ReasoningDelta(0, "Hm.")),
            pieces(TextDelta(1, "Now.")),
            pieces(CallBegan(2, "f"), ArgumentsDelta(2, "{}"), CallEnded(2)),
        ]
    )

    assert [event["type"].removeprefix("response.") for event in heard] == [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "reasoning_text.delta",
        "reasoning_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ]


def test_call_is_closed_with_the_chunk_that_ends_it() -> None:
    writer = answer()
    writer.begin()
    writer.told(pieces(CallBegan(0, "f"), ArgumentsDelta(0, "{}")))

    assert b"response.output_item.done" in writer.told(pieces(CallEnded(0)))
    assert b"response.output_item.done" not in writer.ended(STOP)


def test_response_says_the_tokens() -> None:
    assert streamed([], STOP)[-1]["response"]["usage"] == {
        "input_tokens": 11,
        "input_tokens_details": {"cache_write_tokens": 0, "cached_tokens": 2},
        "output_tokens": 7,
        "output_tokens_details": {"reasoning_tokens": 3},
        "total_tokens": 18,
    }


@pytest.mark.parametrize(
    ("finish", "why"),
    [
        ("length", {"reason": "max_output_tokens"}),
        ("content_filter", {"reason": "content_filter"}),
        ("abort", None),
        ("stop", None),
    ],
)
def test_response_says_why_it_is_incomplete(finish: str, why: Any) -> None:
    last = streamed([pieces(TextDelta(0, "a"))], Ended(finish))[-1]["response"]

    assert last["incomplete_details"] == why
    assert (last["completed_at"] is None) == (finish != "stop")


def test_response_repeats_the_request_as_it_was_done() -> None:
    tool = {"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": True}
    asked: dict[str, Any] = {
        "instructions": "Be brief.",
        "metadata": {"a": "b"},
        "tools": [tool],
        "tool_choice": {"type": "function", "name": "f"},
        "parallel_tool_calls": False,
        "temperature": 0.5,
        "top_p": 0.9,
        "max_output_tokens": 50,
        "reasoning": {"effort": "low", "summary": "auto"},
        "text": {"format": {"type": "json_object"}, "verbosity": "low"},
        "user": "u",
        "store": True,
        "truncation": "auto",
        "top_logprobs": 2,
    }
    last = streamed([], **asked)[-1]["response"]

    assert {name: last[name] for name in asked} == {
        **asked,
        "tools": [{**tool, "description": None}],
        "reasoning": {"effort": "low", "summary": None},
        "store": False,
        "truncation": "disabled",
    }
    assert last["model"] == "m"
    assert last["previous_response_id"] is None


def test_ids_are_of_one_response_and_no_two_alike() -> None:
    chunks = [pieces(TextDelta(0, "a")), *(pieces(CallBegan(at, "f")) for at in (1, 2, 3))]
    heard = streamed(chunks)
    responses = {event["response"]["id"] for event in heard if "response" in event}
    output = heard[-1]["response"]["output"]

    assert len(responses) == 1
    assert len({item["id"] for item in output}) == 4
    assert len({item["call_id"] for item in output[1:]}) == 3


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("upstream", "server_error"),
        ("upstream_timeout", "server_error"),
        ("busy", "rate_limit_exceeded"),
        ("bad_request", "invalid_prompt"),
    ],
)
def test_answer_that_fails_says_why_and_what_came(kind: Any, code: str) -> None:
    writer = answer()
    told = [
        writer.begin(),
        writer.told(pieces(TextDelta(0, "a"), CallBegan(1, "f"), ArgumentsDelta(1, "{"))),
        writer.failed(Fault(502, kind, "The upstream broke off.")),
    ]
    heard = events(b"".join(told))
    last = heard[-1]["response"]

    assert heard[-2]["type"] == "error"
    assert (heard[-2]["code"], heard[-2]["message"]) == (code, "The upstream broke off.")
    assert heard[-1]["type"] == "response.failed"
    assert last["status"] == "failed"
    assert last["error"] == {"code": code, "message": "The upstream broke off."}
    assert [item["status"] for item in last["output"]] == ["completed", "incomplete"]
    assert put_together(heard) == last["output"]


def test_error_names_its_kind_and_member() -> None:
    assert RESPONSES.error(Fault(400, "bad_request", "No.", "input"))["error"] == {
        "message": "No.",
        "type": "invalid_request_error",
        "param": "input",
        "code": None,
    }
    busy = RESPONSES.error(Fault(429, "busy", "Later."))["error"]
    assert (busy["type"], busy["code"], busy["param"]) == (
        "rate_limit_error",
        "rate_limit_exceeded",
        None,
    )

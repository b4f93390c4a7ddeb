from __future__ import annotations

import itertools
from typing import Any

from parsing import ArgumentsDelta, CallBegan, CallEnded, TextDelta
from tests.ui.gateway.responses_events import put_together, timeless
from tests.ui.gateway.responses_play import LOGPROBS, STOP, answer, pieces, streamed, tokens
from ui.gateway.told import Tokens


def spelled(logprobs: list[Any]) -> list[str]:
    return [entry["token"] for entry in logprobs]


def test_logprobs_come_with_the_last_text_of_their_chunk() -> None:
    chunks = [
        pieces(TextDelta(0, "a"), tokens=tokens("a")),
        pieces(None, tokens=tokens(" ")),
        pieces(TextDelta(0, " b"), TextDelta(0, "c"), tokens=tokens("b", "c")),
        pieces(TextDelta(0, "d"), CallBegan(1, "f"), tokens=tokens("d", "<call>")),
        pieces(ArgumentsDelta(1, "{}"), tokens=tokens("{}")),
        pieces(None, tokens=tokens("</")),
        pieces(CallEnded(1), tokens=tokens("call>")),
        pieces(TextDelta(2, "e"), tokens=tokens("e")),
    ]
    heard = streamed(chunks, **LOGPROBS)
    deltas = [event for event in heard if event["type"] == "response.output_text.delta"]
    whole = answer(**LOGPROBS).whole(list(itertools.chain(*chunks)), STOP)

    assert [(event["delta"], spelled(event["logprobs"])) for event in deltas] == [
        ("a", ["a"]),
        (" b", []),
        ("c", [" ", "b", "c"]),
        ("d", ["d", "<call>"]),
        ("e", ["e"]),
    ]
    assert put_together(heard) == heard[-1]["response"]["output"]
    assert timeless(whole) == timeless(heard[-1]["response"])


def test_logprobs_are_written_as_the_api_has_them() -> None:
    told = [
        {"token": "é", "logprob": float("-inf"), "bytes": None},
        {"token": "a", "logprob": -1, "top_logprobs": [{"token": "b", "logprob": -2}, "garbage"]},
        {"token": "no logprob"},
        None,
    ]
    chunk = pieces(TextDelta(0, "éa"), tokens=Tokens(logprobs=told))

    assert streamed([chunk], **LOGPROBS)[4]["logprobs"] == [
        {"token": "é", "logprob": -9999.0, "bytes": [195, 169], "top_logprobs": []},
        {
            "token": "a",
            "logprob": -1,
            "bytes": [97],
            "top_logprobs": [{"token": "b", "logprob": -2, "bytes": [98]}],
        },
    ]


def test_logprobs_are_left_out_when_nobody_asked() -> None:
    assert streamed([pieces(TextDelta(0, "a"), tokens=tokens("a"))])[4]["logprobs"] == []

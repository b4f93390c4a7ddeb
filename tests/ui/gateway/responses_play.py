"""Answers of the Responses API, written from chunks."""

from __future__ import annotations

from typing import Any

from agent.providers.base import Usage
from parsing import Delta
from tests.ui.gateway.responses_events import events
from ui.gateway.asked import Ask
from ui.gateway.client import Answer
from ui.gateway.responses import RESPONSES
from ui.gateway.told import Ended, Pieces, Tokens, Told

USAGE = Usage(prompt=11, completion=7, reasoning=3, cached=2)
STOP = Ended("stop", USAGE)
LOGPROBS: dict[str, Any] = {"include": ["message.output_text.logprobs"]}


def ask(**more: Any) -> Ask:
    return RESPONSES.asked({"model": "m", "input": "Hi", **more})


def answer(**more: Any) -> Answer:
    return RESPONSES.answer(ask(**more))


def streamed(chunks: list[Pieces], end: Ended = STOP, **more: Any) -> list[Any]:
    writer = answer(stream=True, **more)
    told = [writer.begin(), *map(writer.told, chunks), writer.ended(end)]
    return events(b"".join(told))


def pieces(*deltas: Delta | None, tokens: Tokens | None = None) -> Pieces:
    made = [Told(delta) for delta in deltas]
    made[-1].tokens = tokens
    return made


def logprob(token: str) -> dict[str, Any]:
    return {"token": token, "logprob": -0.5, "bytes": list(token.encode()), "top_logprobs": []}


def tokens(*spelled: str) -> Tokens:
    return Tokens(ids=[1], logprobs=[logprob(token) for token in spelled])

"""What a scripted server says: chunks of text, and faults among them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

# What may stand between pieces: never go on; end without the end; reset; close one way only.
Act = Literal["hang", "cut", "reset", "half"]


@dataclass(frozen=True, slots=True)
class Wait:
    """Seconds in which nothing is said."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Piece:
    """One chunk of the stream; `ids` and `logprobs` are sent when the request wants them."""

    text: str = ""
    reasoning: str | None = None
    ids: Sequence[int] = ()

    def logprobs(self) -> list[dict[str, Any]]:
        said = self.text.encode()
        one = {"token": self.text, "logprob": -0.5, "bytes": list(said), "top_logprobs": []}
        return [{**one, "token": f"{self.text}#{number}"} for number in self.ids]


@dataclass(frozen=True, slots=True)
class Say:
    """An answer: text, acts, waits, raw bytes, or an object sent as an event."""

    pieces: Iterable[Piece | Act | Wait | bytes | dict[str, Any]] = ()
    finish: str | None = "stop"
    usage: tuple[int, int] | None = (11, 7)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    done: bool = True


@dataclass(slots=True)
class Asked:
    """A request as it came; `left` is set when its client closed before the answer's end."""

    path: str
    headers: Mapping[str, str]
    body: Any
    left: threading.Event = field(default_factory=threading.Event)
    left_at: float = 0.0


def cut(text: str, size: int, *, first_id: int = 0) -> list[Piece]:
    """Cut a text into chunks of one size; with `first_id`, one token per chunk."""
    places = range(0, len(text), size)
    return [
        Piece(text[at : at + size], ids=[first_id + number] if first_id else ())
        for number, at in enumerate(places)
    ]


def refusal(status: int, message: str = "no", **headers: str) -> Say:
    """Refuse with an error object."""
    body = json.dumps({"error": {"message": message, "type": "refused", "code": status}})
    return Say(
        [body.encode()], status=status, headers={"content-type": "application/json"} | headers
    )


def event(piece: Piece | dict[str, Any], asked: Asked) -> bytes:
    """Write one event of the stream."""
    if isinstance(piece, dict):
        return b"data: " + json.dumps(piece, ensure_ascii=False).encode() + b"\n\n"
    delta: dict[str, Any] = {"content": piece.text} if piece.text or not piece.reasoning else {}
    if piece.reasoning is not None:
        delta["reasoning_content"] = piece.reasoning
    said = {"text": piece.text} if asked.path.endswith("/v1/completions") else {"delta": delta}
    choice: dict[str, Any] = {"index": 0, **said, "finish_reason": None}
    if asked.body.get("return_token_ids") and piece.ids:
        choice["token_ids"] = list(piece.ids)
    if asked.body.get("logprobs") and piece.ids:
        choice["logprobs"] = {"content": piece.logprobs()}
    return event(_framed(asked, choices=[choice]), asked)


def _framed(asked: Asked, **about: Any) -> dict[str, Any]:
    kind = "text_completion" if asked.path.endswith("/v1/completions") else "chat.completion.chunk"
    model = asked.body.get("model", "scripted")
    return {"id": "cmpl-1", "object": kind, "created": 1, "model": model, **about}


def ending(say: Say, asked: Asked) -> Iterator[bytes]:
    if say.status != 200 or not say.done:
        return
    said: dict[str, Any] = {"text": ""} if asked.path.endswith("/v1/completions") else {"delta": {}}
    yield event(_framed(asked, choices=[{"index": 0, **said, "finish_reason": say.finish}]), asked)
    if say.usage is not None:
        prompt, completion = say.usage
        counts = {"prompt_tokens": prompt, "completion_tokens": completion}
        usage = {**counts, "total_tokens": prompt + completion}
        yield event(_framed(asked, choices=[], usage=usage), asked)
    yield b"data: [DONE]\n\n"

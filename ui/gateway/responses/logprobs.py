"""Logprobs of a chunk's tokens, given to the text they belong to.

The Responses API has a place for them beside text only: those of a chunk without text are left
out, and those of a chunk that gave nothing yet wait for the text that it was the beginning of.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any, TypeAlias

from agent.providers.base import JsonObject
from agent.providers.jsons import as_array, is_array, is_object
from parsing import Delta, TextDelta
from ui.gateway.told import Pieces, Tokens

_NEVER = -9999.0  # of a token that could not come; JSON has no infinity

Placed: TypeAlias = tuple[Delta, list[Any]]


class Logprobs:
    """Places them; it remembers those that wait."""

    def __init__(self) -> None:
        self._waiting: list[Any] = []

    def placed(self, pieces: Pieces) -> Iterator[Placed]:
        """Give each delta with its logprobs; a chunk ends where tokens are told."""
        chunk: list[Delta] = []
        for piece in pieces:
            if piece.delta is not None:
                chunk.append(piece.delta)
            if piece.tokens is not None:
                yield from self._chunk(chunk, piece.tokens)
                chunk = []
        yield from self._chunk(chunk, None)

    def _chunk(self, chunk: list[Delta], tokens: Tokens | None) -> Iterator[Placed]:
        waiting = self._waiting
        if tokens is not None:
            waiting = [*waiting, *written(tokens.logprobs)]
        self._waiting = [] if chunk else waiting
        texts = [at for at, delta in enumerate(chunk) if isinstance(delta, TextDelta)]
        for at, delta in enumerate(chunk):
            yield delta, waiting if texts and at == texts[-1] else []


def written(logprobs: object) -> list[JsonObject]:
    """Write `logprobs.content` of Chat Completions as the Responses API has it; no bytes are null.

    What is no logprob is left out.
    """
    return [
        {**_one(entry), "top_logprobs": [_one(top) for top in _known(entry.get("top_logprobs"))]}
        for entry in _known(logprobs)
    ]


def _known(entries: object) -> list[dict[str, Any]]:
    return [
        entry
        for entry in as_array(entries)
        if is_object(entry)
        and isinstance(entry.get("token"), str)
        and isinstance(entry.get("logprob"), int | float)
    ]


def _one(entry: dict[str, Any]) -> JsonObject:
    token: str = entry["token"]
    told: object = entry.get("bytes")
    spelled = told if is_array(told) else list(token.encode("utf-8", "replace"))
    value: float = entry["logprob"]
    return {"token": token, "logprob": value if isfinite(value) else _NEVER, "bytes": spelled}

"""Server-sent events as the Responses API numbers them: from 0, without a gap."""

from __future__ import annotations

import json
from collections.abc import Mapping
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

_NUMBER = ',"sequence_number":'


def compact(value: object) -> str:
    """Write JSON without spaces, in ASCII: a lone surrogate of a model stays an escape."""
    return json.dumps(value, separators=(",", ":"))


class Growth:
    """The events of text that grows at one place: all but the text is written once."""

    __slots__ = ("_head",)

    def __init__(self, kind: str, members: Mapping[str, Any]) -> None:
        self._head = f'{_head(kind)},{compact(members)[1:-1]},"delta":'

    def event(self, text: str, tail: str) -> str:
        """Write one, up to its number; `tail` begins with a comma or is empty."""
        return f"{self._head}{quoted(text)}{tail}{_NUMBER}"


class Events:
    """Gathers events until they are sent."""

    def __init__(self) -> None:
        self._next = 0
        self._waiting: list[str] = []

    def tell(self, kind: str, members: Mapping[str, Any]) -> None:
        """Add an event."""
        self.grow(f"{_head(kind)},{compact(members)[1:-1]}{_NUMBER}")

    def grow(self, begun: str) -> None:
        """Add an event that is written up to its number."""
        self._waiting.append(f"{begun}{self._next}}}\n\n")
        self._next += 1

    def given(self) -> bytes:
        """Give what was gathered since the last time."""
        waiting, self._waiting = self._waiting, []
        return "".join(waiting).encode("ascii")


def _head(kind: str) -> str:
    return f'event: {kind}\ndata: {{"type":"{kind}"'

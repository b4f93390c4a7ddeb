"""A text that grows at its end and gives any piece without being joined anew."""

from __future__ import annotations

from io import StringIO
from typing import Protocol


class Source(Protocol):
    """A text that gives its pieces."""

    def slice(self, start: int, end: int) -> str:
        """Give text[start:end]."""
        ...


class Whole:
    """A text at hand in one piece."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def slice(self, start: int, end: int) -> str:
        return self.text[start:end]


class Buffer:
    """All text so far, in chunks until a piece is asked for."""

    __slots__ = ("_folded", "_fresh", "_last", "_text", "put_by")

    def __init__(self) -> None:
        self._text = StringIO()
        self._folded = 0  # how much of the text lies in `_text`
        self._last = ""  # the piece folded last
        self._fresh: list[str] = []
        self.put_by = self._fresh.append

    def slice(self, start: int, end: int) -> str:
        """Give text[start:end]; the cost is that of the piece."""
        if self._fresh:
            self._fold()
        near = self._folded - len(self._last)
        if start >= near:
            return self._last[start - near : end - near]
        self._text.seek(start)
        return self._text.read(end - start) if end > start else ""

    def _fold(self) -> None:
        fresh = self._fresh
        self._last = fresh[0] if len(fresh) == 1 else "".join(fresh)
        fresh.clear()
        self._text.seek(self._folded)
        self._text.write(self._last)
        self._folded += len(self._last)

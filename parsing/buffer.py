"""A text that grows at its end and gives any piece without being joined anew."""

from __future__ import annotations

from io import StringIO
from typing import Protocol


class Source(Protocol):
    """A text that gives its pieces."""

    length: int  # in characters
    fresh: list[str]  # the last chunks, perhaps none

    def slice(self, start: int, end: int) -> str:
        """Give text[start:end]."""
        ...


class Whole:
    """A text at hand in one piece."""

    __slots__ = ("fresh", "length", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.length = len(text)
        self.fresh: list[str] = []

    def slice(self, start: int, end: int) -> str:
        return self.text[start:end]


class Buffer:
    """All text so far, in chunks until an older piece is asked for.

    Whoever feeds it calls `put_by` with each chunk and adds to `length`.
    """

    __slots__ = ("_folded", "_text", "fresh", "length", "put_by")

    def __init__(self) -> None:
        self.length = 0
        self._text = StringIO()
        self._folded = 0  # how much of the text lies in `_text`
        self.fresh: list[str] = []
        self.put_by = self.fresh.append

    def slice(self, start: int, end: int) -> str:
        """Give text[start:end]; the cost is that of the piece."""
        if self.fresh:
            last = self.fresh[-1]
            near = self.length - len(last)
            if start >= near:
                return last[start - near : end - near]
            if start >= self._folded and len(self.fresh) < 16:
                return "".join(self.fresh)[start - self._folded : end - self._folded]
            self._fold()
        self._text.seek(start)
        return self._text.read(end - start) if end > start else ""

    def _fold(self) -> None:
        piece = "".join(self.fresh)
        self.fresh.clear()
        self._text.seek(self._folded)
        self._text.write(piece)
        self._folded += len(piece)

"""A text that grows at its end and gives any piece without being joined anew."""

from __future__ import annotations

from io import StringIO


class Buffer:
    """All text so far."""

    __slots__ = ("_fresh", "_length", "_text", "put_by")

    def __init__(self) -> None:
        self._text = StringIO()
        self._fresh: list[str] = []
        self._length = 0
        self.put_by = self._fresh.append

    @property
    def length(self) -> int:
        """The text's length in characters."""
        if self._fresh:
            self._fold()
        return self._length

    def slice(self, start: int, end: int) -> str:
        """Give text[start:end]; the cost is that of the piece."""
        if self._fresh:
            self._fold()
        self._text.seek(start)
        return self._text.read(end - start) if end > start else ""

    def _fold(self) -> None:
        piece = "".join(self._fresh)
        self._fresh.clear()
        self._text.seek(self._length)
        self._text.write(piece)
        self._length += len(piece)

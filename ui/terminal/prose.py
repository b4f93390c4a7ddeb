"""The assistant's text as it streams: a line that has ended is styled once and never again.

Law: the work is linear in the text, however small the pieces in which it comes.
"""

from __future__ import annotations

import re

from ui.terminal.cells import wrap
from ui.terminal.styles import Fragment, Line

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"#{1,6} ")
_LIST = re.compile(r"(\s*)([-*+]|\d{1,3}[.)]) +")
_INLINE = re.compile(r"(`[^`]+`|\*\*[^*]+\*\*)")
_WIDEST = 120  # cells a line of prose takes at most on a screen
_UNBOUNDED = 1_000  # columns from which on it is no screen, and nothing is wrapped
_LONG = 4_000  # characters of one unfinished line that are kept open


class Prose:
    """Pieces in, finished lines out; the unfinished end can be looked at any time."""

    def __init__(self, name: str = "", indent: str = "") -> None:
        self._name = name
        self._indent = indent
        self._pieces: list[str] = []
        self._held = 0
        self._fence = ""
        self._began = False

    def feed(self, text: str, columns: int) -> list[Line]:
        """Take `text` in and give the lines it finished; blank lines in front are dropped."""
        if not self._began:
            text = text.lstrip("\n")
            if not text:
                return []
            self._began = True
        self._pieces.append(text)
        self._held += len(text)
        if "\n" not in text and self._held < _LONG:
            return []
        *ended, rest = self._take().split("\n")
        lines = [line for source in ended for line in self._line(source, columns)]
        if len(rest) >= _LONG:
            rows = wrap(rest, self._room(columns))
            lines += [self._plain(row) for row in rows[:-1]]
            rest = rows[-1]
        self._pieces, self._held = [rest], len(rest)
        return lines

    def open_lines(self, columns: int, rows: int) -> list[Line]:
        """Give the last `rows` rows of the line that has not ended."""
        rest = self._take()
        if not rest:
            return []
        self._pieces = [rest]
        fence = self._fence
        lines = self._line(rest, columns)
        self._fence = fence
        return lines[-rows:]

    def close(self, columns: int) -> list[Line]:
        """End the text; what was open becomes finished."""
        rest = self._take().rstrip("\n")
        self._pieces, self._held, self._began, fence = [], 0, False, self._fence
        lines = self._line(rest, columns) if rest.strip() else []
        self._fence = "" if rest or fence else self._fence
        return lines

    def _take(self) -> str:
        return "".join(self._pieces)

    def _room(self, columns: int) -> int:
        room = columns - 1 if columns > _UNBOUNDED else min(columns - 1, _WIDEST)
        return max(10, room - len(self._indent))

    def _plain(self, row: str) -> Line:
        return ((f"class:{self._name}" if self._name else "", self._indent + row),)

    def _line(self, source: str, columns: int) -> list[Line]:
        fence = _FENCE.match(source)
        if fence and not self._fence:
            self._fence = fence[1]
            return [(("class:dim", self._indent + source),)]
        if self._fence:
            ended = fence is not None and source.strip().startswith(self._fence)
            if ended:
                self._fence = ""
            return [(("class:dim" if ended else "class:code", self._indent + source),)]
        if self._name:
            return [self._plain(row) for row in wrap(source, self._room(columns))]
        return self._styled(source, columns)

    def _styled(self, source: str, columns: int) -> list[Line]:
        if heading := _HEADING.match(source):
            return [
                (("class:heading", self._indent + row),)
                for row in wrap(source, self._room(columns), " " * len(heading[0]))
            ]
        item = _LIST.match(source)
        hang = " " * len(item[0]) if item else ""
        return [
            ((("", self._indent), *_inline(row)) if self._indent else _inline(row))
            for row in wrap(source, self._room(columns), hang)
        ]


def _inline(row: str) -> Line:
    fragments: list[Fragment] = []
    for part in _INLINE.split(row):
        if part.startswith("`") and len(part) > 1:
            fragments.append(("class:code", part))
        elif part.startswith("**") and len(part) > 4:
            fragments.append(("class:strong", part))
        elif part:
            fragments.append(("", part))
    return tuple(fragments) or (("", ""),)

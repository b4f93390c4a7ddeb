"""Where a Markdown reader stands: in a fence, after an open backtick, or in plain prose.

Asked for places in order; each character is looked at a bounded number of times.
"""

from __future__ import annotations

import re

from parsing.buffer import Source

_FENCE = re.compile(r"\n[ \t]{0,3}(`{3,}|~{3,})([^\n]*)(?=\n)")
_TILDES = re.compile(r"[ \t]{0,3}~{3,}")
_RUN = re.compile("`+")


class Lines:
    """The line automaton that says whether a tag at a place is inert.

    A fence opens on a line of at most three blanks, three or more backticks or tildes and an
    info string (for backticks one without a backtick), and closes on a line of at least as many
    of the same and nothing else.  Inline code is an unclosed run of backticks on the line.
    """

    __slots__ = ("_fence", "_inert", "_line", "_run", "_seen", "_tildes")

    def __init__(self, start: int) -> None:
        self._line = start  # where the current line begins
        self._seen = start  # how far it was looked at
        self._fence = ""  # the marks that opened the fence the line stands in
        self._run = 0  # the length of the line's open run of backticks
        self._tildes = False  # the line begins with tildes that open a fence
        self._inert = False  # the answer at `_seen`

    def inert_at(self, source: Source, here: int) -> bool:
        """Say whether no tag counts at `here`, which never moves back."""
        if here != self._seen:
            self._inert = self._read(source, here)
        return self._inert

    def _read(self, source: Source, here: int) -> bool:
        piece = source.slice(self._seen, here)
        if (last := piece.rfind("\n")) >= 0:
            end = self._seen + last + 1
            begun = self._seen > self._line
            self._leap(source.slice(self._line, end) if begun else piece[: last + 1])
            self._line, self._run, self._tildes = end, 0, False
            piece = piece[last + 1 :]
        self._seen = here
        if self._fence:
            return True
        if "`" in piece:
            for run in _RUN.findall(piece):
                size = len(run)
                self._run = size if not self._run else 0 if self._run == size else self._run
        if "~" in piece:
            self._tildes = bool(_TILDES.match(source.slice(self._line, here)))
        return self._tildes or self._run > 0

    def _leap(self, lines: str) -> None:
        """Read whole lines."""
        if "```" not in lines and "~~~" not in lines:
            return
        for line in _FENCE.finditer(f"\n{lines}"):
            mark, info = line[1], line[2]
            if not self._fence:
                if mark[0] == "~" or "`" not in info:
                    self._fence = mark
            elif mark.startswith(self._fence) and not info.strip(" \t\r"):
                self._fence = ""

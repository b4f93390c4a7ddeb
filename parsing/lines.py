"""Where a Markdown reader stands: in a fence, after an open backtick, or in plain prose.

Text is given in order and each character is looked at once.
"""

from __future__ import annotations

import re

from parsing.buffer import Source

_FENCE = re.compile(r"\n[ \t]{0,3}(`{3,}|~{3,})([^\n]*)(?=\n)")
_TOKEN = re.compile(r"`+|~+|[^`~]+")


class Lines:
    """The line automaton that says whether a tag at this place is inert.

    A fence opens on a line of at most three blanks, three or more backticks or tildes and an
    info string (for backticks one without a backtick), and closes on a line of at least as many
    of the same and nothing else.  Inline code is an unclosed run of backticks on the line.
    """

    __slots__ = (
        "_before",
        "_char",
        "_count",
        "_fence",
        "_info",
        "_marked",
        "_pos",
        "_run",
        "_start",
    )

    def __init__(self, start: int) -> None:
        self._start = self._pos = start
        self._marked = False  # no backtick and no tilde yet: nothing to keep account of

    def inert_at(self, source: Source, here: int) -> bool:
        """Say whether no tag counts at `here`, which never moves back."""
        if not self._marked:
            piece = source.slice(self._pos, here)
            self._pos = here
            if "`" not in piece and "~" not in piece:
                return False
            self._marked, self._pos, self._fence = True, self._start, ""
            self._new_line()
        if self._pos < here:
            piece = source.slice(self._pos, here)
            if self._fence and len(piece) < 64 and "\n" not in piece:
                return True  # whatever this line will be, the fence is still open
            self._advance(piece)
            self._pos = here
        return bool(self._fence or self._run) or (self._char == "~" and self._count > 2)

    def _new_line(self) -> None:
        self._run = 0  # length of the open run of backticks on this line
        self._before = ""  # what stands before this line's first mark; longer than 3: no fence
        self._char = ""  # the line's first mark, when it can be a fence
        self._count = 0
        self._info = ""  # what follows the mark: "", " " (blanks), "x" (text)

    def _advance(self, piece: str) -> None:
        first, last = piece.find("\n"), piece.rfind("\n")
        if first < 0:
            self._grow(piece)
            return
        if first:
            self._grow(piece[:first])
        if self._char:
            self._end_line()
        if last > first:
            self._leap(piece, first, last)
        self._new_line()
        self._grow(piece[last + 1 :])

    def _grow(self, text: str) -> None:
        if "`" not in text and "~" not in text:
            self._place(text)
            return
        for token in _TOKEN.findall(text):
            if token[0] == "`" and not self._fence:
                size = len(token)
                self._run = size if not self._run else 0 if self._run == size else self._run
            self._place(token)

    def _place(self, token: str) -> None:
        if not token:
            return
        if not self._char:
            if token[0] in "`~" and len(self._before) < 4:
                self._char, self._count = token[0], len(token)
            elif token.strip(" \t") or len(self._before) > 3:
                self._before = "none"
            else:
                self._before += token[:4]
        elif token[0] == "`" and self._char == "`" and not self._fence:
            self._char = ""  # a backtick in the info string: not a fence
            self._before = "none"
        elif token.strip(" \t\r"):
            self._info = "x"

    def _end_line(self) -> None:
        if not self._char or self._count < 3:
            return
        if not self._fence:
            self._fence = self._char * self._count
        elif not self._info and self._closes(self._char, self._count):
            self._fence = ""

    def _closes(self, char: str, count: int) -> bool:
        return char == self._fence[0] and count >= len(self._fence)

    def _leap(self, piece: str, first: int, last: int) -> None:
        """Read the whole lines between two line feeds."""
        for line in _FENCE.finditer(piece, first, last + 1):
            mark, info = line[1], line[2]
            if not self._fence:
                if mark[0] == "~" or "`" not in info:
                    self._fence = mark
            elif self._closes(mark[0], len(mark)) and not info.strip(" \t\r"):
                self._fence = ""

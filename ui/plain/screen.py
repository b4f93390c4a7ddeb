"""A listener that writes the page of a task line by line; nothing is ever drawn again.

Law: what is written is the page the interactive terminal shows, so it was sanitised there.
"""

from __future__ import annotations

import shutil
import sys
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from ui.streams import colourful, is_terminal
from ui.terminal.styles import Line, glyphs
from ui.terminal.transcript import Transcript

if TYPE_CHECKING:
    from agent.events import Event

_CODES = {
    "accent": "36",
    "added": "32",
    "bad": "31",
    "code": "36",
    "dim": "2",
    "heading": "1",
    "hunk": "36",
    "key": "1",
    "mark": "1;36",
    "name": "1",
    "ok": "32",
    "reasoning": "2;3",
    "removed": "31",
    "strong": "1",
    "warn": "33",
}
_UNBOUNDED = 10_000  # no reader but a terminal wants its lines cut


class PlainScreen:
    """The page of a task on a stream."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._colour = colourful(self._stream)
        wide = is_terminal(self._stream)
        self._page = Transcript(
            glyphs(self._stream.encoding),
            monotonic,
            lambda: shutil.get_terminal_size().columns if wide else _UNBOUNDED,
        )

    def hear(self, event: Event) -> None:
        """Write what the event finished."""
        self._page.hear(event)
        self._write()

    def say(self, *lines: Line) -> None:
        """Write lines of the program's own."""
        self._page.say(list(lines))
        self._write()

    def _write(self) -> None:
        lines = self._page.take()
        if lines:
            self._stream.write("".join(f"{painted(line, colour=self._colour)}\n" for line in lines))
            self._stream.flush()


def painted(line: Line, *, colour: bool) -> str:
    """Give a styled line as text, with codes if they are wanted."""
    if not colour:
        return "".join(text for _, text in line).rstrip()
    return "".join(_painted(style, text) for style, text in line)


def _painted(style: str, text: str) -> str:
    codes = [_CODES[name] for name in style.replace("class:", "").split() if name in _CODES]
    return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes and text else text

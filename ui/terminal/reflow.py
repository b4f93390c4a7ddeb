"""What a narrower window does to the lines on the screen.

Most terminals break the lines anew when they get narrower, so that the open end takes more rows
than were drawn; some (xterm, the Linux console, GNU screen) cut the lines instead, and there the
rows above are the person's.  Terminals do not tell which they do, but their names are known.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from prompt_toolkit.application import Application

if TYPE_CHECKING:
    from prompt_toolkit.layout.screen import Screen

_MARKS = (
    *("TMUX", "VTE_VERSION", "KITTY_WINDOW_ID", "WEZTERM_PANE", "ALACRITTY_WINDOW_ID"),
    *("KONSOLE_VERSION", "WT_SESSION", "GHOSTTY_RESOURCES_DIR", "TERMINAL_EMULATOR"),
)
_PROGRAMS = frozenset(
    {"iTerm.app", "Apple_Terminal", "WezTerm", "ghostty", "vscode", "Hyper", "WarpTerminal"}
)


def reflows(environ: Mapping[str, str] = os.environ) -> bool:
    """Claim that this terminal breaks lines anew."""
    return any(environ.get(mark) for mark in _MARKS) or environ.get("TERM_PROGRAM") in _PROGRAMS


class Reflowing(Application[int]):
    """An application that finds its first row again after its lines were broken anew."""

    def _on_resize(self) -> None:
        screen = self.renderer.last_rendered_screen
        if screen is not None and reflows():
            cursor = screen.get_cursor_position(self.layout.current_window)
            more = rows_more(screen, cursor.y, cursor.x, self.output.get_size().columns)
            self.output.cursor_up(more)
        super()._on_resize()


def rows_more(screen: Screen, row: int, column: int, columns: int) -> int:
    """Count the rows that lines above the cursor, and its own up to it, take in addition."""
    more = column // max(1, columns)
    for y in range(row):
        used = max((x for x, cell in screen.data_buffer[y].items() if cell.char.strip()), default=0)
        more += used // max(1, columns)
    return more

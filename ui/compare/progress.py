"""A bar on the terminal's error stream, for work that takes a while.

Law: nothing is written where no person looks, nor for work that is soon done.
"""

from __future__ import annotations

import os
import shutil
import sys
from time import monotonic

from ui.streams import is_terminal

_SOON = 0.5  # seconds before the bar is first shown
_EACH = 0.1  # seconds from one drawing to the next
_WIDTH = 28


class Bar:
    """How much of the work is done, by weight."""

    def __init__(self, weight: int, messages: int) -> None:
        self._weight, self._messages = max(weight, 1), messages
        self._done = self._ended = 0
        self._began = self._drawn = monotonic()
        self._shown = False
        self._wanted = is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"

    def ended(self, weight: int, messages: int) -> None:
        """Count what was done to the end."""
        self._done += weight
        self._ended += messages
        self.within(0)

    def within(self, weight: int) -> None:
        """Show what is done of the part at work."""
        now = monotonic()
        if self._wanted and now - self._drawn >= (_EACH if self._shown else _SOON):
            self._drawn, self._shown = now, True
            self._draw(min((self._done + weight) / self._weight, 1.0), now - self._began)

    def clear(self) -> None:
        """Take the bar away."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        self._shown = False

    def _draw(self, part: float, seconds: float) -> None:
        full = round(part * _WIDTH)
        left = f", {_clock(seconds / part - seconds)} left" if part > 0.02 else ""
        words = f"{part:4.0%} {'█' * full}{'░' * (_WIDTH - full)} "
        words += f"{self._ended:,} of {self._messages:,} messages{left}"
        columns = shutil.get_terminal_size().columns
        print(f"\r\x1b[K{words[: max(columns - 1, 1)]}", end="", file=sys.stderr, flush=True)


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole} s" if whole < 100 else f"{whole // 60} min {whole % 60} s"

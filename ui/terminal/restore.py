"""The terminal as it was before us.

Law: one idempotent restore, called from `finally`, from the signal handlers' way out and at exit;
it writes codes only to a terminal that was drawn on.
"""

from __future__ import annotations

import atexit
import os
import sys

_CODES = (
    "\x1b[?25h\x1b[?7h\x1b[0m"  # cursor shown, lines wrapped, attributes off
    "\x1b[?2004l\x1b[?1004l"  # no bracketed paste, no focus reports
    "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l"  # no mouse reports
)


class Restorer:
    """Remembers how the terminal was set, and sets it so again."""

    def __init__(self, *, drawn: bool) -> None:
        self._drawn = drawn
        self._fd: int | None = None
        self._saved: list[int | list[bytes | int]] | None = None
        try:
            import termios

            fd = sys.stdin.fileno()
            if os.isatty(fd):
                self._saved, self._fd = termios.tcgetattr(fd), fd
        except (ImportError, OSError, ValueError, AttributeError):
            return
        atexit.register(self.restore)

    def restore(self) -> None:
        """Undo everything that was done to the terminal; more than once does no harm."""
        if self._fd is None or self._saved is None:
            return
        import termios

        fd, self._fd = self._fd, None
        atexit.unregister(self.restore)
        try:
            if self._drawn:
                os.write(sys.stdout.fileno(), _CODES.encode("ascii"))
            termios.tcsetattr(fd, termios.TCSADRAIN, self._saved)
        except (OSError, ValueError, termios.error):
            return  # the terminal has gone away: nothing is left to restore

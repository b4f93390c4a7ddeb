"""The way into a session and out of it: signals, the terminal's state, the last words.

Law: whichever way a session ends, the terminal is as it was, and no command of ours still runs.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ui.sanitise import one_line
from ui.streams import colourful, is_terminal
from ui.terminal.prompt import open_history
from ui.terminal.restore import Restorer
from ui.terminal.screen import steady_output
from ui.terminal.session import Session
from ui.terminal.styles import glyphs

if TYPE_CHECKING:
    from ui.terminal.dumb import DumbSession
    from ui.terminal.engine import Opener
    from ui.terminal.recap import Recap
    from ui.terminal.status import Standing

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


def converse(
    standing: Standing,
    opener: Opener,
    *,
    first: str | None = None,
    past: Recap | None = None,
    history: Path | None = None,
) -> int:
    """Run a session on this terminal and give the exit code."""
    restorer = Restorer(drawn=capable())
    session = _session(standing, opener, history)
    try:
        code = asyncio.run(_run(session, first, past))
    finally:
        restorer.restore()
    say_farewell(session.session_id)
    return code


def _session(standing: Standing, opener: Opener, history: Path | None) -> Session | DumbSession:
    if not capable():
        from ui.terminal.dumb import DumbSession

        return DumbSession(standing, opener)
    colour = colourful(sys.stdout)
    return Session(
        standing,
        opener,
        open_history(history),
        steady_output(sys.stdout, colour=colour),
        glyphs(sys.stdout.encoding),
        colour=colour,
    )


def capable() -> bool:
    """Claim that this terminal can be drawn on."""
    return (
        is_terminal(sys.stdin)
        and is_terminal(sys.stdout)
        and os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")
    )


def say_farewell(session_id: str | None) -> None:
    """Tell how to come back, off the answer's stream."""
    if session_id:
        print(f"To go on: tagline --resume {one_line(session_id)}", file=sys.stderr)


@contextmanager
def signals_end(leave: Callable[[int], None]) -> Generator[None]:
    """Turn the signals that end a program into an orderly leaving, while the loop runs."""
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number in _SIGNALS:
        loop.add_signal_handler(number, leave, 128 + number)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)


async def _run(session: Session | DumbSession, first: str | None, past: Recap | None) -> int:
    with signals_end(session.leave):
        return await session.run(first, past)

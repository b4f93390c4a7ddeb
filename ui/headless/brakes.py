"""What can stop a run from outside: a signal, the clock, or a reader that has gone away.

Law: the run is asked to end first, so that commands are ended and all is recorded; who asks twice
is obeyed at once.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from ui.exits import Exit

if TYPE_CHECKING:
    from agent.events import End, Event

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Brakes:
    """Interrupts a run, and remembers why."""

    def __init__(self) -> None:
        self._interrupt: Callable[[], None] | None = None
        self._task: asyncio.Task[object] | None = None
        self._why: signal.Signals | float | BrokenPipeError | None = None

    @contextmanager
    def on(self, interrupt: Callable[[], None], timeout_s: float | None) -> Generator[None]:
        """Listen to signals and the clock while the run goes on."""
        loop = asyncio.get_running_loop()
        self._interrupt, self._task = interrupt, asyncio.current_task()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self._stop, number)
        clock = loop.call_later(timeout_s, self._stop, timeout_s) if timeout_s else None
        try:
            yield
        except asyncio.CancelledError:
            if self._why is None:
                raise
        finally:
            if clock is not None:
                clock.cancel()
            for number in _SIGNALS:
                loop.remove_signal_handler(number)

    def guarded(self, hear: Callable[[Event], None]) -> Callable[[Event], None]:
        """Give a listener that stops the run when nobody reads what it writes."""

        def listen(event: Event) -> None:
            if isinstance(self._why, BrokenPipeError):
                return
            try:
                hear(event)
            except BrokenPipeError as error:
                self._stop(error)

        return listen

    def judged(self, end: End) -> End:
        """Give the end with the reason we know and the agent does not."""
        match self._why:
            case BrokenPipeError():
                raise self._why
            case signal.Signals():
                words = _words(self._why) if end.status == "interrupted" else end.result
                code = 128 + self._why
                return replace(end, status="interrupted", result=words, exit_code=code)
            case float() if end.status == "interrupted":
                words = f"The time limit of {self._why:g} s was reached."
                return replace(end, status="limit", result=words, exit_code=Exit.LIMIT)
            case _:
                return end

    def _stop(self, why: signal.Signals | float | BrokenPipeError) -> None:
        again, self._why = self._why is not None, self._why or why
        if again and self._task is not None:
            self._task.cancel()
        elif self._interrupt is not None:
            self._interrupt()


def _words(number: signal.Signals) -> str:
    if number is signal.SIGINT:
        return "Interrupted (Ctrl-C, SIGINT); what came is kept."
    return f"Ended by {number.name}; what came is kept."

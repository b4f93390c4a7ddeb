"""Says that a model has not answered yet, so that silence is no riddle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from agent.events import Event, Retried, TaskStarted, TurnStarted

if TYPE_CHECKING:
    from agent import Config

_FIRST_S, _NEXT_S = 10.0, 60.0


class Patience:
    """A clock from each request to the first thing that is heard of its answer."""

    def __init__(
        self, limit_s: float, tell: Callable[[str], None], pauses: tuple[float, float] | None = None
    ) -> None:
        self._limit_s, self._tell = limit_s, tell
        self._first_s, self._next_s = pauses or (_FIRST_S, _NEXT_S)
        self._clock: asyncio.TimerHandle | None = None

    def hear(self, event: Event) -> None:
        """Start at a request, and at its repetition; stop at anything else."""
        self.stop()
        match event:
            case TurnStarted() | TaskStarted():
                self._wait(self._first_s, self._first_s)
            case Retried(_, delay_s):
                self._wait(self._first_s + delay_s, self._first_s)
            case _:
                pass

    def stop(self) -> None:
        """Say nothing more."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _wait(self, pause_s: float, waited_s: float) -> None:
        loop = asyncio.get_running_loop()
        self._clock = loop.call_later(pause_s, self._tell_of, waited_s)

    def _tell_of(self, waited_s: float) -> None:
        limit = f"limit first_token_timeout = {self._limit_s:g}"
        self._tell(f"waiting for the model ({waited_s:g} s; {limit})")
        self._wait(self._next_s, waited_s + self._next_s)


def first_token_limit(config: Config) -> float:
    """Give the seconds after which a server that says nothing is given up."""
    from agent.providers.registry import ROWS
    from agent.providers.settings import on_loopback

    row = ROWS.get(config.provider)
    where = config.base_url or (row.base_url if row else None) or ""
    return config.settings.timeouts.at(loopback=on_loopback(where)).first_token

"""The limits of one answer: until its first token, and between what comes after."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from agent.errors import Stalled
from agent.providers.base import StreamItem, Usage
from agent.providers.settings import Limits

T = TypeVar("T")
_AFTER_END_S = 5.0  # for usage and [DONE], once the finish reason was told


class Watch:
    """A clock over one answer; whoever reads it says what came and when the end is near."""

    def __init__(self, limits: Limits, url: str) -> None:
        self._limits = limits
        self._url = url
        self._loop = asyncio.get_running_loop()
        self._first = self._loop.time() + limits.first_token
        self._begun = False
        self._idle = limits.idle
        self._until = self._first
        self._timer: asyncio.TimerHandle | None = None
        self._waiting: asyncio.Task[object] | None = None
        self._passed = False

    def note(self, item: StreamItem) -> None:
        """Take down an item: from the first one on (usage is none) the idle limit holds."""
        self._begun = self._begun or not isinstance(item, Usage)

    def begin(self) -> None:
        """Take it that the first token has come."""
        self._begun = True

    def ending(self, limit_s: float = _AFTER_END_S) -> None:
        """Take it that the end is near: what follows comes within the limit or not at all."""
        self._begun = True
        self._idle = min(self._limits.idle, limit_s)

    async def wait(self, coming: Awaitable[T]) -> T:
        """Wait for what is coming; raises Stalled when it does not come within the limit.

        One timer serves all waits of an answer: it goes off only where one may have lasted too
        long.  `close` takes it back.
        """
        loop = self._loop
        self._until = loop.time() + self._idle if self._begun else self._first
        if self._timer is None or self._until < self._timer.when():
            self.close()
            self._timer = loop.call_at(self._until, self._look)
        task = self._waiting = asyncio.current_task(loop)
        cancelling = task.cancelling() if task else 0
        try:
            return await coming
        except asyncio.CancelledError:
            if not self._passed or (task and task.uncancel() > cancelling):
                raise
            raise self._stalled() from None
        finally:
            self._waiting = None

    def close(self) -> None:
        """Take the timer back; the answer is over."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """See whether the limit has passed for whoever waits."""
        self._timer = None
        if self._waiting is None:
            return
        if self._loop.time() < self._until:
            self._timer = self._loop.call_at(self._until, self._look)
        else:
            self._passed = True
            self._waiting.cancel()

    def _stalled(self) -> Stalled:
        if self._begun:
            return Stalled(
                f"{self._url} stopped in the middle of its answer: nothing came for "
                f"{self._idle:g} s. If the server is only slow, raise idle_timeout.",
                "idle",
                self._idle,
            )
        return Stalled(
            f"{self._url} sent no first token within {self._limits.first_token:g} s. If it is "
            "still reading the prompt (a local prefill takes minutes), raise first_token_timeout.",
            "first_token",
            self._limits.first_token,
        )

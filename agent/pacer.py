"""Gathers chunks while reading them is dear, so that a long message keeps up with its stream.

Law: what came is read at the latest after four times what the last reading cost; a cheap reading
(every short message) is never put off.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import thread_time

CHEAP_S = 0.005
SHARE = 4


class Pacer:
    """Hands text on to `read`, chunk by chunk or gathered.

    `failed` is told what was raised by a reading that nobody waited for.
    """

    def __init__(
        self,
        read: Callable[[str], None],
        failed: Callable[[BaseException], None],
        clock: Callable[[], float] = thread_time,
    ) -> None:
        self._read, self._failed, self._clock = read, failed, clock
        self._waiting: list[str] = []
        self._timer: asyncio.TimerHandle | None = None
        self._not_before = 0.0

    def add(self, chunk: str) -> None:
        """Take a chunk, and read it now or soon."""
        self._waiting.append(chunk)
        loop = asyncio.get_running_loop()
        if loop.time() >= self._not_before:
            self.flush()
        elif self._timer is None:
            self._timer = loop.call_at(self._not_before, self._flush_late)

    def flush(self) -> None:
        """Read what waits."""
        self.stop()
        chunk = "".join(self._waiting)
        self._waiting.clear()
        if not chunk:
            return
        begun = self._clock()
        self._read(chunk)
        cost = self._clock() - begun
        if cost >= CHEAP_S:
            self._not_before = asyncio.get_running_loop().time() + SHARE * cost

    def stop(self) -> None:
        """Let nothing be read later."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _flush_late(self) -> None:
        try:
            self.flush()
        except BaseException as bug:
            self._failed(bug)

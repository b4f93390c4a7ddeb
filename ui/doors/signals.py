"""A coroutine that a signal ends the orderly way: cancelled, so that commands end with it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import TypeVar

from ui.exits import Signalled

T = TypeVar("T")
_SIGNALS = (signal.SIGTERM, signal.SIGHUP)  # SIGINT is cancelled by asyncio itself


async def until_signal(work: Coroutine[object, object, T]) -> T:
    """Await the work; raises Signalled when a signal cancelled it."""
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
    came: list[int] = []

    def end(number: int) -> None:
        came.append(number)
        task.cancel()

    for number in _SIGNALS:
        loop.add_signal_handler(number, end, number)
    try:
        return await task
    except asyncio.CancelledError:
        if came:
            raise Signalled(came[0]) from None
        raise

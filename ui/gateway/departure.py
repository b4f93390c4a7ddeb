"""The end of an exchange that comes from outside: the client leaves, or the gateway closes."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Literal, Self

from starlette.types import Receive

from ui.gateway.faults import CLOSING, Left, Refused

Why = Literal["left", "closing"]


class Departure:
    """Cancels what is done inside it when the client leaves, or when all is closed."""

    def __init__(self, receive: Receive, among: set[Departure]) -> None:
        self._receive = receive
        self._among = among
        self._task: asyncio.Task[object] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._why: Why | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.current_task()
        self._watching = asyncio.create_task(self._watch())
        self._among.add(self)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self._among.discard(self)
        task, self._task = self._task, None
        if self._watching is not None:
            self._watching.cancel()
        if self._why is None or task is None:
            return False
        if kind is None:
            with suppress(asyncio.CancelledError):  # it was asked for, and did not come yet
                await asyncio.sleep(0)
        task.uncancel()
        return kind is None or issubclass(kind, asyncio.CancelledError)

    def end(self, why: Why) -> None:
        """Cancel what is done inside."""
        if self._task is not None and self._why is None:
            self._why = why
            self._task.cancel()

    def tell(self) -> None:
        """Say afterwards that it came to that: raises Left, or Refused with CLOSING."""
        match self._why:
            case "left":
                raise Left
            case "closing":
                raise Refused(CLOSING)
            case None:
                pass

    async def _watch(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.end("left")


class Departures:
    """All that are open, to be ended at once."""

    def __init__(self) -> None:
        self._open: set[Departure] = set()
        self.closing = False

    def watching(self, receive: Receive) -> Departure:
        """Watch one client."""
        return Departure(receive, self._open)

    def close(self) -> None:
        """End all, and those to come."""
        self.closing = True
        for one in list(self._open):
            one.end("closing")

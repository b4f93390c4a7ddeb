"""Answers on their way to a client: whole ones, and streams of events."""

from __future__ import annotations

import asyncio
import json
import math

from starlette.types import Send

from agent.providers.base import JsonObject
from ui.gateway.client import Fault

_STREAM = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]
_MOST_HELD = 1000  # events
_LAST = 408  # after it a connection is not used again


async def send_json(send: Send, body: JsonObject, fault: Fault | None = None) -> None:
    """Send a whole answer, or an error."""
    data = json.dumps(body, separators=(",", ":")).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(data)).encode()),
    ]
    status = 200
    if fault is not None:
        status = fault.status
        headers += _said(fault)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": data, "more_body": False})


def _said(fault: Fault) -> list[tuple[bytes, bytes]]:
    said: list[tuple[bytes, bytes]] = []
    if fault.retry_after is not None:
        said.append((b"retry-after", str(max(1, math.ceil(fault.retry_after))).encode()))
    if fault.status == 401:
        said.append((b"www-authenticate", b"Bearer"))
    if fault.status == _LAST:
        said.append((b"connection", b"close"))
    return said


class EventStream:
    """A stream of events; while nothing is written a comment now and then keeps it open.

    What is written first in a turn of the event loop is sent at once, what comes in the same turn
    after it: the events that an upstream sent together go out together, and none waits for more.
    """

    def __init__(self, send: Send, every_s: float) -> None:
        self._send = send
        self._every = every_s
        self._loop = asyncio.get_running_loop()
        self._quiet = True
        self._sent = False  # something, in this turn
        self._held: list[bytes] = []
        self._sending: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.begun = False

    async def write(self, data: bytes) -> None:
        """Write whole events; what comes first begins the answer."""
        self._quiet = False
        if self._sent or self._sending is not None:
            self._held.append(data)
            if self._sending is not None or len(self._held) >= _MOST_HELD:
                await self._settle()
            return
        if not self.begun:
            self.begun = True
            await self._send({"type": "http.response.start", "status": 200, "headers": _STREAM})
            self._arm()
        self._sent = True
        self._loop.call_soon(self._turned)
        await self._put(data)

    async def end(self) -> None:
        """End the answer."""
        self.rest()
        await self._settle()
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    def rest(self) -> None:
        """Write no more comments."""
        if self._timer is not None:
            self._timer.cancel()

    async def _put(self, data: bytes) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def _settle(self) -> None:
        """Wait until all that is held was taken."""
        while self._sending is not None or self._held:
            if self._sending is None:
                self._flush()
            else:
                await asyncio.wait({self._sending})  # whoever is cancelled here cancels no sending

    def _turned(self) -> None:
        self._sent = False
        if self._held and self._sending is None:
            self._flush()

    def _flush(self) -> None:
        data, self._held = b"".join(self._held), []
        self._sending = self._loop.create_task(self._put(data))
        self._sending.add_done_callback(self._was_sent)

    def _was_sent(self, task: asyncio.Task[None]) -> None:
        self._sending = None
        if not task.cancelled():
            task.exception()  # a send that failed is a client that left, and is told as that
        if self._held:
            self._flush()

    def _arm(self) -> None:
        self._timer = self._loop.call_later(self._every, self._tick)

    def _tick(self) -> None:
        if self._quiet and self._sending is None:
            self._held.append(b": \n\n")
            self._flush()
        self._quiet = True
        self._arm()

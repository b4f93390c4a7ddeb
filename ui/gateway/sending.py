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
_LAST = frozenset({408, 413})  # statuses after which a connection is not used again


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
    if fault.status in _LAST:
        said.append((b"connection", b"close"))
    return said


class EventStream:
    """A stream of events; while nothing is written a comment now and then keeps it open."""

    def __init__(self, send: Send, every_s: float) -> None:
        self._send = send
        self._every = every_s
        self._quiet = True
        self._writing = False
        self._timer: asyncio.TimerHandle | None = None
        self._beating: asyncio.Task[None] | None = None
        self.begun = False

    async def write(self, data: bytes) -> None:
        """Write whole events; what comes first begins the answer."""
        if not self.begun:
            self.begun = True
            await self._send({"type": "http.response.start", "status": 200, "headers": _STREAM})
            self._arm()
        self._quiet = False
        self._writing = True
        await self._send({"type": "http.response.body", "body": data, "more_body": True})
        self._writing = False

    async def end(self) -> None:
        """End the answer."""
        self.rest()
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    def rest(self) -> None:
        """Write no more comments."""
        if self._timer is not None:
            self._timer.cancel()
        if self._beating is not None:
            self._beating.cancel()

    def _arm(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._every, self._tick)

    def _tick(self) -> None:
        idle = self._beating is None or self._beating.done()
        if self._quiet and idle and not self._writing:
            self._beating = asyncio.get_running_loop().create_task(self._beat())
        self._quiet = True
        self._arm()

    async def _beat(self) -> None:
        await self._send({"type": "http.response.body", "body": b": \n\n", "more_body": True})

"""One route of the gateway: a request of one client's protocol, and its answer.

Law: an answer that has not begun fails as plain HTTP, one that has as its protocol says; whoever
leaves closes the upstream's stream.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from starlette.types import Receive, Scope, Send

from agent.errors import StreamBroken
from agent.providers.base import JsonObject
from parsing import CallBegan
from ui.gateway.asked import Ask
from ui.gateway.client import Answer, ClientProtocol, Fault
from ui.gateway.departure import Departures
from ui.gateway.faults import CLOSING, Left, Refused, fault_of
from ui.gateway.heard import Prepared, Upstream
from ui.gateway.keys import check
from ui.gateway.limits import Places, read_object
from ui.gateway.metrics import Metrics
from ui.gateway.sending import EventStream, send_json
from ui.gateway.settings import Settings
from ui.gateway.told import Ended, Pieces

Run: TypeAlias = Callable[[Prepared, Upstream], AsyncGenerator[Pieces | Ended, None]]
_LEFT = 499  # the word of nginx for a client that did not wait


class Prepares(Protocol):
    """What makes a request ready for the upstream."""

    def prepare(self, ask: Ask) -> Prepared:
        """Raises BadRequest."""
        ...


@dataclass(frozen=True, slots=True)
class Gateway:
    """What all routes share."""

    settings: Settings
    preparer: Prepares
    upstream: Upstream
    run: Run
    places: Places
    metrics: Metrics = field(default_factory=Metrics)
    departures: Departures = field(default_factory=Departures)


class Exchange:
    """The route of one protocol, as an ASGI application."""

    def __init__(self, protocol: ClientProtocol, gateway: Gateway) -> None:
        self._protocol = protocol
        self._gateway = gateway

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        gateway = self._gateway
        begun = time.monotonic()
        try:
            check(gateway.settings.api_key, scope["headers"])
            if gateway.departures.closing:
                raise Refused(CLOSING)
            with gateway.places.taking(), gateway.metrics.open.track_inprogress():
                status = await self._answered(scope, receive, send, begun)
        except Left:
            status = _LEFT
        except Exception as error:
            fault = self._counted(fault_of(error))
            status = fault.status
            await send_json(send, self._protocol.error(fault), fault)
        gateway.metrics.requests.labels(self._protocol.name, str(status)).inc()

    async def _answered(self, scope: Scope, receive: Receive, send: Send, begun: float) -> int:
        body = await read_object(receive, scope["headers"], self._gateway.settings)
        ask = self._protocol.asked(body)
        prepared = self._gateway.preparer.prepare(ask)
        answering = _Answering(self._gateway, self._protocol.answer(ask), prepared, begun)
        try:
            if ask.stream:
                return await self._streamed(answering, receive, send)
            await send_json(send, await answering.whole(receive))
            return 200
        finally:
            answering.count()

    async def _streamed(self, answering: _Answering, receive: Receive, send: Send) -> int:
        stream = EventStream(send, self._gateway.settings.keep_alive_s)
        status = 200
        try:
            await answering.stream(receive, stream)
        except Left:
            raise
        except Exception as error:
            if not stream.begun:
                raise
            fault = self._counted(fault_of(error))
            status = fault.status
            await stream.write(answering.answer.failed(fault))
        finally:
            stream.rest()
        await stream.end()
        return status

    def _counted(self, fault: Fault) -> Fault:
        self._gateway.metrics.faults.labels(fault.kind).inc()
        return fault


class _Answering:
    """The answer to one request while it comes."""

    def __init__(self, gateway: Gateway, answer: Answer, prepared: Prepared, begun: float) -> None:
        self.answer = answer
        self._gateway = gateway
        self._prepared = prepared
        self._begun = begun
        self._chunks = 0
        self._calls = 0

    async def stream(self, receive: Receive, stream: EventStream) -> None:
        """Write what comes; raises Left, Refused, and what the upstream raises."""
        answer = self.answer
        async with (
            self._gateway.departures.watching(receive) as departure,
            aclosing(self._gateway.run(self._prepared, self._gateway.upstream)) as items,
        ):
            async for item in items:
                if not stream.begun:
                    await stream.write(answer.begin())
                if isinstance(item, Ended):
                    await stream.write(answer.ended(item))
                    break
                self._note(item)
                if data := answer.told(item):
                    await stream.write(data)
        departure.tell()

    async def whole(self, receive: Receive) -> JsonObject:
        """Gather what comes; raises as `stream` does."""
        pieces: Pieces = []
        end: Ended | None = None
        async with (
            self._gateway.departures.watching(receive) as departure,
            aclosing(self._gateway.run(self._prepared, self._gateway.upstream)) as items,
        ):
            async for item in items:
                if isinstance(item, Ended):
                    end = item
                    break
                self._note(item)
                pieces.extend(item)
        departure.tell()
        if end is None:
            raise StreamBroken("The upstream's answer has no end.")
        return self.answer.whole(pieces, end)

    def count(self) -> None:
        """Add what was told to the gateway's counts."""
        self._gateway.metrics.chunks.inc(self._chunks)
        self._gateway.metrics.calls.inc(self._calls)

    def _note(self, pieces: Pieces) -> None:
        if not self._chunks:
            self._gateway.metrics.first.observe(time.monotonic() - self._begun)
        self._chunks += 1
        for told in pieces:
            if type(told.delta) is CallBegan:
                self._calls += 1

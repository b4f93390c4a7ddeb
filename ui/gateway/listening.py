"""The gateway's HTTP server: uvicorn, and the limits that it lacks.

Law: a client that stops sending in its head, or stops taking what is sent, is dropped in time; a
signal ends what is open with a word, and then the server.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Any

import h11
import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from agent.errors import ConfigError
from ui.gateway.departure import Departures
from ui.gateway.settings import Settings

_KEEP_ALIVE_S = 75
_GRACE_S = 3
_UNREAD_S = 60.0  # for a client that takes nothing, where no idle time is set
_BACKLOG = 1024
_ANSWERING = (h11.SEND_RESPONSE, h11.SEND_BODY)


def bound(host: str, port: int) -> socket.socket:
    """Listen at an address; raises ConfigError in words."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(_BACKLOG)
    except OSError as error:
        made.close()
        raise ConfigError(
            f"cannot listen at {host}:{port}: {error.strerror or error}. Choose another --port "
            "(0: any that is free) or --host."
        ) from error
    made.setblocking(False)
    return made


def server(application: Starlette, settings: Settings, ready: Callable[[], None]) -> uvicorn.Server:
    """Make a server; a signal that ends it is raised again when all is closed."""
    header_s, unread_s = settings.header_timeout_s, settings.idle_timeout_s or _UNREAD_S

    class Limited(_Limited):
        head_s = header_s
        taking_s = unread_s

    config = uvicorn.Config(
        application,
        http=Limited,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=_GRACE_S,
    )
    return _Server(config, application.state.gateway.departures, ready)


class _Server(uvicorn.Server):
    """A server that says when it listens, and ends what is open before it closes."""

    def __init__(
        self, config: uvicorn.Config, departures: Departures, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._departures = departures
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._departures.close()
        await super().shutdown(sockets)


class _Limited(H11Protocol):
    """A connection that is dropped when its client stands still."""

    head_s = 10.0
    taking_s = _UNREAD_S

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._head: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None
        self._left = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        if self._head is None and self.conn.their_state is h11.IDLE:
            self._expect_head()
        super().data_received(data)
        if self._head is not None and self.conn.our_state in _ANSWERING:
            self._head.cancel()
            self._head = None

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._head, self._taking):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._taking is None:
            self._expect_taking()

    def resume_writing(self) -> None:
        if self._taking is not None and not self.transport.is_closing():
            self._taking.cancel()
            self._taking = None
        super().resume_writing()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # the rest of a body that was refused, and what has come of the next head, have no longer
        coming = self.conn.their_state is h11.SEND_BODY or self.conn.trailing_data[0]
        if coming and self._head is None and self.conn.our_state not in _ANSWERING:
            self._expect_head()
        self._expect_last()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._expect_last()

    def shutdown(self) -> None:
        super().shutdown()
        self._expect_last()

    def _expect_head(self) -> None:
        self._head = self.loop.call_later(self.head_s, self._no_head)

    def _no_head(self) -> None:
        self._head = None
        self.transport.abort()

    def _expect_last(self) -> None:
        """See that a connection which is closed is not kept by what its client does not take."""
        if self.transport.is_closing() and self._taking is None:
            self._expect_taking()

    def _expect_taking(self) -> None:
        self._left = self.transport.get_write_buffer_size()
        self._taking = self.loop.call_later(self.taking_s, self._not_taking)

    def _not_taking(self) -> None:
        self._taking = None
        left = self.transport.get_write_buffer_size()
        if left and left >= self._left:
            logging.getLogger("tagline.gateway").warning("dropped a client that took nothing")
            self.transport.abort()
        elif left:
            self._expect_taking()

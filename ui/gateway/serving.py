"""The gateway put together: from settings to a server that runs until a signal."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from agent.errors import ConfigError
from parsing import AUTO
from ui.gateway.app import application
from ui.gateway.asked import Ask
from ui.gateway.chat import CHAT
from ui.gateway.heard import Prepared
from ui.gateway.listening import bound, server
from ui.gateway.messages import MESSAGES
from ui.gateway.prepare import Preparer
from ui.gateway.responses import RESPONSES
from ui.gateway.servers import detected, server_called
from ui.gateway.settings import Settings
from ui.gateway.upstream import Served

PROTOCOLS = (CHAT, RESPONSES, MESSAGES)
_LONGEST_S = 60.0
_ANY = "plain"
_LOG = logging.getLogger("tagline.gateway")


async def serve(settings: Settings, listening: Callable[[int], None]) -> None:
    """Serve until a signal, which is raised again; `listening` is told the port.

    Raises ConfigError before that.
    """
    upstream, finder = Served(settings), Finder(settings)
    there = bound(settings.host, settings.port)
    try:
        await finder.look()
        made = application(settings, finder, upstream, PROTOCOLS)
        looking = asyncio.create_task(finder.look_again())
        port = there.getsockname()[1]
        await server(made, settings, lambda: listening(port)).serve(sockets=[there])
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking
    finally:
        there.close()


class Finder:
    """Prepares requests for the server that is there, once it has said what it is."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._found = settings.server != AUTO
        self._preparer = Preparer(settings, server_called(settings.server if self._found else _ANY))

    def prepare(self, ask: Ask) -> Prepared:
        """Make a request ready; raises BadRequest."""
        return self._preparer.prepare(ask)

    async def look(self) -> None:
        """Ask the upstream what it is; raises ConfigError where the settings do not fit it."""
        key = self._settings.upstream_key
        headers = {"authorization": f"Bearer {key.reveal()}"} if key else {}
        if self._found:
            return
        told = await detected(self._settings.upstream, headers=headers)
        if told.kind != _ANY or told.models:
            self._found = True
            self._preparer = Preparer(self._settings, told)

    async def look_again(self) -> None:
        """Ask an upstream that does not answer yet, ever more rarely."""
        wait_s = 1.0
        while not self._found:
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_S)
            try:
                await self.look()
            except ConfigError as error:
                _LOG.error("%s", error)

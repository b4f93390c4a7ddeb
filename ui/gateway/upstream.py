"""A real server as the upstream: one request, one stream, over connections that are shared.

Law: whoever leaves the stream closes the upstream's connection; no key is in any message.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from agent.errors import ProviderError
from agent.providers.base import JsonObject
from agent.providers.endpoint import target, url
from agent.providers.registry import Row
from agent.providers.settings import ProviderSettings, Timeouts
from agent.providers.sse import SentEvent
from agent.providers.watch import Watch
from agent.providers.wire import Pool, Target, Wire
from ui.gateway.heard import Heard, Prepared
from ui.gateway.hearing import Hearing
from ui.gateway.servers import api_base
from ui.gateway.settings import Settings

_ROW = Row("upstream", "")
_CHAT, _COMPLETIONS = "/chat/completions", "/completions"
_AFTER_DONE_S = 0.2  # for the end of the body, so that the connection can be used again


class Served:
    """A server with Chat Completions, and Completions for prompts that are written already."""

    def __init__(self, settings: Settings) -> None:
        """Check the address and the key; raises ConfigError."""
        asked = ProviderSettings(
            kind=_ROW.kind,
            model=settings.model or "(the client's)",
            base_url=api_base(settings.upstream),
            api_key=settings.upstream_key,
            timeouts=Timeouts(None, settings.first_token_timeout_s, settings.idle_timeout_s),
        )
        key = settings.upstream_key
        headers = {"authorization": f"Bearer {key.reveal()}"} if key else {}
        self._targets = {
            path: target(asked, _ROW, url(asked, _ROW, path), headers)
            for path in (_CHAT, _COMPLETIONS)
        }
        self._pool = Pool(self._targets[_CHAT])

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()

    async def stream(self, prepared: Prepared) -> AsyncGenerator[Heard, None]:
        """Ask the server; the last one heard has the finish reason, and the usage if there is one.

        Raises ProviderError, whatever was heard before; what breaks after the answer's own end
        costs the usage at most.
        """
        there = self._target(prepared.body)
        wire, hearing = Wire(there, pool=self._pool), Hearing(there.place)
        watch = wire.watch()
        async with aclosing(wire.reads(prepared.body, watch)) as reads:
            while events := await _next(reads, hearing):
                for heard in hearing.read(events):
                    yield heard
                _note(watch, hearing)
        yield hearing.end()

    def _target(self, body: JsonObject) -> Target:
        there = self._targets[_COMPLETIONS if "prompt" in body else _CHAT]
        model = body.get("model")
        if not isinstance(model, str) or model == there.place.model:
            return there
        return replace(there, place=replace(there.place, model=model))


async def _next(
    reads: AsyncGenerator[list[SentEvent], None], hearing: Hearing
) -> list[SentEvent] | None:
    """Give the events of the next read; nothing at the end."""
    try:
        return await anext(reads, None)
    except ProviderError as fault:
        if not hearing.forgives(fault):
            raise
        return None


def _note(watch: Watch, hearing: Hearing) -> None:
    if hearing.done:
        watch.ending(_AFTER_DONE_S)
    elif hearing.ended:
        watch.ending()
    elif hearing.begun:
        watch.begin()

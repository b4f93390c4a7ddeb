"""The models that the upstream lists, asked for now and then."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from agent.errors import StreamBroken
from agent.providers.base import JsonObject
from agent.providers.endpoint import target, url
from agent.providers.jsons import as_array, as_object, is_object
from agent.providers.registry import Row
from agent.providers.settings import ProviderSettings
from agent.providers.wire import Wire
from ui.gateway.servers import api_base
from ui.gateway.settings import Settings

_ROW = Row("upstream", "")
_KEPT_S = 5.0
_LIMIT_S = 5.0


class Models:
    """What the upstream serves; what it said is kept for a few seconds."""

    def __init__(self, settings: Settings) -> None:
        asked = ProviderSettings(
            kind=_ROW.kind,
            model="(any)",
            base_url=api_base(settings.upstream),
            api_key=settings.upstream_key,
        )
        key = settings.upstream_key
        headers = {"authorization": f"Bearer {key.reveal()}"} if key else {}
        self._wire = Wire(target(asked, _ROW, url(asked, _ROW, "/models"), headers))
        self._only = settings.model
        self._told: list[JsonObject] = []
        self._until = 0.0
        self._asking = asyncio.Lock()

    async def listed(self) -> list[JsonObject]:
        """Give the models as OpenAI lists them, or the one that is set; raises ProviderError."""
        if self._only is not None:
            return [{"id": self._only, "object": "model", "created": 0, "owned_by": "upstream"}]
        return await self.served()

    async def served(self) -> list[JsonObject]:
        """Ask the upstream, or repeat what it said; raises ProviderError."""
        async with self._asking:
            if time.monotonic() >= self._until:
                self._told = await self._asked()
                self._until = time.monotonic() + _KEPT_S
            return self._told

    async def aclose(self) -> None:
        await self._wire.aclose()

    async def _asked(self) -> list[JsonObject]:
        try:
            async with asyncio.timeout(_LIMIT_S):
                data = await self._wire.fetch()
        except TimeoutError:
            raise StreamBroken(f"The upstream listed no models within {_LIMIT_S:g} s.") from None
        return [dict(one) for one in _entries(data) if is_object(one)]


def _entries(data: bytes) -> list[Any]:
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        raise StreamBroken("The upstream's list of models is no JSON.") from None
    return as_array(as_object(found).get("data"))

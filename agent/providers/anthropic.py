"""Anthropic's Messages API, and servers that speak it."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

from agent.providers.answer import answer
from agent.providers.anthropic_events import OURS, Events
from agent.providers.base import JsonObject, Message, Provider, Request, StreamItem
from agent.providers.endpoint import target, url
from agent.providers.registry import Row
from agent.providers.settings import ProviderSettings
from agent.providers.wire import Target, Wire

_VERSION = "2023-06-01"
_MAX_TOKENS = 8192  # the wire wants a number; every current model allows this one
_CACHE = {"type": "ephemeral"}
_NO_ID = re.compile(r"[^A-Za-z0-9_-]")  # a session may have begun with another provider


def opened(settings: ProviderSettings, row: Row) -> Provider:
    """Open the provider; the key goes in Anthropic's own header."""
    key = settings.api_key
    headers = {"anthropic-version": _VERSION, **({"x-api-key": key.reveal()} if key else {})}
    there = target(settings, row, url(settings, row, "/messages", always_v1=True), headers)
    return Anthropic(there, max_tokens=settings.max_tokens, thinking=settings.thinking_tokens)


class Anthropic:
    """A model behind the Messages API."""

    def __init__(
        self, there: Target, *, max_tokens: int | None = None, thinking: int | None = None
    ) -> None:
        self.name = "anthropic"
        self.model = there.place.model
        self._place = there.place
        self._wire = Wire(there)
        self._max_tokens = max_tokens or _MAX_TOKENS
        self._thinking = thinking

    async def aclose(self) -> None:
        await self._wire.aclose()

    async def stream(self, request: Request) -> AsyncGenerator[StreamItem, None]:
        items = answer(self._wire, self._body(request), Events(self._place))
        async with aclosing(items):
            async for item in items:
                yield item

    def _body(self, request: Request) -> JsonObject:
        limit = request.max_tokens or self._max_tokens
        made: dict[str, Any] = {
            "model": self.model,
            "max_tokens": limit,
            "messages": _messages(request.messages),
            "stream": True,
        }
        if request.system:
            made["system"] = [{"type": "text", "text": request.system, "cache_control": _CACHE}]
        if request.tools:
            made["tools"] = [
                {"name": t.name, "description": t.description, "input_schema": t.parameters}
                for t in request.tools
            ]
            made["tool_choice"] = {"type": "auto"}
        if request.stop:
            made["stop_sequences"] = list(request.stop)
        if self._thinking:
            made["max_tokens"] = max(limit, self._thinking + 1024)
            made["thinking"] = {"type": "enabled", "budget_tokens": self._thinking}
        elif request.temperature is not None:  # thinking allows none
            made["temperature"] = request.temperature
        return made


def _messages(history: Sequence[Message]) -> list[JsonObject]:
    made: list[dict[str, Any]] = [
        {"role": message.role, "content": blocks}
        for message in history
        if (blocks := _blocks(message))  # the wire refuses empty messages
    ]
    if made and made[-1]["role"] == "user":
        made[-1]["content"][-1]["cache_control"] = _CACHE
    return list(made)


def _blocks(message: Message) -> list[dict[str, Any]]:
    """Write the content: thinking blocks first and verbatim, then the text unless it is blank.

    Results come before the text, as the wire wants them, and calls after it.
    """
    kept = message.attachments if message.role == "assistant" else ()
    blocks = [dict(data["block"]) for data in kept if data.get("provider") == OURS]
    for result in message.results:
        told = {"tool_use_id": _NO_ID.sub("_", result.call_id), "content": result.text}
        blocks.append({"type": "tool_result", **told})
    if message.text.strip():
        blocks.append({"type": "text", "text": message.text})
    for call in message.calls:
        told = {"name": call.name, "input": json.loads(call.arguments)}
        blocks.append({"type": "tool_use", "id": _NO_ID.sub("_", call.id), **told})
    return blocks

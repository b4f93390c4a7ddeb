"""Requests and what prepares them, for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from parsing import ToolSpec
from ui.gateway.asked import Ask, Said
from ui.gateway.prepare import Preparer
from ui.gateway.servers import SERVERS
from ui.gateway.settings import Settings

WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"],
}


def tool(name: str = "get_weather") -> ToolSpec:
    return ToolSpec(name, "Get the weather.", WEATHER)


def ask(**more: Any) -> Ask:
    return Ask(**{"model": "m", "said": (Said("user", "Hi"),), "tools": (tool(),), **more})


def preparer(kind: str = "vllm", models: tuple[str, ...] = (), **more: Any) -> Preparer:
    server = replace(SERVERS[kind], models=models)
    return Preparer(Settings("http://h", **{"dialect": "hermes", **more}), server)

"""A served upstream that is asked once, over a server that gives one reply."""

from __future__ import annotations

import asyncio
from typing import Any

from agent.errors import (
    ProviderError,
)
from agent.providers.secret import Secret
from parsing import Options
from tests.agent.providers.fake_server import (
    FakeServer,
    Reply,
)
from ui.gateway.heard import Heard, Prepared
from ui.gateway.settings import Settings
from ui.gateway.upstream import Served

KEY = "sk-very-secret-key-1234567890"
BODY: dict[str, Any] = {"model": "m", "messages": [], "stream": True}
RAW: dict[str, Any] = {"model": "m", "prompt": "Hi", "stream": True}


class Asked:
    """What was heard of one reply, and how it ended."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self.error: ProviderError | None = None
        self.requests: list[Any] = []

    @property
    def text(self) -> str:
        return "".join(heard.text for heard in self.heard)


def served(base: str, **settings: Any) -> Served:
    given = {"first_token_timeout_s": 5.0, "idle_timeout_s": 5.0, **settings}
    return Served(Settings(base, upstream_key=Secret(KEY), **given))


def prepared(body: dict[str, Any]) -> Prepared:
    return Prepared(body, "hermes", (), Options("serving"))


def ask(reply: Reply, body: dict[str, Any] = BODY, **settings: Any) -> Asked:
    asked = Asked()

    async def hear() -> None:
        async with FakeServer([reply]) as server:
            upstream = served(server.base_url, **settings)
            try:
                async for heard in upstream.stream(prepared(body)):
                    asked.heard.append(heard)
            except ProviderError as fault:
                asked.error = fault
            finally:
                await upstream.aclose()
            asked.requests = server.requests

    asyncio.run(hear())
    return asked


def choice(**fields: object) -> dict[str, Any]:
    return {"choices": [{"index": 0, "finish_reason": None, **fields}]}

"""A gateway in this loop whose upstream is a generator of the test's own."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from parsing import Options, TextDelta
from ui.gateway.app import application
from ui.gateway.asked import Ask
from ui.gateway.chat import CHAT
from ui.gateway.exchange import Gateway, Run
from ui.gateway.heard import Heard, Prepared
from ui.gateway.listening import bound, server
from ui.gateway.messages import MESSAGES
from ui.gateway.settings import Settings
from ui.gateway.told import Ended, Pieces, Told

NOBODY = "http://127.0.0.1:9"
ASKED: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
STREAMED = {**ASKED, "stream": True}
PATH = CHAT.path


class Ready:
    """Prepares nothing."""

    def prepare(self, ask: Ask) -> Prepared:
        return Prepared({}, "hermes", (), Options("serving"), ask.parallel)


class Silent:
    """An upstream that nobody asks; `closed` when it was closed."""

    closed = False

    async def stream(self, prepared: Prepared) -> AsyncGenerator[Heard, None]:
        yield Heard(text=str(prepared))

    async def aclose(self) -> None:
        self.closed = True


@dataclass
class Scene:
    """What a test talks to."""

    http: httpx.AsyncClient
    port: int
    gateway: Gateway
    upstream: Silent

    async def post(self, body: Any = ASKED, path: str = PATH, **more: Any) -> httpx.Response:
        return await self.http.post(path, json=body, **more)

    def connect(self, sent: bytes = b"", *, receives: int = 0) -> socket.socket:
        """Open a connection of its own; `receives` is the size of its buffer."""
        wire = socket.socket()
        if receives:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        wire.connect(("127.0.0.1", self.port))
        wire.sendall(sent)
        wire.setblocking(False)
        return wire

    async def told(self, name: str) -> float:
        """Give one of the counts."""
        lines = (await self.http.get("/metrics")).text.splitlines()
        return float(next(line for line in lines if line.startswith(f"{name} ")).split()[-1])


@asynccontextmanager
async def serving(run: Run, **settings: Any) -> AsyncIterator[Scene]:
    made = Settings(NOBODY, **settings)
    upstream, ready = Silent(), asyncio.Event()
    app = application(made, Ready(), upstream, (CHAT, MESSAGES), run)
    there = bound("127.0.0.1", 0)
    port: int = there.getsockname()[1]
    served = server(app, made, ready.set)
    task = asyncio.create_task(served.serve(sockets=[there]))
    await ready.wait()
    base = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=base, trust_env=False, timeout=10) as http:
        try:
            yield Scene(http, port, app.state.gateway, upstream)
        finally:
            served.should_exit = True
            await task
    assert upstream.closed


async def says(*texts: str) -> AsyncGenerator[Pieces | Ended, None]:
    """Tell texts, and the end."""
    for text in texts:
        yield text_of(text)
    yield Ended("stop")


def text_of(text: str) -> Pieces:
    return [Told(TextDelta(0, text))]


class Telling:
    """Tells one text and waits; `left` is set when it is closed."""

    def __init__(self, *first: str) -> None:
        self.first = first
        self.begun, self.left, self.go_on = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def run(
        self, prepared: Prepared, upstream: object
    ) -> AsyncGenerator[Pieces | Ended, None]:
        try:
            for text in self.first:
                yield text_of(text)
            self.begun.set()
            await self.go_on.wait()
            yield Ended("stop")
        finally:
            self.left.set()

"""A gateway to talk to: in a thread, quick to start, or as `tagline serve` in a process."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from tests.bench.launch import command, environment
from tests.source import ROOT
from ui.gateway.app import application
from ui.gateway.listening import bound
from ui.gateway.serving import PROTOCOLS, Finder
from ui.gateway.settings import Settings
from ui.gateway.upstream import Served

READY_S = 20.0


@dataclass(frozen=True, slots=True)
class Running:
    """A gateway that listens; of a process, where its output goes and its number."""

    port: int
    output: Path | None = None
    pid: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def api(self) -> str:
        return f"{self.url}/v1"

    def said(self) -> str:
        """Give all that it wrote to its output."""
        assert self.output is not None
        return self.output.read_text("utf-8", "replace")


class _Server(uvicorn.Server):
    """A server that can be ended without a signal."""

    async def serve_for(self, settings: Settings, there: socket.socket) -> None:
        finder = Finder(settings)
        await finder.look()
        made = application(settings, finder, Served(settings), PROTOCOLS)
        self.config = uvicorn.Config(
            made, lifespan="on", log_config=None, log_level="error", access_log=False
        )
        await self.serve(sockets=[there])


@contextmanager
def gateway(upstream: str, **settings: Any) -> Iterator[Running]:
    """Serve in a thread; `settings` are those of the gateway."""
    made = Settings(upstream, **settings)
    server = _Server(uvicorn.Config("not made yet"))
    with closing(bound("127.0.0.1", 0)) as there:  # who connects before it serves waits
        thread = threading.Thread(target=lambda: asyncio.run(server.serve_for(made, there)))
        thread.start()
        try:
            yield Running(there.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(READY_S)


@contextmanager
def served(home: Path, upstream: str, *flags: str, **env: str) -> Iterator[Running]:
    """Run `tagline serve` with these flags and variables, and all its output in a file."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    output = home / f"serve-{port}.txt"
    line = command("serve", "--upstream", upstream, "--port", str(port), *flags)
    with (
        output.open("wb") as sink,
        subprocess.Popen(
            line,
            cwd=ROOT,
            env={**environment(home), **env},
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=sink,
        ) as process,
    ):
        try:
            _wait_for(port, process, output)
            yield Running(port, output, process.pid)
        finally:
            process.kill()


def _wait_for(port: int, process: subprocess.Popen[bytes], output: Path) -> None:
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        assert process.poll() is None, output.read_text("utf-8", "replace")
        try:
            assert httpx.get(f"http://127.0.0.1:{port}/health", timeout=5).status_code == 200
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"no answer within {READY_S:g} s: {output.read_text('utf-8', 'replace')}")

"""A gateway to talk to: in a thread, quick to start, or as `tagline serve` in a process."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


PROGRAM = """
import asyncio, json, logging, sys
from agent.providers.secret import Secret
from ui.gateway.serving import serve
from ui.gateway.settings import Settings
logging.basicConfig(level=logging.DEBUG)
asked = json.loads(sys.argv[1])
secret = {name: Secret(asked.pop(name)) for name in ("api_key", "upstream_key")}
asyncio.run(serve(Settings(**asked, **secret), lambda port: print(port, flush=True)))
"""


@contextmanager
def keyed(home: Path, upstream: str, keys: tuple[str, str], **settings: Any) -> Iterator[Running]:
    """Serve in a process with these keys, its own and the upstream's, and log all there is."""
    asked = {"upstream": upstream, "api_key": keys[0], "upstream_key": keys[1], "port": 0}
    line = [sys.executable, "-P", "-c", PROGRAM, json.dumps(asked | settings)]
    with _process(home, line) as (process, output):
        assert process.stdout is not None
        yield Running(int(process.stdout.readline()), output, process.pid)


@contextmanager
def served(home: Path, upstream: str, *flags: str) -> Iterator[Running]:
    """Run `tagline serve` with these flags."""
    line = command("serve", "--upstream", upstream, "--port", "0", *flags)
    with _process(home, line) as (process, output):
        assert process.stdout is not None
        told = process.stdout.readline().decode()
        port = re.search(r"http://127\.0\.0\.1:(\d+) ", told)
        assert port, told + output.read_text("utf-8", "replace")
        yield Running(int(port[1]), output, process.pid)


@contextmanager
def _process(home: Path, line: list[str]) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """Run a command; what it complains of goes into a file."""
    output = home / f"complaints-{time.monotonic_ns()}.txt"
    with (
        output.open("wb") as sink,
        subprocess.Popen(
            line,
            cwd=ROOT,
            env=environment(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=sink,
        ) as process,
    ):
        try:
            yield process, output
        finally:
            process.kill()

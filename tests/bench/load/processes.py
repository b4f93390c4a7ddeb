"""The processes of the load, what they cost and what they hold."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.launch import command, environment
from tests.source import ROOT

READY_S = 30.0
_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Served:
    """A server in a process of its own."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def cpu_s(self) -> float:
        """Give the processor time that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICK

    def resident_mb(self) -> float:
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * _PAGE / 2**20


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


@contextmanager
def upstream(home: Path) -> Iterator[Served]:
    line = [sys.executable, "-m", "tests.bench.load.upstream"]
    with _running(line, home, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        yield Served(int(process.stdout.readline()), process.pid)


@contextmanager
def proxy(home: Path, above: Served) -> Iterator[Served]:
    port = free_port()
    line = [sys.executable, "-m", "tests.bench.load.proxy", above.url, str(port)]
    with _running(line, home) as process:
        yield _ready(process, port)


@contextmanager
def gateway(home: Path, above: Served, *arguments: str) -> Iterator[Served]:
    """Run `tagline serve` over a server, speaking hermes."""
    port = free_port()
    line = command("serve", "--upstream", above.url, "--dialect", "hermes", "--port", str(port))
    with _running([*line, *arguments], home) as process:
        yield _ready(process, port)


@contextmanager
def _running(
    line: Sequence[str], home: Path, stdout: int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[bytes]]:
    env: Mapping[str, str] = environment(home)
    process = subprocess.Popen(line, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=stdout)
    with process:
        try:
            yield process
        finally:
            process.kill()


def _ready(process: subprocess.Popen[bytes], port: int) -> Served:
    """Wait until the server answers."""
    end = time.monotonic() + READY_S
    while time.monotonic() < end:
        assert process.poll() is None, f"{process.args!r} ended with {process.returncode}"
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.05)
        else:
            return Served(port, process.pid)
    raise AssertionError(f"{process.args!r} did not answer within {READY_S:g} s")

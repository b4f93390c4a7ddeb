"""Tagline started as its console script starts it, from this checkout, in an empty home."""

from __future__ import annotations

import os
import pty
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.source import ROOT

SCRIPT = "import sys; from ui.cli import main; sys.exit(main())"
RECORDER = """
import sys
class Recorder:
    def find_spec(self, name, path=None, target=None, out=open({out!r}, "a", buffering=1)):
        out.write(name + "\\n")
sys.meta_path.insert(0, Recorder())
"""
WAIT_S = 60.0
PROMPT = "❯"


def command(*arguments: str, imports: Path | None = None) -> list[str]:
    """Return the command line; with `imports`, each import is told to that file as it happens."""
    recorder = RECORDER.format(out=str(imports)) if imports else ""
    return [sys.executable, "-P", "-c", recorder + SCRIPT, *arguments]


def environment(home: Path) -> dict[str, str]:
    """Return the variables of a person who has configured nothing."""
    return {
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm-256color",
    }


def imported(listing: Path) -> set[str]:
    return {name.partition(".")[0] for name in listing.read_text().splitlines()}


class Screen:
    """A process on a pseudo-terminal of its own."""

    def __init__(self, line: list[str], env: Mapping[str, str], folder: Path) -> None:
        self._ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            line, env=env, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        self._shown = b""

    def wait_for(self, text: str) -> None:
        end = time.monotonic() + WAIT_S
        while text.encode() not in self._shown:
            ready, _, _ = select.select([self._ours], [], [], max(0, end - time.monotonic()))
            try:
                chunk = os.read(self._ours, 65536) if ready else b""
            except OSError:  # Linux says so when nobody holds the other end
                chunk = b""
            if not chunk:
                raise AssertionError(f"no {text!r} in {self._shown.decode('utf-8', 'replace')!r}")
            self._shown += chunk

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)


class Request:
    """A headless process, and a loopback port that hears its first request and never answers."""

    def __init__(self, line: Callable[[str], list[str]], home: Path) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.5)
        self._process = subprocess.Popen(
            line(f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"),
            env=environment(home),
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def first_byte(self) -> bytes:
        while True:
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                if self._process.poll() is None:
                    continue
                raise AssertionError(self._process.communicate()[1].decode()) from None
            with connection:
                connection.settimeout(WAIT_S)
                return connection.recv(1)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stderr is not None
        self._process.stderr.close()
        self._listener.close()

"""The real program on a pseudo-terminal, and what a person would see on it.

Nothing here sleeps: a test waits until the screen shows what it must, or fails with the screen.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pexpect
import pyte

from tests.source import ROOT

Turn = str | Mapping[str, Any]
WITHIN = 20.0
QUESTION = "1 y  yes, once"
_START = "import sys; from ui.cli import main; sys.exit(main())"


class Tty:
    """One program, one screen."""

    def __init__(
        self, line: Sequence[str], folder: Path, env: dict[str, str], rows: int, columns: int
    ) -> None:
        self._screen = pyte.HistoryScreen(columns, rows, history=10_000, ratio=0.5)
        self._stream = pyte.ByteStream(self._screen)
        self.raw = b""
        self.child: pexpect.spawn[bytes] = pexpect.spawn(
            line[0], list(line[1:]), cwd=str(folder), env=env, dimensions=(rows, columns)
        )
        self.child.delaybeforesend = None
        self.child.delayafterclose = 0.0

    def type(self, *texts: str) -> None:
        """Send keys."""
        for text in texts:
            self.child.send(text)

    def until(self, *words: str, gone: Sequence[str] = (), within: float = WITHIN) -> str:
        """Wait until all words are on the page and those of `gone` off the screen."""
        self.wait(
            lambda: (
                all(word in self.page for word in words)
                and not any(word in self.screen for word in gone)
            ),
            f"{words} there, {gone} gone",
            within,
        )
        return self.page

    def wait(self, claim: Callable[[], bool], what: str, within: float = WITHIN) -> None:
        """Read until the claim holds."""
        end = time.monotonic() + within
        while not claim():
            if time.monotonic() > end:
                raise AssertionError(f"not within {within} s: {what}; on the screen:\n{self.page}")
            if not self._read(0.05) and not claim():
                raise AssertionError(f"the program ended before: {what}; it showed:\n{self.page}")

    def ended(self, within: float = WITHIN) -> int:
        """Wait for the end and give the exit code, a signal as 128 + its number."""
        end = time.monotonic() + within
        while self._read(0.05):
            if time.monotonic() > end:
                raise AssertionError(f"still running; on the screen:\n{self.page}")
        self.child.wait()
        if self.child.signalstatus is not None:
            return 128 + self.child.signalstatus
        assert self.child.exitstatus is not None
        return self.child.exitstatus

    @property
    def pid(self) -> int:
        assert self.child.pid is not None
        return self.child.pid

    def end(self) -> None:
        """End the program at once, if it has not ended by itself."""
        if self.child.isalive():
            os.kill(self.pid, signal.SIGKILL)
            self.child.wait()
        self.child.close()

    def resize(self, rows: int, columns: int) -> None:
        self._screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    @property
    def screen(self) -> str:
        """What is in sight."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    @property
    def page(self) -> str:
        """What is in sight and what was scrolled away."""
        columns = range(self._screen.columns)
        past = [
            "".join(row[column].data for column in columns).rstrip()
            for row in self._screen.history.top
        ]
        return "\n".join([*past, self.screen])

    @property
    def cursor_hidden(self) -> bool:
        return self._screen.cursor.hidden

    def _read(self, patience: float) -> bool:
        """Take in what is there; False once the program has ended."""
        try:
            data = self.child.read_nonblocking(65_536, patience)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += data
        self._stream.feed(data)
        return True


def script(path: Path, *turns: Turn, **all_of_them: Any) -> Path:
    """Write a script file: a turn is its text, or all its fields."""
    rows: list[dict[str, Any]] = [{"script": {"model": "scripted-model", **all_of_them}}]
    rows += [{"text": turn} if isinstance(turn, str) else dict(turn) for turn in turns]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@contextmanager
def tagline(
    folder: Path,
    *arguments: str,
    rows: int = 30,
    columns: int = 80,
    variables: Mapping[str, str] | None = None,
    under: Sequence[str] = (),
) -> Iterator[Tty]:
    """Run tagline in a folder, with a home that lies beside it, `under` a shell if one is told."""
    env = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    env |= {"HOME": str(folder.parent / "home"), "TERM": "xterm-256color", **(variables or {})}
    env |= {"PYTHONPATH": str(ROOT), "TAGLINE_STATE": str(folder.parent / "state")}
    tty = Tty([*under, sys.executable, "-P", "-c", _START, *arguments], folder, env, rows, columns)
    try:
        yield tty
    finally:
        tty.end()

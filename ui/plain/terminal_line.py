"""The controlling terminal, whatever the standard streams are: a line asked, a line read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Generator
from contextlib import contextmanager

_LONGEST = 65_536  # a terminal in line mode hands out no more than a line


class TerminalLine:
    """A terminal in line mode, open for asking."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    async def ask(self, prompt: str) -> str | None:
        """Write the prompt and wait for a line; None when the terminal has ended."""
        os.write(self._handle, prompt.encode())
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        loop.add_reader(self._handle, ready.set)
        try:
            await ready.wait()
        finally:
            loop.remove_reader(self._handle)
        data = os.read(self._handle, _LONGEST)
        return data.decode("utf-8", "replace").strip() if data else None


@contextmanager
def controlling_terminal() -> Generator[TerminalLine | None]:
    """Open the terminal this process belongs to; None when there is none."""
    try:
        handle = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except OSError:
        yield None
        return
    try:
        yield TerminalLine(handle)
    finally:
        os.close(handle)

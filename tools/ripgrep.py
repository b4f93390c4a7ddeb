"""ripgrep as a process: where it is, how it is called, and when it has said enough.

The law: what the model gives is only ever the value of an option or stands behind `--`; no
configuration and no preprocessor of anybody takes part; links are not followed.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tools.environment import command_environment
from tools.ignore import UNWANTED

CONTEXT_LINES = 1
LONGEST_LINE = 500
_MOST_BYTES = 2_000_000
_MOST_STDERR = 8_000
_FALLBACK = "import sys; sys.path.insert(0, {root!r}); from tools.python_search import main; main()"


@dataclass(frozen=True, slots=True)
class Search:
    """What is searched for: a regex below `folder`, in all files or in `only` one of its files."""

    folder: Path
    regex: str
    patterns: tuple[str, ...] = ()
    only: str | None = None
    root: Path | None = None

    @property
    def target(self) -> str:
        return f"./{self.only}" if self.only else "./"


@dataclass(frozen=True, slots=True)
class Found:
    """What a search process said; `stopped` tells why it was ended early."""

    out: bytes
    error: str
    code: int
    stopped: str | None = None


def find_ripgrep() -> str | None:
    """Find the wheel's binary beside this Python, else one on the path."""
    name = "rg.exe" if os.name == "nt" else "rg"
    beside = Path(sys.executable).parent / name
    if os.access(beside, os.X_OK):
        return str(beside)
    from importlib import metadata  # here: it costs as much to import as all the rest

    with suppress(metadata.PackageNotFoundError):
        for file in metadata.files("ripgrep") or ():
            if file.name == name and os.access(place := file.locate(), os.X_OK):
                return str(place)
    return shutil.which(name)


def ripgrep_arguments(search: Search) -> list[str]:
    """Make the arguments that follow the program's name."""
    return [
        *("--no-config", "--color=never", "--no-heading", "--with-filename", "--line-number"),
        *("--null", "--no-messages", "--no-follow", "--hidden", "--no-require-git", "--sort=path"),
        "--crlf",
        *(f"--context={CONTEXT_LINES}", f"--max-columns={LONGEST_LINE}", "--max-columns-preview"),
        *(argument for pattern in search.patterns for argument in _pattern(pattern)),
        *(f"--glob=!**/{name}/" for name in sorted(UNWANTED)),
        *("-e", search.regex, "--", search.target),
    ]


def fallback_command(search: Search) -> list[str]:
    """Make the command that searches with Python's `re` and says it as ripgrep does."""
    root = str(Path(__file__).resolve().parent.parent)
    arguments = (search.regex, str(search.root or search.folder), search.target)
    return [sys.executable, "-I", "-c", _FALLBACK.format(root=root), *arguments, *search.patterns]


async def run_search(command: Sequence[str], folder: Path, seconds: float) -> Found:
    """Run a search in `folder`; it is ended when it says too much or takes too long.

    Raises OSError or ValueError when it cannot be started.
    """
    environment = command_environment(os.environ)
    environment.pop("RIPGREP_CONFIG_PATH", None)
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder,
        env=environment,
    )
    out, error = bytearray(), bytearray()
    stopped = None
    complaints = asyncio.create_task(_read(process.stderr, error, _MOST_STDERR))
    try:
        async with asyncio.timeout(seconds):
            await _read(process.stdout, out, _MOST_BYTES)
            if len(out) > _MOST_BYTES:
                stopped = "too much was found"
                _kill(process)
            await complaints
            await process.wait()
    except TimeoutError:
        stopped = f"it took longer than {seconds:g} s"
    finally:
        complaints.cancel()
        _kill(process)
        code = await process.wait()
    return Found(bytes(out), error.decode("utf-8", "replace"), code, stopped)


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill what has not ended; asyncio's own kill() would reap it and lose its exit code."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)


async def _read(stream: asyncio.StreamReader | None, into: bytearray, most: int) -> None:
    assert stream is not None
    while len(into) <= most and (data := await stream.read(65_536)):
        into += data


def _pattern(pattern: str) -> tuple[str, ...]:
    """Name files by type where that will do: a glob would bring ignored files back."""
    if any(sign in pattern for sign in "/!:"):
        return (f"--glob={pattern}",)
    return (f"--type-add=wanted:{pattern}", "--type=wanted")

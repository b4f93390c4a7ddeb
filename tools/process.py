"""Runs one shell command to its end: its exit, its timeout or our interruption.

The law: a command is done when its shell exits, whoever still holds its pipe; after a timeout or
an interruption nothing of it is left running; nothing it reads or writes can hold us up.
"""

import asyncio
import os
import shutil
import signal
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tools.environment import blank_start_environment, command_environment, marked
from tools.output import Output
from tools.process_tree import ProcessTree

DRAIN_S = 0.25
GRACE_S = 1.0
_REAP_S = 2.0
_READ_BYTES = 65_536
_IDLE_READ_S = 0.1


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command went. Of `exit_code`, `signal` and `timed_out` exactly one is set."""

    text: str
    omitted: int
    exit_code: int | None
    signal: str | None
    timed_out: bool
    duration_s: float
    running: tuple[int, ...] = ()
    """The processes it left behind in the background, on purpose."""


async def run_command(
    command: str,
    *,
    cwd: Path,
    timeout_s: float | None,
    on_output: Callable[[str], None] | None = None,
    environment: Mapping[str, str] | None = None,
    secrets: Collection[str] = (),
    grace_s: float = GRACE_S,
) -> Ran:
    """Run `command` in a shell with nothing to read and wait for the shell.

    The command gets a cleaned copy of `environment` (none: ours), without the variables that
    hold one of `secrets`.  Raises OSError or ValueError when no shell can be started with it.
    When cancelled, ends all processes of the command before the cancellation goes on.
    """
    blank_start_environment(secrets)
    stop = asyncio.Event()
    mark = os.urandom(8).hex()
    base = os.environ if environment is None else environment
    clean = command_environment(base, secrets=secrets)
    shell = _Shell(command, cwd, marked(clean, mark), mark)
    work = asyncio.create_task(_supervise(shell, Output(on_output), timeout_s, grace_s, stop))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        stop.set()
        while not work.done():
            with suppress(BaseException):
                await asyncio.shield(work)
        raise


@dataclass(frozen=True, slots=True)
class _Shell:
    """What is to be run, where and with what."""

    command: str
    cwd: Path
    environment: Mapping[str, str]
    mark: str

    @property
    def program(self) -> str:
        return shutil.which("bash", path=self.environment.get("PATH")) or "/bin/sh"


async def _supervise(
    shell: _Shell,
    output: Output,
    timeout_s: float | None,
    grace_s: float,
    stop: asyncio.Event,
) -> Ran:
    clock = asyncio.get_running_loop().time
    begin = clock()
    process, pipe = await _start(shell, output)
    tree = ProcessTree.of(process.pid, shell.mark)
    try:
        exited = await _exits(process, stop, timeout_s)
        if not exited:
            await tree.end(grace_s=grace_s)
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), _REAP_S)
        await pipe.drain(DRAIN_S)
        if stop.is_set():
            await tree.end(grace_s=grace_s)
    except BaseException:
        tree.kill()
        raise
    finally:
        pipe.leave()
    duration = clock() - begin
    text, omitted = output.close()
    code, name = _ending(process.returncode) if exited else (None, None)
    running = tuple(sorted(tree.living())) if exited else ()
    return Ran(text, omitted, code, name, not exited, duration, running)


async def _start(shell: _Shell, output: Output) -> tuple[asyncio.subprocess.Process, "_Pipe"]:
    read_end, write_end = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            shell.program,
            "-c",
            "--",
            shell.command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=write_end,
            stderr=write_end,
            cwd=shell.cwd,
            env=shell.environment,
            start_new_session=True,
        )
    except BaseException:
        os.close(read_end)
        raise
    finally:
        os.close(write_end)
    return process, _Pipe(read_end, output)


async def _exits(
    process: asyncio.subprocess.Process, stop: asyncio.Event, timeout_s: float | None
) -> bool:
    """Wait for the exit; False when the time was up or we were stopped before it."""
    exit_ = asyncio.create_task(process.wait())
    stopped = asyncio.create_task(stop.wait())
    try:
        done, _ = await asyncio.wait(
            {exit_, stopped}, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED
        )
    finally:
        exit_.cancel()
        stopped.cancel()
    return exit_ in done


def _ending(returncode: int | None) -> tuple[int | None, str | None]:
    if returncode is None or returncode >= 0:
        return returncode, None
    try:
        return None, signal.Signals(-returncode).name
    except ValueError:
        return None, f"signal {-returncode}"


class _Pipe:
    """The reading end of the pipe that a command writes both its streams to."""

    def __init__(self, descriptor: int, output: Output) -> None:
        self._descriptor = descriptor
        self._output = output
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        os.set_blocking(descriptor, False)
        self._loop.add_reader(descriptor, self._read)

    async def drain(self, seconds: float) -> None:
        """Read what is left, until the end of the pipe or `seconds` are over."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), seconds)

    def leave(self) -> None:
        """Read for nobody from now on, slowly: what runs on must not block or break on us."""
        if not self._ended.is_set():
            self._loop.remove_reader(self._descriptor)
            self._loop.add_reader(self._descriptor, self._discard)

    def _read(self) -> None:
        data = self._take()
        if data:
            self._output.feed(data)

    def _discard(self) -> None:
        self._take()
        if not self._ended.is_set():
            self._loop.remove_reader(self._descriptor)
            self._loop.call_later(
                _IDLE_READ_S, self._loop.add_reader, self._descriptor, self._discard
            )

    def _take(self) -> bytes:
        try:
            data = os.read(self._descriptor, _READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            self._ended.set()
        return data

"""The processes of one command: all of them, also those that left its group or lost their parent.

A process belongs when it is in the command's group or session, descends from one that belongs, or
carries the command's mark in its environment. Where there is no /proc only the group is known.
"""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tools.environment import TREE_MARK

_PROC = Path("/proc")
_LOOK_EVERY_S = 0.02
_AFTER_KILL_S = 2.0


@dataclass(frozen=True, slots=True)
class _Entry:
    """One line of the system's table of processes."""

    pid: int
    parent: int
    group: int
    session: int
    started: int
    dead: bool


@dataclass(frozen=True, slots=True)
class ProcessTree:
    """The tree that grew from one shell, which was started as leader of its own session."""

    leader: int
    mark: str
    started: int

    @classmethod
    def of(cls, leader: int, mark: str) -> "ProcessTree":
        """Take the tree of a shell that was just started."""
        entry = _entry(leader)
        return cls(leader, mark, entry.started if entry else 0)

    def living(self) -> frozenset[int]:
        """Find the processes that still run; zombies are dead."""
        younger = [entry for entry in _table() if entry.started >= self.started]
        belonging = {entry.pid for entry in younger if self._belongs(entry)}
        grown = bool(belonging)
        while grown:
            children = {e.pid for e in younger if e.parent in belonging} - belonging
            belonging |= children
            grown = bool(children)
        return frozenset(e.pid for e in younger if e.pid in belonging and not e.dead)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the group first, then to each process that is left outside it."""
        outside = self.living()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.leader, number)
        for pid in outside:
            with suppress(ProcessLookupError, PermissionError):
                if os.getpgid(pid) != self.leader:
                    os.kill(pid, number)

    async def end(self, *, grace_s: float) -> None:
        """Ask all to end, wait `grace_s` at most, then kill what is left until nothing is."""
        self.signal(signal.SIGTERM)
        self.signal(signal.SIGCONT)
        if await self._gone_within(grace_s):
            return
        deadline = asyncio.get_running_loop().time() + _AFTER_KILL_S
        while asyncio.get_running_loop().time() < deadline:
            self.signal(signal.SIGKILL)
            if await self._gone_within(5 * _LOOK_EVERY_S):
                return

    def kill(self) -> None:
        """Kill at once and wait for nothing: the last resort when the loop is going down."""
        self.signal(signal.SIGKILL)

    async def _gone_within(self, seconds: float) -> bool:
        clock = asyncio.get_running_loop().time
        deadline = clock() + seconds
        while self._any_left():
            if clock() >= deadline:
                return False
            await asyncio.sleep(_LOOK_EVERY_S)
        return True

    def _any_left(self) -> bool:
        if _PROC.joinpath("self/stat").exists():
            return bool(self.living())
        try:
            os.killpg(self.leader, 0)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def _belongs(self, entry: _Entry) -> bool:
        if entry.pid == os.getpid():
            return False
        if self.leader in (entry.pid, entry.group, entry.session):
            return True
        return not entry.dead and self.mark.encode() in _tree_mark(entry.pid)


def _table() -> Iterator[_Entry]:
    try:
        found = list(_PROC.iterdir())
    except OSError:
        return
    for place in found:
        entry = _entry(int(place.name)) if place.name.isdecimal() else None
        if entry is not None:
            yield entry


def _entry(pid: int) -> _Entry | None:
    """Read /proc/PID/stat (proc_pid_stat(5)); the name in it may hold blanks and brackets."""
    try:
        text = _PROC.joinpath(str(pid), "stat").read_bytes()
    except OSError:
        return None
    fields = text[text.rfind(b")") + 2 :].split()
    if len(fields) < 20:
        return None
    state, parent, group, session = fields[0], int(fields[1]), int(fields[2]), int(fields[3])
    return _Entry(pid, parent, group, session, int(fields[19]), state in (b"Z", b"X"))


def _tree_mark(pid: int) -> bytes:
    try:
        environment = _PROC.joinpath(str(pid), "environ").read_bytes()
    except OSError:
        return b""
    wanted = TREE_MARK.encode() + b"="
    return next((v for v in environment.split(b"\0") if v.startswith(wanted)), b"")

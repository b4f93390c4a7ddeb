from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def living_in(folder: Path) -> list[int]:
    """The processes whose working folder this is; a way of finding them that ours does not use."""
    return sorted(_living(folder))


def end_all_in(folder: Path) -> None:
    for pid in living_in(folder):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _living(folder: Path) -> Iterator[int]:
    for place in Path("/proc").iterdir():
        if not place.name.isdecimal() or int(place.name) == os.getpid():
            continue
        with suppress(OSError):
            state = (place / "stat").read_text("latin-1").rpartition(")")[2].split()[0]
            if (place / "cwd").readlink() == folder and state not in "ZX":
                yield int(place.name)

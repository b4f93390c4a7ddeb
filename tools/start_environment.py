"""Takes our keys out of the environment that the system shows of us to what we start.

/proc/PID/environ shows the block of memory that a program was started with, to every process of
the same user (report: subzeroclaw#13). Ours is blanked there; `os.environ` keeps its values.
"""

import ctypes
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

_ENTRY = re.compile(rb"([^=\0]+)=([^\0]+)")


@cache
def blank_start_environment(hidden: Callable[[str], bool]) -> None:
    """Blank the values of the variables that are `hidden`, once; does nothing without /proc."""
    with suppress(OSError, IndexError, ValueError):
        stat = Path("/proc/self/stat").read_bytes()
        fields = stat[stat.rfind(b")") + 2 :].split()
        start, end = int(fields[47]), int(fields[48])  # env_start, env_end: proc_pid_stat(5)
        block = Path("/proc/self/environ").read_bytes()
        if not 0 < len(block) <= end - start:
            return
        for entry in _ENTRY.finditer(block):
            if hidden(entry[1].decode("latin-1")):
                ctypes.memset(start + entry.start(2), 0, len(entry[2]))

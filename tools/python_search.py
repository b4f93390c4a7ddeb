"""The search where there is no ripgrep: Python's `re`, run as a process that can be ended.

It says what it finds in the form of `rg --null`, so that one reader reads both.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import BinaryIO

from tools.files import decoded
from tools.walk import walk

_LARGEST = 16 * 1024 * 1024
_LONGEST_LINE = 500


def main() -> None:
    """Search as the arguments say: regex, root of the workspace, target, patterns."""
    regex, root, target, *patterns = sys.argv[1:]
    try:
        wanted = re.compile(regex)
    except (re.error, OverflowError, RecursionError) as error:
        sys.stderr.write(f"regex parse error:\n    {regex}\nerror: {error}\n")
        sys.exit(2)
    hits = 0
    for path in sorted(_files(Path(target), Path(root), patterns)):
        hits += _search(path, wanted, sys.stdout.buffer)
    sys.exit(0 if hits else 1)


def _files(target: Path, root: Path, patterns: Sequence[str]) -> Iterator[Path]:
    here = Path.cwd()
    if target.is_file():
        yield target
        return
    for entry in walk(here, root):
        path = entry.path.relative_to(here)
        if entry.file and _fits(path, patterns):
            yield path


def _fits(path: Path, patterns: Sequence[str]) -> bool:
    takes = [pattern for pattern in patterns if not pattern.startswith("!")]
    leaves = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    if any(_matches(path, pattern) for pattern in leaves):
        return False
    return not takes or any(_matches(path, pattern) for pattern in takes)


def _matches(path: Path, pattern: str) -> bool:
    return any(
        fnmatchcase(path.as_posix() if "/" in one else path.name, one.removeprefix("/"))
        for one in _alternatives(pattern.replace("**/", "*"))
    )


def _alternatives(pattern: str) -> list[str]:
    braced = re.fullmatch(r"([^{}]*)\{([^{}]*)\}(.*)", pattern, re.DOTALL)
    if braced is None:
        return [pattern]
    before, choices, after = braced.groups()
    return [one for choice in choices.split(",") for one in _alternatives(before + choice + after)]


def _search(path: Path, wanted: re.Pattern[str], out: BinaryIO) -> int:
    try:
        if path.stat().st_size > _LARGEST:
            return 0
        file = decoded(path.read_bytes())
    except OSError:
        return 0
    if file is None:
        return 0
    lines = [line.removesuffix("\r") for line in file.text.split("\n")]
    if lines[-1] == "":
        lines.pop()
    hits = [number for number, line in enumerate(lines) if wanted.search(line)]
    shown = sorted({n for hit in hits for n in (hit - 1, hit, hit + 1) if 0 <= n < len(lines)})
    marked = frozenset(hits)
    last = -1
    for number in shown:
        if last >= 0 and number > last + 1:
            out.write(b"--\n")
        last = number
        mark = ":" if number in marked else "-"
        line = lines[number][:_LONGEST_LINE]
        text = f"{number + 1}{mark}{line}\n".encode("utf-8", "replace")
        out.write(b"./" + os.fsencode(path) + b"\0" + text)
    return len(hits)

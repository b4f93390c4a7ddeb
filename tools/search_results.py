"""What a search process said, read and set out for the model in bounds."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.cautions import is_secret
from tools.walk import printable

HITS = 300
_BYTES = 256 * 1024
_LINE = re.compile(rb"\./([^\0]*)\0(\d+)([:-])([^\n]*)(?:\n|\Z)|([^\n]*)(?:\n|\Z)")
"""A line of a file, whose name may hold a line break; or something else that is said."""

_RULE = "│----"


@dataclass(frozen=True, slots=True)
class FoundLine:
    """One line of a file: a hit, or one beside a hit; `apart`: the line before is not shown."""

    path: Path
    number: int
    text: str
    hit: bool
    apart: bool


@dataclass(slots=True)
class Results:
    """Lines to be shown; `full`: there was more."""

    lines: list[str] = field(default_factory=list[str])
    count: int = 0
    full: bool = False
    left_out: dict[str, None] = field(default_factory=dict[str, None])


def read_lines(out: bytes, folder: Path) -> Iterator[FoundLine]:
    """Read the lines of `rg --null`; what says something else is passed over."""
    apart = True
    for read in _LINE.finditer(out):
        name, number, mark, text, _ = read.groups()
        if name is None:
            apart = True
            continue
        path = folder / os.fsdecode(name)
        shown = text.decode("utf-8", "replace").removesuffix("\r")
        yield FoundLine(path, int(number), shown, mark == b":", apart)
        apart = False


def render(found: Iterable[FoundLine], shown: Callable[[Path], str], *, secrets: bool) -> Results:
    """Set lines out by file, until there are enough; without `secrets` their files are only named.

    `shown` gives a path as the model knows it.
    """
    results = Results()
    lines = results.lines
    size = 0
    path: Path | None = None
    for line in found:
        if not secrets and is_secret(line.path):
            results.left_out[printable(shown(line.path))] = None
            continue
        text = f"│{line.number}{':' if line.hit else '-'}{line.text}"
        size += len(text.encode()) + 1
        if size > _BYTES or (line.hit and results.count == HITS):
            results.full = True
            break
        if line.path != path:
            lines += [_RULE] if path else []
            lines += ["", printable(shown(line.path)), _RULE]
            path = line.path
        elif line.apart:
            lines.append(_RULE)
        lines.append(text)
        results.count += line.hit
    lines += [_RULE] if path else []
    return results

"""Where a block's SEARCH lines stand in the running content.

Law: whole lines, literally first and over the whole file; only when that finds nothing, the same
lines without trailing blanks, then without indentation, then without the line numbers that
read_file shows.  The first step that finds anything is the last: an easier comparison never
adds a place.  Every step is one search through one text, so time is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from tools.edits.blocks import Reading
from tools.edits.indentation import reindented

MOST = 1000
"""How many places are looked for; more are as good as this many."""

_LABEL = re.compile(r"[ \t]*(\d+) \|(?: |$)")


class Fit(Enum):
    """How literally a block matched."""

    LITERAL = "literally"
    TRAILING = "without trailing blanks"
    INDENTED = "without indentation"
    LABELLED = "without line numbers"


@dataclass(frozen=True, slots=True)
class Place:
    """Lines that match, and what is to stand there."""

    start: int
    stop: int
    lines: tuple[str, ...]
    fit: Fit


@dataclass(frozen=True, slots=True)
class Found:
    """All places that the first successful step found, in the order of the file."""

    fit: Fit
    starts: tuple[int, ...]


def occurrences(texts: Sequence[str], search: Sequence[str]) -> Iterator[int]:
    """Give each index at which these lines stand, overlapping ones included."""
    if not search:
        return
    whole = "\n" + "\n".join(texts) + "\n"
    needle = "\n" + "\n".join(search) + "\n"
    line, counted = 0, 0
    at = whole.find(needle)
    for _ in range(MOST):
        if at < 0:
            return
        line += whole.count("\n", counted, at)
        counted = at
        yield line
        at = whole.find(needle, at + 1)


def find(texts: Sequence[str], reading: Reading) -> Found | None:
    """Give where the first step that finds anything finds it."""
    for fit, ease in _STEPS:
        eased = [ease(line) for line in texts] if ease else texts
        search = [ease(line) for line in reading.search] if ease else reading.search
        if starts := tuple(occurrences(eased, search)):
            return Found(fit, starts)
    bare = without_labels(reading)
    if bare and (starts := tuple(occurrences(texts, bare.search))):
        labelled = label_of(reading.search[0])
        exactly = tuple(start for start in starts if start + 1 == labelled)
        return Found(Fit.LABELLED, exactly or starts)
    return None


_STEPS: tuple[tuple[Fit, Callable[[str], str] | None], ...] = (
    (Fit.LITERAL, None),
    (Fit.TRAILING, str.rstrip),
    (Fit.INDENTED, str.strip),
)


def place(texts: Sequence[str], reading: Reading, fit: Fit, start: int) -> Place | None:
    """Give the place at `start`; none where the file's indentation cannot be told."""
    stop = start + len(reading.search)
    found = texts[start:stop]
    replace: Sequence[str] | None = reading.replace
    match fit:
        case Fit.LITERAL:
            pass
        case Fit.TRAILING:
            replace = _kept(reading.search, found, reading.replace)
        case Fit.INDENTED:
            replace = reindented(reading.search, found, reading.replace)
        case Fit.LABELLED:
            bare = without_labels(reading)
            stop = start + len(bare.search) if bare else stop
            replace = bare.replace if bare else None
    return None if replace is None else Place(start, stop, tuple(replace), fit)


def label_of(line: str) -> int | None:
    """Give the number that read_file put before a line, if there is one."""
    found = _LABEL.match(line)
    return int(found[1]) if found and len(found[1]) < 10 else None


def without_labels(reading: Reading) -> Reading | None:
    """Take the line numbers off; none unless each SEARCH line has one, and REPLACE all or none."""
    labelled = [label_of(line) is not None for line in reading.replace]
    if not all(label_of(line) is not None for line in reading.search):
        return None
    if any(labelled) and not all(labelled):
        return None
    strip = [_LABEL.sub("", line, count=1) for line in reading.search]
    new = [_LABEL.sub("", line, count=1) for line in reading.replace] if any(labelled) else None
    return Reading(tuple(strip), reading.replace if new is None else tuple(new), reading.divider)


def _kept(search: Sequence[str], found: Sequence[str], replace: Sequence[str]) -> list[str]:
    own = dict(zip(search, found, strict=True))
    return [own.get(line, line) for line in replace]

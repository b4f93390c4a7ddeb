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

from tools.diffs import steps
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
    """Give the place at `start`; none where the file's indentation cannot be told.

    Lines that the block leaves as they are keep the file's own bytes.
    """
    search, replace = reading.search, reading.replace
    if fit is Fit.LABELLED and (bare := without_labels(reading)):
        search, replace = bare.search, bare.replace
    stop = start + len(search)
    found = texts[start:stop]
    carried = reindented(search, found, replace) if fit is Fit.INDENTED else [*replace]
    if carried is None:
        return None
    if found != [*search]:
        for kind, old, end, new, new_end in steps([*search], [*replace]):
            if kind == "equal":
                carried[new:new_end] = found[old:end]
    return Place(start, stop, tuple(carried), fit)


def label_of(line: str) -> int | None:
    """Give the number that read_file put before a line, if there is one."""
    found = _LABEL.match(line)
    return int(found[1]) if found and len(found[1]) < 10 else None


def unlabelled(line: str) -> str:
    """Take the number off that read_file puts before a line."""
    return _LABEL.sub("", line, count=1)


def without_labels(reading: Reading) -> Reading | None:
    """Take the line numbers off; none unless each SEARCH line has one, and REPLACE all or none."""
    labelled = [label_of(line) is not None for line in reading.replace]
    if not all(label_of(line) is not None for line in reading.search):
        return None
    if any(labelled) and not all(labelled):
        return None
    replace = tuple(map(unlabelled, reading.replace)) if any(labelled) else reading.replace
    return Reading(tuple(map(unlabelled, reading.search)), replace, reading.divider)

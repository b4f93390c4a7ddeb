"""Blocks applied to a text: all of them, or none.

Each block is matched against the running content, so a later block may build on an earlier
one, in any order of the file.  A block must match once.  Lines of the file come before lines
that an earlier block wrote.  One case of several matches is clear: as many blocks of the diff
have this very SEARCH text as there are places left for it; they are taken in order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tools.edits import explain
from tools.edits.blocks import Block, Reading, read_blocks
from tools.edits.content import Content
from tools.edits.locate import Fit, Place, find, occurrences, place
from tools.errors import EditFailed

_Searches = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Applied:
    """What one block did; `line` is where its text stands in the new file, from 1."""

    block: int
    line: int
    removed: int
    lines: tuple[str, ...]
    fit: Fit
    changed: bool


@dataclass(frozen=True, slots=True)
class Edited:
    """The new text, and what each block did."""

    text: str
    applied: tuple[Applied, ...]


def apply_edits(text: str, diff: str, name: str) -> Edited:
    """Apply a diff in Cline's format; raises EditFailed, and then nothing was applied.

    `name` is how messages call the file.
    """
    blocks = read_blocks(diff)
    content = Content(text)
    groups = _groups(blocks)
    done: list[tuple[int, Place, bool]] = []
    for index, block in enumerate(blocks):
        found = _located(content, block, groups[_searches(block)], blocks[index:], name)
        changed = list(found.lines) != content.texts[found.start : found.stop]
        content.replace(found.start, found.stop, found.lines, block.number)
        done.append((block.number, found, changed))
    return Edited(
        content.text,
        tuple(_applied(content, number, found, changed=changed) for number, found, changed in done),
    )


def _located(
    content: Content, block: Block, alike: set[int], rest: Sequence[Block], name: str
) -> Place:
    reading = _meant(content, block, name)
    if not reading.search and content.texts:
        raise EditFailed(explain.empty_search(block.number, name))
    if not content.texts and not any(line.strip() for line in reading.search):
        return Place(0, 0, reading.replace, Fit.LITERAL)
    found = find(content.texts, reading)
    if found is None:
        raise EditFailed(explain.not_found(content, block.number, reading, name))
    starts = _meant_places(content, found.starts, len(reading.search), alike)
    if len(starts) > 1 and len(starts) != sum(each.number in alike for each in rest):
        raise EditFailed(explain.ambiguous(content, block.number, found.fit, starts, name))
    chosen = place(content.texts, reading, found.fit, starts[0])
    if chosen is None:
        raise EditFailed(explain.not_found(content, block.number, reading, name))
    return chosen


def _meant_places(
    content: Content, starts: Sequence[int], size: int, alike: set[int]
) -> Sequence[int]:
    """Leave out what earlier blocks wrote, then what blocks alike have matched, if any remain.

    A block that moves lines writes them anew before another deletes the old ones.
    """
    own = [at for at in starts if all(content.origins[at : at + size])] or starts
    return [at for at in own if alike.isdisjoint(content.owners[at : at + size])] or own


def _meant(content: Content, block: Block, name: str) -> Reading:
    if len(block.readings) == 1:
        return block.readings[0]
    fitting = [each for each in block.readings if _stands(content, each)]
    if len(fitting) == 1:
        return fitting[0]
    raise EditFailed(explain.unclear_divider(block, len(fitting), name))


def _stands(content: Content, reading: Reading) -> bool:
    if not reading.search:
        return not content.texts
    return next(occurrences(content.texts, reading.search), None) is not None


def _groups(blocks: Sequence[Block]) -> dict[_Searches, set[int]]:
    """Give the numbers of the blocks that search the same."""
    groups: defaultdict[_Searches, set[int]] = defaultdict(set)
    for block in blocks:
        groups[_searches(block)].add(block.number)
    return groups


def _searches(block: Block) -> _Searches:
    return tuple(reading.search for reading in block.readings)


def _applied(content: Content, number: int, found: Place, *, changed: bool) -> Applied:
    owned = (at for at, owner in enumerate(content.owners) if owner == number)
    line = next(owned, found.start) + 1
    return Applied(number, line, found.stop - found.start, found.lines, found.fit, changed)

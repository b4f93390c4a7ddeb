"""A diff in Cline's format, read as blocks: what to search, what to write instead.

The divider is the line of exactly seven `=`; where a block has none, the line as long as the
block's own opening marker; else any line of three or more.  So eight `=` below a heading are
content beside a real divider, and a model that miscounts throughout is still understood.  A
block with several such lines has several readings; the file decides which one is meant, and
where it does not, the edit fails: never a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.edits.markers import SEVEN, Mark, escaped, mark_of, spoilt_end
from tools.errors import EditFailed
from tools.lines import split_lines

_MOST = 32
"""Readings of one block that are compared with the file."""

FORM = "------- SEARCH / lines as they are in the file / ======= / new lines / +++++++ REPLACE"


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to part a block at a divider."""

    search: tuple[str, ...]
    replace: tuple[str, ...]
    divider: int  # line of the diff, from 1


@dataclass(frozen=True, slots=True)
class Block:
    """One SEARCH/REPLACE block, numbered from 1; it has one reading, or its divider is unclear."""

    number: int
    readings: tuple[Reading, ...]


def read_blocks(diff: str) -> tuple[Block, ...]:
    """Read a whole diff; raises EditFailed saying which block and which line is malformed.

    Text around blocks (a sentence, a code fence) is passed over.  A missing end marker is
    accepted at the very end, where it can only mean one thing.
    """
    lines = split_lines(diff)[0]
    blocks: list[Block] = []
    at = 0
    while at < len(lines):
        found = mark_of(lines[at])
        if found is None or (found[0] is Mark.DIVIDER and found[1] != SEVEN):
            at += 1
        elif found[0] is Mark.START:
            end = _end_of_block(lines, at, len(blocks) + 1)
            blocks.append(_block(lines, at, end, len(blocks) + 1))
            at = end + 1
        else:
            raise _stray(lines, at, len(blocks))
    if not blocks:
        raise EditFailed(
            f"The diff has no block{_near_start(lines)}, so nothing was written. Write blocks as: "
            f"{FORM}."
        )
    return tuple(blocks)


def _end_of_block(lines: Sequence[str], start: int, number: int) -> int:
    for at in range(start + 1, len(lines)):
        match mark_of(lines[at]):
            case (Mark.END, _):
                return at
            case (Mark.START, _):
                raise EditFailed(
                    f"Block {number} has no end marker before line {at + 1} of the diff starts "
                    "another, so nothing was written. End it with +++++++ REPLACE; a marker line "
                    "that is content is written with a backslash before it."
                )
            case _:
                pass
    last = next(line for line in reversed(lines) if line.strip())
    mark = mark_of(last)
    fenced = last.startswith("```") and lines[0].startswith("```")
    if spoilt_end(last) or fenced or (mark and mark[0] is Mark.DIVIDER):
        raise EditFailed(
            f"The end marker of block {number} is missing or misspelt: the diff ends with "
            f"{last!r}, so nothing was written. End the block with +++++++ REPLACE."
        )
    return len(lines)


def _block(lines: Sequence[str], start: int, end: int, number: int) -> Block:
    opening = mark_of(lines[start])
    dividers = _dividers(lines, start + 1, end, opening[1] if opening else SEVEN)
    if not dividers:
        raise EditFailed(
            f"Block {number} (line {start + 1} of the diff) has no ======= line between SEARCH "
            f"and REPLACE, so nothing was written. Write it as: {FORM}."
        )
    if len(dividers) > _MOST:
        raise EditFailed(
            f"Block {number} has {len(dividers)} lines that could divide it, so nothing was "
            "written. Put a backslash before each ======= line that is content (\\=======)."
        )
    width = _width(lines, dividers[0])
    body = {at: _content(lines[at], width) for at in range(start + 1, end)}
    return Block(
        number,
        tuple(
            Reading(
                tuple(body[at] for at in range(start + 1, divider)),
                tuple(body[at] for at in range(divider + 1, end)),
                divider + 1,
            )
            for divider in dividers
        ),
    )


def _dividers(lines: Sequence[str], start: int, end: int, opening: int) -> list[int]:
    runs = [at for at in range(start, end) if _width(lines, at)]
    for wanted in (SEVEN, opening):
        if fitting := [at for at in runs if _width(lines, at) == wanted]:
            return fitting
    return runs


def _width(lines: Sequence[str], at: int) -> int:
    found = mark_of(lines[at])
    return found[1] if found and found[0] is Mark.DIVIDER else 0


def _content(line: str, divider: int) -> str:
    found = escaped(line)
    if found is None:
        return line
    mark, width = found
    if mark is Mark.DIVIDER and divider == SEVEN and width != SEVEN:
        return line  # a run that is no divider here needs no escape, so the backslash is content
    return line[1:]


def _near_start(lines: Sequence[str]) -> str:
    """Name the last line that was meant to open a block and does not."""
    near = [line for line in lines if "search" in line.lower() and not mark_of(line)]
    return f" ({near[-1][:80]!r} is no opening marker)" if near else ""


def _stray(lines: Sequence[str], at: int, blocks: int) -> EditFailed:
    after = f"after block {blocks}" if blocks else "before any block"
    return EditFailed(
        f"Line {at + 1} of the diff, {lines[at]!r}, stands {after}{_near_start(lines[:at])}, so "
        "nothing was written. "
        f"Write blocks as: {FORM}. A marker line that is content is written with a backslash "
        "before it."
    )

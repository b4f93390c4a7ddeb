"""What the model is told when a block cannot be applied: which, where, what differs, what to do.

Line numbers are those of the file as it is on disk.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tools.edits.blocks import Block, Reading
from tools.edits.closest import closest, squeezed, within_a_line
from tools.edits.content import Content, Gone
from tools.edits.locate import MOST, Fit, label_of, occurrences, unlabelled

_LONGEST = 160  # characters shown of a line
_SHOWN = 8  # lines shown of a text
_DIFFERENT = 3  # lines whose difference is spelled out
_ELLIPSIS = re.compile(r"(?:(?:#|//|--|/\*|<!--)\s*)?(?:\.\.\.|…).{0,60}")


def ambiguous(content: Content, block: int, fit: Fit, starts: Sequence[int], name: str) -> str:
    """Explain that a block matches several places."""
    count = f"{MOST} or more" if len(starts) >= MOST else str(len(starts))
    eased = "" if fit is Fit.LITERAL else f" (compared {fit.value})"
    listed = ", ".join(_number(content, start) for start in starts[:20])
    return (
        f"Block {block}: its SEARCH text matches {count} places in {name}{eased}, at lines {listed}"
        f"{', …' if len(starts) > 20 else ''}. Nothing was written. Add lines before or after it "
        "until it matches one place only."
    )


def empty_search(block: int, name: str) -> str:
    """Explain that a block searches nothing in a file that has text."""
    return (
        f"Block {block}: its SEARCH part is empty, but {name} has text. Nothing was written. Give "
        "the lines that are to be replaced; to insert, repeat a neighbouring line in both parts; "
        "to replace the whole file, use write_to_file."
    )


def unclear_divider(block: Block, fitting: int, name: str) -> str:
    """Explain that a block has several dividers, and the file does not tell which is meant."""
    lines = ", ".join(str(reading.divider) for reading in block.readings)
    why = "none of the readings is found" if not fitting else f"{fitting} of the readings are found"
    return (
        f"Block {block.number} has {len(block.readings)} divider lines (lines {lines} of the "
        f"diff), and {why} in {name}. Nothing was written. Put a backslash before each ======= "
        "line that is content (\\=======)."
    )


def not_found(content: Content, block: int, reading: Reading, name: str) -> str:
    """Explain that a block matches nowhere: the closest lines, and what differs."""
    shown = "\n".join(_cut(line) for line in reading.search[:_SHOWN])
    more = len(reading.search) - _SHOWN
    rest = f"\n… ({more} more lines)" if more > 0 else ""
    parts = [
        f"Block {block}: its SEARCH text was not found in {name}. Nothing was written. It begins:",
        f"{shown}{rest}",
        *_hints(content, reading),
        "SEARCH must hold whole lines exactly as they are in the file now.",
    ]
    return "\n".join(parts)


def _hints(content: Content, reading: Reading) -> Iterator[str]:
    texts, search = content.texts, reading.search
    if gone := _taken(content, search):
        where = f"line {gone.number}" if gone.number else "a line of it"
        yield f"It overlaps with block {gone.block}, which has replaced {where}; join the two."
    plain = tuple(html.unescape(line) for line in search)
    if plain != search and next(occurrences(texts, plain), None) is not None:
        yield "The file has the characters themselves where SEARCH has entities such as &lt;."
    if any(_ELLIPSIS.fullmatch(line.strip()) for line in search):
        yield "A line of dots does not stand for other lines: give every line."
    there = next(occurrences(texts, reading.replace), None)
    if there is not None and any(line.strip() for line in reading.replace):
        yield f"The REPLACE text stands at line {_number(content, there)} already."
    if all(label_of(line) is not None for line in search):
        yield "SEARCH has the line numbers that read_file shows; leave them out, in both parts."
        search = tuple(map(unlabelled, search))
    inner = _without_blank_edges(search)
    if inner != search and (there := next(occurrences(texts, inner), None)) is not None:
        yield f"Without the blank lines at its edges it stands at line {_number(content, there)}."
        return
    yield from _closest(content, search)


def _without_blank_edges(search: Sequence[str]) -> Sequence[str]:
    full = [at for at, line in enumerate(search) if line.strip()]
    return search[full[0] : full[-1] + 1] if full else search


def _taken(content: Content, search: Sequence[str]) -> Gone | None:
    """Find the first replaced line of the search text that is nowhere else."""
    if not content.replaced:
        return None
    missing = {line.strip() for line in search} - {line.strip() for line in content.texts}
    return next((gone for gone in content.replaced if gone.text.strip() in missing), None)


def _closest(content: Content, search: Sequence[str]) -> Iterator[str]:
    texts = content.texts
    if not texts:
        yield "The file is empty."
        return
    if (at := within_a_line(texts, search)) is not None:
        part = _around(texts[at], texts[at].find(search[0].strip()))
        yield f"Line {_number(content, at)} holds it only as a part: {part}"
        return
    if (at := closest(texts, search)) is None:
        yield "No line of the file is like it; read the file again."
        return
    found = texts[at : at + len(search)]
    yield "The closest lines there:"
    for offset, line in enumerate(found[:_SHOWN]):
        yield f"{_number(content, at + offset)} | {_cut(line)}"
    yield from _differences(content, at, found, search)


def _differences(
    content: Content, start: int, found: Sequence[str], search: Sequence[str]
) -> Iterator[str]:
    different = [
        (offset, theirs, ours)
        for offset, (theirs, ours) in enumerate(zip_longest(found, search))
        if theirs != ours
    ]
    for offset, theirs, ours in different[:_DIFFERENT]:
        if theirs is None:
            yield f"The file ends before: {_cut(ours)}"
            return
        number = _number(content, start + offset)
        if squeezed(theirs) == squeezed(ours):
            there, here = theirs[:_LONGEST], ours[:_LONGEST]
            yield f"Line {number} differs in white space: it is {there!r}, not {here!r}."
        else:
            at = next((i for i, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), 0)
            there, here = _around(theirs, at), _around(ours, at)
            codes = _codes(theirs[at : at + 1], ours[at : at + 1])
            yield f"Line {number} differs: it is {there}, not {here}{codes}"
    if len(different) > _DIFFERENT:
        yield f"{len(different) - _DIFFERENT} more lines differ."


def _codes(theirs: str, ours: str) -> str:
    """Name two characters that may look alike."""
    if not theirs or not ours or (theirs + ours).isascii():
        return ""
    return f" (U+{ord(theirs):04X}, not U+{ord(ours):04X})"


def _number(content: Content, at: int) -> str:
    """Give the number a line has in the file on disk."""
    return str(content.origins[at] or f"(new, block {content.owners[at]})")


def _around(line: str, at: int) -> str:
    """Show a line, or its part around a column if it is long."""
    if len(line) <= _LONGEST:
        return f"`{line}`"
    start = max(0, at - _LONGEST // 2)
    return f"`{'…' if start else ''}{line[start : start + _LONGEST]}…`"


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}… ({len(line):,} characters)"

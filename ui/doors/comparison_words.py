"""A comparison of the two modes, said to a person."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ui.sanitise import one_line, visible
from ui.terminal.cells import width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from parsing import Block
    from ui.doors.comparison import Comparison, Difference

_BEFORE = 64  # characters of the message shown before the caret
_AFTER = 16
_MOST_BLOCKS = 40


def words(found: Comparison) -> str:
    """Say whether the modes agree, what was read, and what each mode took."""
    return "\n".join(_lines(found))


def _lines(found: Comparison) -> Iterator[str]:
    if found.difference is None:
        yield "The two modes agree after every chunk and at the close."
    else:
        yield from _place(found.text, found.difference)
    chunks = f"{found.chunks} chunks of {found.chunk}"
    yield f"{len(found.text)} characters in {chunks}: {len(found.blocks)} blocks"
    shown = found.blocks[:_MOST_BLOCKS]
    yield from (f"  {number:>3}  {_block(block)}" for number, block in enumerate(shown))
    if len(shown) < len(found.blocks):
        yield f"  ... and {len(found.blocks) - len(shown)} more (--json gives all)"
    yield f"reparse      {_time(found.reparse_s, found.chunks)}"
    yield f"incremental  {_time(found.incremental_s, found.chunks)}"


def _block(block: Block) -> str:
    from parsing import ReasoningBlock, TextBlock

    match block:
        case TextBlock(text):
            said = f"text       {one_line(text, 80)}"
        case ReasoningBlock(text):
            said = f"reasoning  {one_line(text, 80)}"
        case _:
            keys = ", ".join(dict.fromkeys(value.key for value in block.values))
            fault = f"  fault: {block.fault}" if block.fault else ""
            said = f"tool use   {one_line(f'{block.name}({keys}){fault}', 160)}"
    return f"{said}{'  (partial)' if block.partial else ''}"


def _time(seconds: float, chunks: int) -> str:
    each = f", {seconds / chunks * 1e6:.1f} µs a chunk" if chunks else ""
    return f"{seconds * 1e3:.1f} ms{each}"


def _place(text: str, found: Difference) -> Iterator[str]:
    when = "at the close" if found.closed else f"after chunk {found.chunk} (character {found.fed})"
    yield f"The two modes DIFFER, first {when}, in block {found.index}:"
    line = text[: found.fed].count("\n") + 1
    start = max(text.rfind("\n", 0, max(found.fed - 1, 0)) + 1, found.fed - _BEFORE)
    before = visible(text[start : found.fed].removesuffix("\n")).replace("\t", " ")
    after = visible(text[found.fed : found.fed + _AFTER].partition("\n")[0]).replace("\t", " ")
    label = f"line {line}: "
    yield f"  {label}{before}{after}"
    yield f"  {'':{len(label) + max(width(before) - 1, 0)}}^ read up to here"
    yield f"  reparse:      {_json(found.reparse)}"
    yield f"  incremental:  {_json(found.incremental)}"


def _json(block: Block | None) -> str:
    return visible(json.dumps(block.as_json(), ensure_ascii=False)) if block else "(no such block)"

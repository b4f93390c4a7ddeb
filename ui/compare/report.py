"""A comparison, said to a person and to programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from parsing import Block, ReasoningBlock, TextBlock
from ui.compare.against import Decision
from ui.compare.comparison import Comparison, Difference
from ui.compare.run import Results
from ui.compare.table import table
from ui.compare.totals import all_of, by_source
from ui.sanitise import one_line, visible
from ui.terminal.cells import width

_BEFORE = 64  # characters of the message shown before the caret
_AFTER = 16
_BLOCKS = 40  # blocks of a single message that are listed
_PLACES = 5  # divergences, and decisions of another dialect, that are shown


def as_json(
    results: Results, left_out: Sequence[str], against: str, *, wanting: bool = False
) -> dict[str, Any]:
    """Give the figures of all messages, and all there is to know of each, or of each bad one."""
    told = [found for found in results.comparisons if not wanting or not found.agrees]
    total = all_of(results.comparisons)
    unlike = {"dialect": against, "messages": total.unlike, "decisions": dict(total.decisions)}
    return {
        "agree": not total.divergences,
        "interrupted": results.ended is not None,
        "asked": results.asked,
        **total.as_json(),
        "against": unlike if against else None,
        "left_out": list(left_out),
        "results": [found.as_json() for found in told],
    }


def words(results: Results, against: str) -> str:
    """Say whether the modes agree, where they do not, what was read, and what it took."""
    return "\n".join(_lines(results.comparisons, against))


def _lines(comparisons: Sequence[Comparison], against: str) -> Iterator[str]:
    diverged = [found for found in comparisons if not found.agrees]
    if not comparisons:
        yield "No message was compared to its end."
    elif not diverged:
        yield "The two modes agree after every chunk and at the close."
    for found in diverged[:_PLACES]:
        if found.difference is not None:
            yield from _place(found, found.difference)
        if found.broken:
            yield from _broken(found)
    if len(diverged) > _PLACES:
        yield f"... and {len(diverged) - _PLACES:,} more (--json gives all)"
    if len(comparisons) == 1:
        yield from _message(comparisons[0])
    if comparisons:
        yield ""
        yield from table(by_source(comparisons), all_of(comparisons))
    if against:
        yield from _against(comparisons, against)


def _broken(found: Comparison) -> Iterator[str]:
    from ui.compare.fuzz import smallest_words

    yield f"--fuzz, seed {found.number} ({visible(found.dialect)}): {visible(found.broken)}"
    yield from map(visible, smallest_words(found))


def _message(found: Comparison) -> Iterator[str]:
    fixed = found.cut.startswith("chunks ")
    chunks = f"{found.chunks} {found.cut}" if fixed else f"{found.chunks} chunks ({found.cut})"
    yield f"{len(found.text)} characters in {chunks}: {len(found.blocks)} blocks"
    shown = found.blocks[:_BLOCKS]
    yield from (f"  {number:>3}  {_block(block)}" for number, block in enumerate(shown))
    if len(shown) < len(found.blocks):
        yield f"  ... and {len(found.blocks) - len(shown)} more (--json gives all)"


def _block(block: Block) -> str:
    match block:
        case TextBlock(text):
            said = f"text       {one_line(text, 80)}"
        case ReasoningBlock(text):
            said = f"reasoning  {one_line(text, 80)}"
        case _:
            keys = ", ".join(block.params)
            fault = f"  fault: {block.fault}" if block.fault else ""
            said = f"tool use   {one_line(f'{block.name}({keys}){fault}', 160)}"
    return f"{said}{'  (partial)' if block.partial else ''}"


def _place(found: Comparison, at: Difference) -> Iterator[str]:
    text = found.text
    when = "at the close" if at.closed else f"after chunk {at.chunk} (character {at.fed})"
    cut = "" if at.cut is None else f", cut in two at character {at.cut}"
    yield f"{visible(found.place)} ({visible(found.dialect)}{cut}):"
    yield f"The two modes DIFFER, first {when}, in block {at.index}:"
    line = text[: at.fed].count("\n") + 1
    start = max(text.rfind("\n", 0, max(at.fed - 1, 0)) + 1, at.fed - _BEFORE)
    before = visible(text[start : at.fed].removesuffix("\n")).replace("\t", " ")
    after = visible(text[at.fed : at.fed + _AFTER].partition("\n")[0]).replace("\t", " ")
    label = f"line {line}: "
    yield f"  {label}{before}{after}"
    yield f"  {'':{len(label) + max(width(before) - 1, 0)}}^ read up to here"
    yield f"  reparse:      {_json(at.reparse)}"
    yield f"  incremental:  {_json(at.incremental)}"


def _json(block: Block | None) -> str:
    return visible(json.dumps(block.as_json(), ensure_ascii=False)) if block else "(no such block)"


def _against(comparisons: Sequence[Comparison], against: str) -> Iterator[str]:
    total = all_of(comparisons)
    several = f"{total.unlike:,} of {total.messages:,} messages read differently"
    yield f"\nAgainst {against}: {several}"
    yield from (f"  {count:>6,}  {what}" for what, count in total.decisions.most_common())
    pairs = [(found, one) for found in comparisons for one in found.against]
    wide = max(map(len, (against, *(found.dialect for found, _ in pairs[:_PLACES]))))
    for found, one in pairs[:_PLACES]:
        yield from _decision(found, one, against, wide)
    if len(pairs) > _PLACES:
        yield f"... and {len(pairs) - _PLACES:,} more (--json gives all)"


def _decision(found: Comparison, one: Decision, against: str, wide: int) -> Iterator[str]:
    number = one.other_index if one.index is None else one.index
    yield f"{visible(found.place)}, block {number}: {one.what}"
    yield f"  {found.dialect + ':':{wide + 2}} {_reading(one.ours)}"
    yield f"  {against + ':':{wide + 2}} {_reading(one.theirs)}"


def _reading(block: Block | None) -> str:
    match block:
        case None:
            return "(no such block)"
        case TextBlock(text):
            return f"text {one_line(json.dumps(text, ensure_ascii=False), 120)}"
        case ReasoningBlock(text):
            return f"reasoning {one_line(json.dumps(text, ensure_ascii=False), 120)}"
        case _:
            fault = f", fault: {block.fault}" if block.fault else ""
            partial = ", partial" if block.partial else ""
            said = f"{block.name} {block.arguments}{fault}{partial}"
            return one_line(said, 140)

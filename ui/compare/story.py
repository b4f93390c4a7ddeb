"""What the page shows of one message: every step of both readings, written as changes.

Law: offsets are counted as a browser counts, in UTF-16 units.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from parsing import Block, ReasoningBlock, TextBlock, ToolUse
from ui.compare.against import decisions
from ui.compare.pair import Blocks, Pair, Step

Patch = list[Any]


class Story:
    """Writes down step after step."""

    def __init__(self, text: str, pair: Pair) -> None:
        self._pair = pair
        self._units = Units(text)
        self._columns = [Column(self._units) for _ in pair.readers]
        self._told: dict[str, list[Any]] = {
            "fed": [],
            "costs": [[], []],
            "visible": [[] for _ in pair.readers],
            "patches": [[] for _ in pair.readers],
        }
        self._differs: list[int] = []
        self._unlike: list[Any] = []
        self._held: list[list[int]] = [[], []]
        self._closed = False

    def take(self, step: Step) -> None:
        """Write a step down."""
        pair, told = self._pair, self._told
        same = step.reparse == step.incremental
        if not same:
            self._differs.append(len(told["fed"]))
        told["fed"].append(self._units.at(step.fed))
        for costs, reader in zip(told["costs"], (pair.reparse, pair.incremental), strict=True):
            costs.append(round(reader.seconds * 1e6, 2))
        for visible, reader in zip(told["visible"], pair.readers, strict=True):
            place = reader.visible
            visible.append(None if place is None else self._units.at(place))
        readings: list[Blocks] = [step.reparse, step.incremental]
        if pair.other is not None:
            readings.append(pair.other.blocks)
            self._hold(step.reparse, readings[2])
        for patches, column, blocks in zip(told["patches"], self._columns, readings, strict=True):
            patches.append(column.patches(blocks))
        if same:  # the page takes the first column's
            told["patches"][1][-1] = 0
        self._closed = step.closed

    def as_json(self) -> dict[str, Any]:
        """Give the steps, column by column."""
        return {**self._told, "differs": self._differs, "closed": self._closed} | (
            {"unlike": self._unlike} if self._pair.other is not None else {}
        )

    def _hold(self, ours: Blocks, theirs: Blocks) -> None:
        """Write down which blocks the other dialect reads differently, when that changes."""
        found = decisions(ours, theirs)
        now = [
            [d.index for d in found if d.index is not None],
            [d.other_index for d in found if d.other_index is not None],
        ]
        self._unlike.append(0 if now == self._held else now)
        self._held = now


class Units:
    """Offsets in characters, told in UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._wide = [] if text.isascii() else [at for at, c in enumerate(text) if c > "\uffff"]

    def at(self, offset: int) -> int:
        return offset + bisect_left(self._wide, offset) if self._wide else offset


class Column:
    """The blocks of one reading, told as what changed since the step before."""

    def __init__(self, units: Units) -> None:
        self._units = units
        self._before: Blocks = ()

    def patches(self, blocks: Blocks) -> list[Any]:
        """Give `[count, [index, change], …]`: blocks beyond the count are gone."""
        old, self._before = self._before, blocks
        shared = min(len(old), len(blocks))
        changed = [at for at in range(shared) if old[at] != blocks[at]]
        told: list[Patch] = [[at, self._change(old[at], blocks[at])] for at in changed]
        told += [[at, self._change(None, blocks[at])] for at in range(shared, len(blocks))]
        return [len(blocks), *told] if told or len(old) != len(blocks) else []

    def _change(self, old: Block | None, new: Block) -> dict[str, Any]:
        """Give the members that changed; of a text that grew, what was added."""
        now = self._shown(new)
        if old is None or type(old) is not type(new):
            return now
        was = self._shown(old)
        change = {name: value for name, value in now.items() if was[name] != value}
        if "fields" in change:
            change["fields"] = _grown(was["fields"], now["fields"])
        return change

    def _shown(self, block: Block) -> dict[str, Any]:
        place = [None if at is None else self._units.at(at) for at in (block.start, block.end)]
        shown: dict[str, Any] = {"place": place, "partial": block.partial}
        match block:
            case TextBlock(content):
                return shown | {"kind": "text", "fields": [["", content]]}
            case ReasoningBlock(reasoning):
                return shown | {"kind": "reasoning", "fields": [["", reasoning]]}
            case ToolUse(name):
                fields = [[value.key, value.text] for value in block.values]
                if block.raw is not None:
                    fields = [["arguments", block.raw]]
                notes = {"fault": block.fault, "repaired": list(block.repaired)}
                return shown | {"kind": "tool", "name": name, "fields": fields} | notes


def _grown(was: Sequence[list[str]], now: Sequence[list[str]]) -> list[list[Any]]:
    """Give fields that stayed as 0, and those that grew as `[key, what was added, 1]`."""
    told: list[Any] = []
    for at, (key, text) in enumerate(now):
        old = was[at] if at < len(was) and was[at][0] == key else None
        if old is not None and old[1] == text:
            told.append(0)
        elif old is not None and text.startswith(old[1]):
            told.append([key, text[len(old[1]) :], 1])
        else:
            told.append([key, text])
    return told

"""Reads one message in both modes, chunk by chunk, and says which law it breaks.

Numbers are those of `parsing/README.md`; law 6 is a benchmark, law 8 starts from a call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from parsing.blocks import Block, ReasoningBlock, TextBlock, ToolUse
from parsing.fuzz.growth import Heard, grown, unreadable
from parsing.fuzz.message import Message
from parsing.grammar import CompiledEdge, CompiledMode, Grammar
from parsing.incremental import Incremental
from parsing.marks import ahead, longest
from parsing.reader import Reader
from parsing.registry import Mode, compiled, dialect, reader
from parsing.reparse import Reparse
from parsing.table import Dialect, Slot


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken law: the chunk after which it shows (the close counts as one), and how."""

    law: int
    place: int
    message: str


class LawBroken(AssertionError):
    """A message that breaks a law: a fault of ours, or of a dialect's table."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(f"law {fault.law}, chunk {fault.place}: {fault.message}")


def check(message: Message, protocol: Dialect | None = None) -> int:
    """Check a message; give how often the modes were compared.  Raises LawBroken.

    `protocol` is for a dialect that goes by no name.
    """
    checking = _Checking(message, protocol or dialect(message.dialect))
    try:
        return checking.run()
    except LawBroken:
        raise
    except Exception as error:
        told = f"{type(error).__name__}: {error}"
        raise LawBroken(Fault(7, checking.place, told)) from error


def fault_of(message: Message) -> Fault | None:
    """Give the law that a message breaks, if it breaks one."""
    try:
        check(message)
    except LawBroken as broken:
        return broken.fault
    return None


class _Checking:
    """Readers side by side; `quiet` is asked for nothing until the close."""

    def __init__(self, message: Message, protocol: Dialect) -> None:
        self.place = 0
        self._message = message
        self._protocol = protocol
        self._fed = ""
        self._reparse = self._reader("reparse")
        self._incremental = self._reader("incremental")
        self._quiet = self._reader("incremental")
        self._heard = (Heard(), Heard(), Heard())
        self._foreign = protocol.readers is not None  # keeps laws 1, 2 and 7 only
        self._before: tuple[Block, ...] = ()
        self._grammar = self._compiled()

    def _reader(self, mode: Mode) -> Reader:
        said = self._message
        return reader(self._protocol, said.tools, mode, options=said.options)

    def _compiled(self) -> Grammar | None:
        said, protocol = self._message, self._protocol
        if protocol.readers is not None or protocol.tags_only:
            return None
        return compiled(protocol, said.tools, said.options)

    def run(self) -> int:
        chunks = self._message.chunks
        for chunk in chunks:
            self._feed(chunk)
        self._close()
        self._whole()
        return len(chunks) + 1

    def _broken(self, law: int, wrong: str | None) -> None:
        if wrong:
            raise LawBroken(Fault(law, self.place, wrong))

    def _feed(self, chunk: str) -> None:
        self.place += 1
        self._fed += chunk
        changes = [one.feed(chunk) for one in (self._reparse, self._incremental)]
        quiet = self._quiet.feed(chunk)
        if not self._foreign:
            for heard, change in zip(self._heard, changes, strict=False):
                self._broken(3, heard.take(change.deltas()))
            if len(self._fed) % 3 == 0:
                self._broken(3, self._heard[2].take(quiet.deltas()))
        self._compare([change.first for change in changes])
        self._broken(5, self._leash())

    def _close(self) -> None:
        self.place += 1
        finish = self._message.finish
        readers = (self._reparse, self._incremental, self._quiet)
        changes = [one.close(finish) for one in readers]
        if not self._foreign:
            for heard, change in zip(self._heard, changes, strict=True):
                self._broken(3, heard.take(change.deltas()))
            self._broken(3, self._heard[2].differs(self._quiet.blocks))
        self._compare([change.first for change in changes[:2]])
        blocks = self._reparse.blocks
        self._broken(1, _differ("asked", blocks, "not asked", self._quiet.blocks))
        if not self._foreign:
            self._broken(4, _lost(blocks, self._fed, exact=self._message.options.serving))
            self._broken(4, self._shown(blocks))

    def _compare(self, firsts: Sequence[int]) -> None:
        one, two = self._reparse.blocks, self._incremental.blocks
        self._broken(1, _differ("reparse", one, "incremental", two))
        before, self._before = self._before, one
        if self._foreign:
            return
        self._broken(3, grown(before, one))
        for first in firsts:
            if before[:first] != one[:first]:
                self._broken(3, f"a block below first={first} changed: {before}, then {one}")
        for heard in self._heard[:2]:
            self._broken(3, heard.differs(one))
        for block in one:
            if isinstance(block, ToolUse):
                self._broken(3, unreadable(block))
                if block.raw and block.raw not in self._fed:
                    self._broken(4, f"arguments that the model did not write: {block.raw!r}")

    def _whole(self) -> None:
        """Law 2."""
        once = self._reader("incremental")
        once.feed(self._fed)
        once.close(self._message.finish)
        self._broken(2, _differ("in chunks", self._before, "in one", once.blocks))

    def _leash(self) -> str | None:
        """Law 5: what is held is half a mark, or a mark whose right context is not decided."""
        one, two = self._reparse, self._incremental
        if not isinstance(one, Reparse) or not isinstance(two, Incremental):
            return None
        if one.visible != two.visible:
            return f"the modes show the text up to {one.visible} and {two.visible}"
        held = self._fed[one.visible :]
        mode = one.build.mode
        if not held or self._grammar is None or may_be_held(mode, held):
            return None
        return f"held in {mode.name!r}: {held!r}"

    def _shown(self, blocks: Sequence[Block]) -> str | None:
        """Law 4: a mark that counts wherever it stands is in no text and no reasoning."""
        if self._grammar is None:
            return None
        for block in blocks:
            if isinstance(block, ToolUse):
                continue
            slot = Slot.TEXT if isinstance(block, TextBlock) else Slot.REASONING
            content = block.content if isinstance(block, TextBlock) else block.reasoning
            for edge in _always(self._grammar, slot):
                if edge.whole.search(content):
                    return f"{edge.tag} is shown in {content!r}"
        return None


def may_be_held(mode: CompiledMode, held: str) -> bool:
    """Say whether more text may make a mark of what is held, or decide on a mark it begins with."""
    marks = mode.marks
    if marks is None:
        return True
    if held == marks.escape:
        return True
    return any(
        edge.half.match(held) or _undecided(edge, held) for edge in marks.by_lead.get(held[0], ())
    )


def _undecided(edge: CompiledEdge, held: str) -> bool:
    found = edge.whole.match(held)
    if found is None or not edge.demands:
        return False
    rest = held[found.end() :]
    if edge.unquoted and not rest:
        return True
    if edge.follow is None:
        return False
    rest = rest.lstrip()
    return not rest or any(
        len(rest) <= longest(mark) and re.fullmatch(ahead(mark), rest, re.DOTALL)
        for mark in edge.follow.marks
    )


def _always(grammar: Grammar, slot: Slot) -> list[CompiledEdge]:
    """Give the marks that count at once in all modes of a slot."""
    names = [name for name, mode in grammar.table.modes.items() if mode.slot is slot]
    rows = [
        {tag: edge for tag, edge in grammar.mode(name).edges.items() if not edge.choosy}
        for name in names
    ]
    return (
        [edge for tag, edge in rows[0].items() if all(tag in row for row in rows)] if rows else []
    )


def _differ(one: str, blocks: Sequence[Block], two: str, others: Sequence[Block]) -> str | None:
    if tuple(blocks) == tuple(others):
        return None
    for place in range(max(len(blocks), len(others))):
        left = blocks[place] if place < len(blocks) else None
        right = others[place] if place < len(others) else None
        if left != right:
            return f"block {place}: {one} {left}, {two} {right}"
    return None


def _lost(blocks: Sequence[Block], text: str, *, exact: bool) -> str | None:
    """Law 4: blocks stand one after the other, and say what stands where they stand."""
    spans = [(block.start or 0, len(text) if block.end is None else block.end) for block in blocks]
    inside = len(spans) > 1 and spans[-1][0] < spans[-2][1]
    if inside and isinstance(blocks[-2], ReasoningBlock):
        spans.pop()  # recovered from the reasoning in which it lies
    for (_, end), (start, _) in pairwise([(0, 0), *spans, (len(text), len(text))]):
        if start < end:
            return f"blocks overlap: {blocks}"
    for block in blocks:
        there = text[block.start : block.end]
        match block:
            case ToolUse():
                gone = [value for value in block.values if value.text not in there]
                if gone:
                    return f"a value that the model did not write: {gone[0]}"
            case TextBlock(content=said) | ReasoningBlock(reasoning=said):
                if said != (there if exact else there.strip()):
                    return f"not what stands there, {there!r}: {block}"
    return None

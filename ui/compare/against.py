"""Where two dialects decide differently on one message.

Blocks are matched by what they are and say; where they stand in the text, and whether the last
text is closed, is not a decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from parsing import Block, ReasoningBlock, TextBlock, ToolUse

Seen = tuple[tuple[str, ...], object]  # its kind, with the tool's name, and what it says
_MOST = 2000  # blocks that are aligned; beyond that they are paired in order


@dataclass(frozen=True, slots=True)
class Decision:
    """A block that the dialects read differently; None where one of them has no such block."""

    what: str
    index: int | None
    other_index: int | None
    ours: Block | None
    theirs: Block | None

    def as_json(self) -> dict[str, Any]:
        """Give what differs, and both readings of the block."""
        return {
            "what": self.what,
            "block": self.index,
            "other_block": self.other_index,
            "ours": self.ours.as_json() if self.ours else None,
            "theirs": self.theirs.as_json() if self.theirs else None,
        }


def decisions(ours: Sequence[Block], theirs: Sequence[Block]) -> tuple[Decision, ...]:
    """Give the blocks that are read differently, in the order of the message."""
    return tuple(
        Decision(
            _what(ours[at] if at is not None else None, theirs[to] if to is not None else None),
            at,
            to,
            ours[at] if at is not None else None,
            theirs[to] if to is not None else None,
        )
        for at, to in _unequal([seen(block) for block in ours], [seen(block) for block in theirs])
    )


def seen(block: Block) -> Seen:
    """Give what a block says, without where it stands."""
    match block:
        case TextBlock(content):
            return ("text",), content
        case ReasoningBlock(reasoning):
            return ("reasoning",), reasoning
        case ToolUse():
            runs = not block.partial and block.fault is None
            return ("tool use", block.name), (block.arguments, runs)


def _unequal(ours: list[Seen], theirs: list[Seen]) -> Iterator[tuple[int | None, int | None]]:
    if max(len(ours), len(theirs)) > _MOST:
        pairs = zip_longest(range(len(ours)), range(len(theirs)))
        unequal = (
            (at, to) for at, to in pairs if at is None or to is None or ours[at] != theirs[to]
        )
        yield from unequal
        return
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    for tag, first, last, begin, end in matcher.get_opcodes():
        if tag != "equal":
            yield from _matched(ours, theirs, range(first, last), range(begin, end))


def _matched(
    ours: list[Seen], theirs: list[Seen], here: range, there: range
) -> Iterator[tuple[int | None, int | None]]:
    """Pair blocks that differ: those of one kind or tool first, what lies between in order."""
    one, two = [ours[at][0] for at in here], [theirs[at][0] for at in there]
    opcodes = SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
    for _, first, last, begin, end in opcodes:
        yield from zip_longest(here[first:last], there[begin:end])


def _what(ours: Block | None, theirs: Block | None) -> str:
    match ours, theirs:
        case (None, _):
            return "a block only there"
        case (_, None):
            return "a block only here"
        case (TextBlock(), TextBlock()) | (ReasoningBlock(), ReasoningBlock()):
            return "another text"
        case (ToolUse() as one, ToolUse() as two):
            return _calls(one, two)
        case _:
            return "another kind of block"


def _calls(ours: ToolUse, theirs: ToolUse) -> str:
    if ours.name != theirs.name:
        return "another tool"
    if dict(ours.params) != dict(theirs.params):
        return "other types" if _texts(ours) == _texts(theirs) else "other values"
    if ours.fault:
        return "a call with a fault here"
    return "a call that runs only here" if theirs.partial else "a call that runs only there"


def _texts(use: ToolUse) -> list[str]:
    """Give the values as they were written; JSON has no other text of them than itself."""
    return [use.raw] if use.raw is not None else [f"{one.key}={one.text}" for one in use.values]

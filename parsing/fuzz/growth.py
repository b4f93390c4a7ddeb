"""Law 3, and what deltas add up to: each function says what is wrong, or nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic_core import from_json

from parsing.blocks import Block, ReasoningBlock, TextBlock, ToolUse
from parsing.reader import (
    ArgumentsDelta,
    CallBegan,
    CallEnded,
    Delta,
    ReasoningDelta,
    TextDelta,
)


def grown(before: Sequence[Block], after: Sequence[Block]) -> str | None:
    """Compare the blocks before a chunk with those after it."""
    if len(before) > len(after):
        return f"a block vanished: {before[len(after)]}"
    for old, new in zip(before, after, strict=False):
        if old == new:
            continue
        if not old.partial:
            return f"a closed block changed: {old}, then {new}"
        if wrong := _grown(old, new):
            return f"{wrong}: {old}, then {new}"
    return None


def _grown(old: Block, new: Block) -> str | None:
    if type(old) is not type(new):
        return "a block changed its kind"
    if old.start != new.start:
        return "a block moved"
    match old, new:
        case TextBlock(), TextBlock():
            return None if new.content.startswith(old.content) else "text was taken back"
        case ReasoningBlock(), ReasoningBlock():
            return None if new.reasoning.startswith(old.reasoning) else "reasoning was taken back"
        case ToolUse(), ToolUse():
            return _call_grown(old, new)
        case _:
            return None


def _call_grown(old: ToolUse, new: ToolUse) -> str | None:
    if old.name != new.name:
        return "a name changed"
    if not new.arguments.startswith(old.arguments):
        return f"arguments were taken back ({old.arguments!r}, then {new.arguments!r})"
    if len(old.values) > len(new.values):
        return "a value vanished"
    for one, two in zip(old.values, new.values, strict=False):
        if one.key != two.key or (one.closed and one != two):
            return "a closed value changed"
        if not two.text.startswith(one.text):
            return "a value was taken back"
    if new.repaired[: len(old.repaired)] != old.repaired:
        return "a note was taken back"
    return None


@dataclass(slots=True)
class _Heard:
    kind: str
    name: str = ""
    text: str = ""
    ended: bool = False


@dataclass(slots=True)
class Heard:
    """What one has who hears only deltas; a delta that cannot be followed is kept in `wrong`."""

    blocks: list[_Heard] = field(default_factory=list[_Heard])
    wrong: str | None = None

    def take(self, deltas: Sequence[Delta]) -> str | None:
        """Take deltas; say what is wrong with them."""
        for delta in deltas:
            wrong = self._take(delta)
            if wrong:
                return f"{wrong}: {delta}"
        return None

    def _take(self, delta: Delta) -> str | None:
        match delta:
            case TextDelta(index, text):
                return self._more(index, "text", text)
            case ReasoningDelta(index, text):
                return self._more(index, "reasoning", text)
            case ArgumentsDelta(index, text):
                if index >= len(self.blocks):
                    return "arguments before their call"
                return self._more(index, "call", text)
            case CallBegan(index, name):
                if index != len(self.blocks):
                    return f"a call began at {index} of {len(self.blocks)} blocks"
                self.blocks.append(_Heard("call", name))
            case CallEnded(index):
                if index != len(self.blocks) - 1 or self.blocks[index].kind != "call":
                    return "a call ended that had not begun"
                if self.blocks[index].ended:
                    return "a call ended twice"
                self.blocks[index].ended = True
        return None

    def _more(self, index: int, kind: str, text: str) -> str | None:
        if not text:
            return "an empty delta"
        if index == len(self.blocks):
            self.blocks.append(_Heard(kind))
        if index != len(self.blocks) - 1:
            return f"a delta for {index} of {len(self.blocks)} blocks"
        block = self.blocks[index]
        if block.kind != kind or block.ended:
            return f"a piece of {kind} for {block}"
        block.text += text
        return None

    def differs(self, blocks: Sequence[Block]) -> str | None:
        """Say how the deltas do not add up to these blocks."""
        heard = [(block.kind, block.name, block.text, block.ended) for block in self.blocks]
        shown = [_shown(block) for block in blocks]
        return None if heard == shown else f"deltas: {heard}, blocks: {shown}"


def _shown(block: Block) -> tuple[str, str, str, bool]:
    match block:
        case TextBlock():
            return "text", "", block.content, False
        case ReasoningBlock():
            return "reasoning", "", block.reasoning, False
        case ToolUse():
            return "call", block.name, block.arguments, not block.partial


def unreadable(use: ToolUse) -> str | None:
    """Say what is wrong with arguments that were made from markup."""
    if use.raw is not None:
        return None
    text = use.arguments
    if not use.partial:
        try:
            found: object = json.loads(text)
        except ValueError as error:
            return f"the arguments are not JSON ({error}): {text!r}"
        return None if isinstance(found, dict) else f"the arguments are no object: {text!r}"
    try:
        from_json(_without_surrogates(text) or "{", allow_partial="trailing-strings")
    except ValueError as error:
        return f"the arguments are no beginning of JSON ({error}): {text!r}"
    return None


def _without_surrogates(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")

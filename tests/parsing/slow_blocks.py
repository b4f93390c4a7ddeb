"""The definition, second half: the stretches of a text as blocks."""

from __future__ import annotations

from dataclasses import dataclass, field

from parsing import Block, ReasoningBlock, TextBlock, ToolUse, Value
from parsing.table import Mode, Slot, Trim
from parsing.values import Kind

LONGEST_NOTE = 80


@dataclass
class Param:
    """A value's place in the text."""

    key: str
    mode: Mode
    start: int
    end: int | None = None


@dataclass
class Part:
    """A stretch of the text that becomes a block."""

    slot: Slot
    start: int
    end: int | None = None
    name: str = ""
    params: list[Param] = field(default_factory=list[Param])
    notes: list[str] = field(default_factory=list[str])
    fault: str | None = None


def junk(text: str) -> list[str]:
    """Give the note about what stands between the parts of a call."""
    bare = text.strip()
    if len(bare) > LONGEST_NOTE:
        bare = bare[: LONGEST_NOTE - 1] + "…"
    return [f"ignored: {bare}"] if bare else []


def block(part: Part, shown: str, *, exact: bool) -> Block | None:
    """Give the block of a part, of which `shown` is the text that may be seen."""
    partial = part.end is None
    if part.slot is Slot.GAP:
        values = tuple(_value(param, shown) for param in part.params)
        notes = tuple(part.notes)
        return ToolUse(part.name, values, partial, part.fault, notes, part.start, part.end)
    content = shown[part.start : part.end]
    content = content if exact else content.strip()
    if not content:
        return None
    if part.slot is Slot.TEXT:
        return TextBlock(content, partial, part.start, part.end)
    return ReasoningBlock(content, partial, part.start, part.end)


def _value(param: Param, shown: str) -> Value:
    closed, kind = param.end is not None, param.mode.kind or Kind.STRING
    text = shown[param.start : param.end]
    if param.mode.trim is Trim.SPACE:
        return Value(param.key, text.strip(), closed, kind)
    for newline in ("\r\n", "\n"):
        if text.startswith(newline):
            text = text[len(newline) :]
            break
    endings = ("\r\n", "\n") if closed else ("\r\n", "\n", "\r")
    for newline in endings:
        if text.endswith(newline):
            text = text[: -len(newline)]
            break
    return Value(param.key, text, closed, kind)

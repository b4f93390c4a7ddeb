"""Folds crossed tags into blocks: keeps offsets, slices a value when it is asked for.

The only maker of blocks.  Both walkers drive it; it never searches for a tag itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from parsing.blocks import Block, Finish, ReasoningBlock, TextBlock, ToolUse, Value
from parsing.grammar import CompiledMode, Grammar
from parsing.table import Act, Edge, Slot, Trim
from parsing.values import Kind


class Source(Protocol):
    """A text that gives its pieces."""

    def slice(self, start: int, end: int) -> str: ...


@dataclass(slots=True)
class Param:
    """One value of a call, by its offsets."""

    key: str
    kind: Kind
    trim: Trim
    start: int
    end: int | None = None


@dataclass(slots=True)
class Span:
    """A run of text or reasoning, or a call, by its offsets."""

    slot: Slot
    start: int
    end: int | None = None
    name: str = ""
    params: list[Param] = field(default_factory=list[Param])
    notes: list[str | tuple[int, int]] = field(default_factory=list[str | tuple[int, int]])
    fault: str | None = None


class Builder:
    """The blocks of one message as they grow."""

    def __init__(self, grammar: Grammar, source: Source) -> None:
        self._grammar = grammar
        self._source = source
        self.mode: CompiledMode = grammar.start
        self.spans = [Span(self.mode.slot, 0)]
        self.start = 0  # where the running text of the mode began
        self.given: set[str] = set()
        self._depth = 0
        self._done: list[Block] = []  # of the first `_counted` spans, all closed
        self._counted = 0

    def cross(self, edge: Edge, tag: str, raw: str, start: int, end: int) -> int:
        """Pass over the tag that stands as `raw` at start:end; give where reading goes on."""
        span = self.spans[-1]
        self.mode, old = self._grammar.mode(edge.to), self.mode
        at = end
        match edge.act:
            case Act.OPEN_VALUE:
                self._gap(span, start)
                span.params.append(Param(edge.name, self.mode.kind, self.mode.trim, end))
                self.given.add(edge.name)
            case Act.CLOSE_VALUE:
                span.params[-1].end = start
            case Act.OPEN_CALL:
                span.end = start
                span = Span(Slot.GAP, start, name=edge.name)
                self.spans.append(span)
                self.given = set()
            case Act.CLOSE_CALL:
                self._gap(span, start)
                self._text(span, end)
            case Act.OPEN_REASONING:
                span.end = start
                self.spans.append(Span(Slot.REASONING, end))
            case Act.CLOSE_REASONING | Act.DROP:
                span.end = start
                self.spans.append(Span(Slot.TEXT, end))
            case Act.NEST | Act.UNNEST:
                self._nest(old, 1 if edge.act is Act.NEST else -1)
                return end
            case Act.CUT_VALUE | Act.CUT_CALL | Act.LEAVE_CALL:
                at = self._cut(edge.act, span, tag, start, end)
        if raw != tag:
            span.notes.append(f"{raw} was read as {tag}")
        self.start = at
        return at

    def _text(self, span: Span, at: int) -> None:
        span.end = at
        self.spans.append(Span(Slot.TEXT, at))

    def _gap(self, span: Span, end: int) -> None:
        if end > self.start:
            span.notes.append((self.start, end))

    def _nest(self, old: CompiledMode, step: int) -> None:
        self._depth += step
        if self._depth:
            self.mode = old if step < 0 else self.mode

    def _cut(self, act: Act, span: Span, tag: str, start: int, end: int) -> int:
        if act is Act.LEAVE_CALL:
            self._gap(span, start)
            span.notes.append(f"</{span.name}> was missing before {tag}")
        else:
            param = span.params[-1]
            param.end = start
            span.fault = (
                f"parameter {param.key} was still open when {tag} came: </{param.key}> is missing"
            )
        at = end if act is Act.CUT_VALUE else start
        self._text(span, at)
        return at

    def close(self, finish: Finish, length: int, *, held: bool) -> None:
        """End the message; `held` says that a half tag, or one not yet decided, is left over."""
        span = self.spans[-1]
        if span.slot is not Slot.GAP:
            span.end = length
            return
        whole = self.mode.slot is Slot.GAP and span.params and span.fault is None and not held
        required = self._grammar.table.required.get(span.name, frozenset())
        if whole and finish is Finish.STOP and required <= self.given:
            self._gap(span, length)
            span.notes.append(f"</{span.name}> was missing at the end")
            span.end = length

    def blocks(self, visible: int) -> tuple[Block, ...]:
        """Give the blocks so far, reading no further than `visible`."""
        self.count_done()
        rest = (self._block(span, visible) for span in self.spans[self._counted :])
        return (*self._done, *(block for block in rest if block is not None))

    def count_done(self, upto: int | None = None) -> int:
        """Give the number of blocks among the closed spans (below `upto`)."""
        spans = self.spans
        limit = len(spans) if upto is None else upto
        while self._counted < limit and (end := spans[self._counted].end) is not None:
            block = self._block(spans[self._counted], end)
            if block is not None:
                self._done.append(block)
            self._counted += 1
        return len(self._done)

    def add(self, block: Block) -> None:
        """Append a block that was recovered at the close."""
        self.count_done()
        self._done.append(block)

    def _block(self, span: Span, visible: int) -> Block | None:
        partial = span.end is None
        if span.slot is Slot.GAP:
            return ToolUse(
                span.name,
                tuple(self._value(param, visible) for param in span.params),
                partial,
                span.fault,
                tuple(note for note in map(self._note, span.notes) if note),
                span.start,
                span.end,
            )
        content = self._source.slice(span.start, visible if span.end is None else span.end).strip()
        if not content:
            return None
        kind = TextBlock if span.slot is Slot.TEXT else ReasoningBlock
        return kind(content, partial, span.start, span.end)

    def _value(self, param: Param, visible: int) -> Value:
        closed = param.end is not None
        text = self._source.slice(param.start, visible if param.end is None else param.end)
        return Value(param.key, trimmed(text, param.trim, closed=closed), closed, param.kind)

    def _note(self, note: str | tuple[int, int]) -> str:
        if isinstance(note, str):
            return note
        junk = self._source.slice(*note).strip()
        return f"ignored: {junk if len(junk) <= 80 else junk[:79] + '…'}" if junk else ""


def trimmed(text: str, trim: Trim, *, closed: bool) -> str:
    """Drop what a value sheds; of an open one, also what it may shed when it closes."""
    if trim is Trim.SPACE:
        return text.strip()
    if text.startswith("\n"):
        text = text[1:]
    elif text.startswith("\r\n"):
        text = text[2:]
    if text.endswith("\n"):
        return text[:-2] if text.endswith("\r\n") else text[:-1]
    return text if closed or not text.endswith("\r") else text[:-1]

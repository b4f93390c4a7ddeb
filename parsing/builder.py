"""Folds crossed tags into blocks: keeps offsets, slices a value when it is asked for.

The only maker of blocks.  Both walkers drive it; it never searches for a tag itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from parsing.blocks import Block, Finish, ReasoningBlock, TextBlock, ToolUse, Value
from parsing.buffer import Source
from parsing.grammar import CompiledEdge, CompiledMode, Grammar
from parsing.table import Act, Slot, Trim

# Looking a member up in its enum costs as much as crossing a tag.
CLOSE_VALUE, OPEN_VALUE = Act.CLOSE_VALUE, Act.OPEN_VALUE
CLOSE_CALL, OPEN_CALL = Act.CLOSE_CALL, Act.OPEN_CALL
TEXT, GAP, SPACE = Slot.TEXT, Slot.GAP, Trim.SPACE
_SHALLOW = (Act.OPEN_REASONING, Act.CLOSE_REASONING, Act.DROP)
_NESTING = (Act.NEST, Act.UNNEST)


@dataclass(slots=True)
class Param:
    """One value of a call, by its offsets; the mode says how it is trimmed and typed."""

    key: str
    mode: CompiledMode
    start: int
    end: int | None = None


@dataclass(slots=True)
class Run:
    """A run of text or reasoning, by its offsets."""

    slot: Slot
    start: int
    end: int | None = None


class Call:
    """A call, by its offsets; a note that is a pair of offsets is junk between its parts."""

    __slots__ = ("_keyed", "_keys", "end", "fault", "name", "notes", "params", "start")

    def __init__(self, name: str, start: int) -> None:
        self.name = name
        self.start = start
        self.end: int | None = None
        self.fault: str | None = None
        self.params: list[Param] = []
        self.notes: list[str | tuple[int, int]] = []
        self._keys: set[str] | None = None  # of the first `_keyed` parameters
        self._keyed = 0

    def given(self, name: str) -> bool:
        """Say whether the call has had this parameter; each parameter is looked at once."""
        keys = self._keys = set[str]() if self._keys is None else self._keys
        keys.update(param.key for param in self.params[self._keyed :])
        self._keyed = len(self.params)
        return name in keys


Span = Run | Call


class Builder:
    """The blocks of one message as they grow."""

    def __init__(self, grammar: Grammar, source: Source) -> None:
        self._grammar = grammar
        self._source = source
        self.mode: CompiledMode = grammar.start
        self.spans: list[Span] = [Run(self.mode.slot, 0)]
        self.call = Call("", 0)  # the call that is open, or was last
        self.recovered: ToolUse | None = None
        self.crossed = 0  # tags crossed so far, and the message's end
        self.start = 0  # where the running text of the mode began
        self._depth = 0
        self._done: list[Block] = []  # of the first `_counted` spans, all closed
        self._counted = 0
        self._before = [0]  # the number of blocks among the first n spans

    def cross(self, edge: CompiledEdge, raw: str, start: int, end: int) -> int:
        """Pass over the tag that stands as `raw` at start:end; give where reading goes on."""
        self.crossed += 1
        call, at, act = self.call, end, edge.act
        to = edge.to or self._grammar.beyond(edge)
        if act is CLOSE_VALUE:
            call.params[-1].end = start
        elif act is OPEN_VALUE:
            self._gap(start)
            call.params.append(Param(edge.name, to, end))
        elif act is CLOSE_CALL:
            self._gap(start)
            call.end = end
            self.spans.append(Run(TEXT, end))
        elif act is OPEN_CALL:
            self.spans[-1].end = start
            self.call = call = Call(edge.name, start)
            self.spans.append(call)
        elif act in _SHALLOW:
            self.spans[-1].end = start
            self.spans.append(Run(to.slot, end))
        elif act in _NESTING:
            return self._nest(act, to, end)
        else:
            at = self._cut(edge, start, end)
        if raw != edge.tag and at == end and act not in _SHALLOW:
            call.notes.append(f"{raw} was read as {edge.tag}")
        self.mode = to
        self.start = at
        return at

    def _gap(self, end: int) -> None:
        if end > self.start:
            self.call.notes.append((self.start, end))

    def _nest(self, act: Act, to: CompiledMode, end: int) -> int:
        self._depth += 1 if act is Act.NEST else -1
        if act is Act.NEST or not self._depth:
            self.mode = to
        return end

    def _cut(self, edge: CompiledEdge, start: int, end: int) -> int:
        call = self.call
        if edge.act is Act.LEAVE_CALL:
            self._gap(start)
            call.notes.append(f"</{call.name}> was missing before {edge.tag}")
        else:
            param = call.params[-1]
            param.end = start
            call.fault = f"</{param.key}> was missing: {edge.tag} came inside the value"
        call.end = end if edge.act is Act.CUT_VALUE else start
        self.spans.append(Run(TEXT, call.end))
        return call.end

    def close(self, finish: Finish, length: int, *, held: bool) -> None:
        """End the message; `held` says that a half tag, or one not yet decided, is left over."""
        self.crossed += 1
        call = self.spans[-1]
        if isinstance(call, Run):
            call.end = length
            return
        required = self._grammar.table.required.get(call.name, frozenset())
        whole = self.mode.slot is GAP and call.params and not held
        if whole and finish is Finish.STOP and all(map(call.given, required)):
            self._gap(length)
            call.notes.append(f"</{call.name}> was missing at the end")
            call.end = length

    def blocks(self, visible: int) -> tuple[Block, ...]:
        """Give the blocks so far, reading no further than `visible`."""
        self._count()
        rest = (self._block(span, visible) for span in self.spans[self._counted :])
        added = (self.recovered,) if self.recovered else ()
        return (*self._done, *(block for block in rest if block is not None), *added)

    def blocks_before(self, span: int) -> int:
        """Give the number of blocks among the spans below `span`, all of them closed."""
        self._count()
        return self._before[span]

    def _count(self) -> None:
        spans = self.spans
        while self._counted < len(spans) and (end := spans[self._counted].end) is not None:
            block = self._block(spans[self._counted], end)
            if block is not None:
                self._done.append(block)
            self._counted += 1
            self._before.append(len(self._done))

    def _block(self, span: Span, visible: int) -> Block | None:
        partial = span.end is None
        if isinstance(span, Call):
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
        kind = TextBlock if span.slot is TEXT else ReasoningBlock
        return kind(content, partial, span.start, span.end)

    def _value(self, param: Param, visible: int) -> Value:
        closed = param.end is not None
        text = self._source.slice(param.start, visible if param.end is None else param.end)
        return Value(
            param.key, trimmed(text, param.mode.trim, closed=closed), closed, param.mode.kind
        )

    def _note(self, note: str | tuple[int, int]) -> str:
        if isinstance(note, str):
            return note
        junk = self._source.slice(*note).strip()
        return f"ignored: {junk if len(junk) <= 80 else junk[:79] + '…'}" if junk else ""


def trimmed(text: str, trim: Trim, *, closed: bool) -> str:
    """Drop what a value sheds; of an open one, also what it may shed when it closes."""
    if trim is SPACE:
        return text.strip()
    if text.startswith("\n"):
        text = text[1:]
    elif text.startswith("\r\n"):
        text = text[2:]
    if text.endswith("\n"):
        return text[:-2] if text.endswith("\r\n") else text[:-1]
    return text if closed or not text.endswith("\r") else text[:-1]

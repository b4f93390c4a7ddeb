"""What the spans of a message read as: slices a value when it is asked for.

The only maker of blocks.
"""

from __future__ import annotations

from parsing.blocks import Block, ReasoningBlock, TextBlock, ToolUse, Value
from parsing.buffer import Source
from parsing.builder import Builder
from parsing.forms import arguments_of, in_quotes, malformed
from parsing.spans import Call, Param, Run, Span, arguments_trimmed, trimmed
from parsing.table import Slot
from parsing.values import Form, exact_json

TEXT = Slot.TEXT


class Maker:
    """Makes the blocks of one message; those that are closed are made once."""

    def __init__(self, build: Builder, source: Source, *, exact: bool) -> None:
        self._build = build
        self._source = source
        self.exact = exact  # text sheds nothing, but the newlines between two calls
        self.recovered: ToolUse | None = None
        self._done: list[Block] = []  # of the first `_counted` spans, all closed
        self._counted = 0
        self._before = [0]  # the number of blocks among the first n spans

    def blocks(self, visible: int) -> tuple[Block, ...]:
        """Give the blocks so far, reading no further than `visible`."""
        self._count()
        rest = (self._block(span, visible) for span in self._build.spans[self._counted :])
        added = (self.recovered,) if self.recovered else ()
        return (*self._done, *(block for block in rest if block is not None), *added)

    def blocks_before(self, span: int) -> int:
        """Give the number of blocks among the spans below `span`, all of them closed."""
        self._count()
        return self._before[span]

    def _count(self) -> None:
        spans = self._build.spans
        while self._counted < len(spans) and (end := spans[self._counted].end) is not None:
            block = self._block(spans[self._counted], end)
            if block is not None:
                self._done.append(block)
            self._counted += 1
            self._before.append(len(self._done))

    def _block(self, span: Span, visible: int) -> Block | None:
        if isinstance(span, Call):
            return self._use(span, visible)
        content = self._source.slice(span.start, visible if span.end is None else span.end)
        if not self.exact:
            content = content.strip()
        elif between_calls(span) and not content.strip("\n"):
            return None
        if not content:
            return None
        kind = TextBlock if span.slot is TEXT else ReasoningBlock
        return kind(content, span.end is None, span.start, span.end)

    def _use(self, call: Call, visible: int) -> ToolUse | None:
        if call.name is None or call.hidden:
            return None
        values = tuple(self._value(param, visible) for param in call.params if param.known)
        raw = self._raw(call, visible)
        notes = [note for note in map(self._note, call.notes) if note]
        fault = call.fault
        if call.end is not None:
            fault = fault or _fault(values, raw)
            notes += _slips(raw) if fault is None else []
        partial = call.end is None
        return ToolUse(call.name, values, partial, fault, tuple(notes), call.start, call.end, raw)

    def _raw(self, call: Call, visible: int) -> str | None:
        if (args := call.args) is None:
            return None
        end = visible if args.end is None else args.end
        return arguments_trimmed(self._source.slice(args.start, end))

    def _value(self, param: Param, visible: int) -> Value:
        closed = param.end is not None
        text = self._source.slice(param.start, visible if param.end is None else param.end)
        inside = not closed and param.form is not Form.TEXT and in_quotes(text, param.form)
        text = text.lstrip() if inside else trimmed(text, param.trim, closed=closed)
        return Value(param.key, text, closed, param.kind, param.form)

    def _note(self, note: str | tuple[int, int]) -> str:
        if isinstance(note, str):
            return note
        junk = self._source.slice(*note).strip()
        return f"ignored: {junk if len(junk) <= 80 else junk[:79] + '…'}" if junk else ""


def between_calls(run: Run) -> bool:
    """Say whether newlines alone are no text of this run: it may stand between two calls."""
    return run.after_call and (run.before_call or run.end is None)


def _fault(values: tuple[Value, ...], raw: str | None) -> str | None:
    for value in values:
        if wrong := malformed(value.text, value.form):
            return f"{value.key}: {wrong}"
    try:
        arguments_of(raw or "")
    except ValueError as error:
        return f"the arguments cannot be read: {error}"
    return None


def _slips(raw: str | None) -> list[str]:
    try:
        exact_json(raw or "{}", strict=True)
    except ValueError:
        return ["a string held a line break that JSON wants written as \\n"]
    return []

"""The definition: what a call is made of, and what its stretches of the text read as."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from parsing import Block, ReasoningBlock, TextBlock, ToolUse, Value
from parsing.declared import Declared
from parsing.forms import arguments_of, malformed
from parsing.quoted import Quoted
from parsing.table import Mode, Slot, Trim
from parsing.values import Form, Kind, exact_json


@dataclass
class Stretch:
    """A stretch of the text that ends somewhere, or not yet."""

    start: int
    end: int | None = None

    def of(self, text: str) -> str:
        return text[self.start : self.end]


@dataclass
class Prose(Stretch):
    """Text or reasoning."""

    slot: Slot = Slot.TEXT
    after_call: bool = False
    before_call: bool = False

    def block(self, shown: str, *, exact: bool) -> Block | None:
        content = self.of(shown)
        if not exact:
            content = content.strip()
        elif self.after_call and (self.before_call or self.end is None):
            content = content if content.strip("\n") else ""
        if not content:
            return None
        kind = TextBlock if self.slot is Slot.TEXT else ReasoningBlock
        return kind(content, self.end is None, self.start, self.end)


@dataclass
class Given(Stretch):
    """A value of a call."""

    key: str = ""
    kind: Kind = Kind.STRING
    form: Form = Form.TEXT
    trim: Trim = Trim.SPACE
    known: bool = True

    def value(self, shown: str) -> Value:
        closed = self.end is not None
        return Value(
            self.key, self.trimmed(self.of(shown), closed=closed), closed, self.kind, self.form
        )

    def trimmed(self, text: str, *, closed: bool) -> str:
        if self.trim is Trim.NONE:
            return text
        if self.trim is Trim.SPACE:
            return text.lstrip() if not closed and self.open_string(text) else text.strip()
        for newline in ("\r\n", "\n"):
            if text.startswith(newline):
                text = text[len(newline) :]
                break
        for newline in ("\r\n", "\n") if closed else ("\r\n", "\n", "\r"):
            if text.endswith(newline):
                return text[: -len(newline)]
        return text

    def open_string(self, text: str) -> bool:
        if self.form not in (Form.PYTHON, Form.GEMMA):
            return False
        quoted = Quoted(self.form)
        quoted.take(text)
        return quoted.quote != "" and not quoted.ended


@dataclass
class Called(Stretch):
    """A call; its name is none until it is read."""

    name: str | None = None
    fault: str | None = None
    hidden: bool = False
    params: list[Given] = field(default_factory=list[Given])
    args: Stretch | None = None
    notes: int = 0

    def fail(self, why: str) -> None:
        self.fault = self.fault or why

    def end_args(self, at: int) -> None:
        if self.args is not None and self.args.end is None:
            self.args.end = at

    def take_name(self, raw: str, mode: Mode | None, declared: Declared, *, serving: bool) -> None:
        """Take the name; only the first counts."""
        if self.name is not None:
            return
        self.name, note = declared.tool(raw, mode.names if mode else ())
        self.notes += bool(note)
        if self.name not in declared:
            self.hidden = serving
            self.fault = "no such tool"

    def block(self, shown: str) -> Block | None:
        if self.name is None or self.hidden:
            return None
        values = tuple(given.value(shown) for given in self.params if given.known)
        raw = None if self.args is None else self.args.of(shown).lstrip()
        if raw is not None and raw[:1] not in ("{", "["):
            raw = raw.rstrip()
        fault, notes = self.fault, self.notes
        if self.end is not None and fault is None:
            fault = _fault(values, raw)
            notes += fault is None and _breaks_lines(raw)
        repaired = ("some",) * notes
        partial = self.end is None
        return ToolUse(self.name, values, partial, fault, repaired, self.start, self.end, raw)


def _fault(values: tuple[Value, ...], raw: str | None) -> str | None:
    wrong = [value.key for value in values if malformed(value.text, value.form)]
    try:
        arguments_of(raw or "")
    except ValueError:
        wrong.append("arguments")
    return f"wrong: {wrong}" if wrong else None


def _breaks_lines(raw: str | None) -> bool:
    try:
        exact_json(raw or "{}", strict=True)
    except ValueError:
        return True
    return False


def string_or_as_it_is(text: str) -> str:
    """Read the inside of a JSON string; what is none stays."""
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text

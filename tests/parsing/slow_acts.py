"""The definition: what the marks of a call do, for a message that is read by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from parsing import Finish, Options, ToolSpec, dialect
from parsing.declared import Declared
from parsing.table import Act, Edge, Mode, Slot
from parsing.values import Form, Kind
from tests.parsing.slow_calls import Called, Given, Prose, Stretch, string_or_as_it_is

Captured = Mapping[str, str]

JSON_TYPES = ("false", "number", "integer", "boolean", "array", "object", "null")


class Calling:
    """What is known of a message so far."""

    def __init__(
        self,
        protocol: str,
        text: str,
        tools: Sequence[ToolSpec],
        options: Options,
        finish: Finish | None,
    ) -> None:
        found = dialect(protocol)
        if options.starts_in_reasoning is None:
            options = replace(options, starts_in_reasoning=found.opens_reasoning)
        self.table = found.table(tools, options)
        self.terms = (protocol, tools, options)
        self.declared = Declared(tools, lenient=not options.serving)
        self.serving = options.serving
        self.text = text
        self.finish = finish
        self.mode = self.table.modes[self.table.start]
        self.outer: list[Mode] = []  # the modes in which this one is nested
        self.back = self.table.modes[self.table.text]
        self.mark = 0  # where the running text of the mode began
        self.key: str | None = None
        self.parts: list[Prose | Called] = [Prose(0, slot=self.mode.slot)]
        self.call = Called(0, 0)
        self.rest = text  # what is held back

    def name_or_key(self, at: int) -> None:
        raw = self.text[self.mark : at]
        raw = string_or_as_it_is(raw) if self.mode.quoted else raw.strip()
        if self.mode.slot is Slot.KEY:
            self.key = raw or None
        elif raw:
            self.call.take_name(raw, self.mode, self.declared, serving=self.serving)

    def act(self, edge: Edge, said: Captured, to: Mode, at: int, end: int) -> int:
        """Do to the call what crossing the mark does; give where reading goes on."""
        near = end if edge.takes else at
        match edge.act:
            case Act.OPEN_VALUE | Act.STEP_VALUE:
                self.gap(at)
                if edge.act is Act.STEP_VALUE:
                    self.call.params[-1].end = at
                    self.call.notes += 1
                self.open_value(edge, said, to, at if edge.takes else end)
            case Act.CLOSE_VALUE:
                self.call.params[-1].end = near
            case Act.OPEN_ARGS | Act.CLOSE_ARGS:
                self.args(edge, said, at if edge.takes else end, near)
            case Act.UNNEST:
                self.last_level(edge, near, end)
            case Act.SPOIL:
                self.call.fail(edge.note)
            case _:
                return self.call_act(edge, said, at, end)
        return end

    def call_act(self, edge: Edge, said: Captured, at: int, end: int) -> int:
        match edge.act:
            case Act.OPEN_CALL:
                self.open_call(edge, said, at)
            case Act.WHOLE_CALL:
                self.open_call(edge, said, at)
                self.end_call(end)
            case Act.CLOSE_CALL:
                self.gap(at)
                self.close_open(at)
                if edge.without and edge.without in self.call.params[-1].of(self.text):
                    self.call.fail("its value ran on")
                self.end_call(end)
            case Act.LEAVE_CALL:
                self.gap(at)
                self.call.notes += 1
                self.end_call(at)
                return at
            case Act.CUT_VALUE | Act.CUT_ARGS | Act.CUT_CALL:
                return self.cut(edge, at, end)
            case _:
                pass
        return end

    def args(self, edge: Edge, said: Captured, start: int, near: int) -> None:
        if edge.act is Act.CLOSE_ARGS:
            self.call.end_args(near)
            return
        if said.get("name"):
            self.call.take_name(said["name"], None, self.declared, serving=self.serving)
        self.call.args = self.call.args or Stretch(start)

    def last_level(self, edge: Edge, near: int, end: int) -> None:
        if edge.last is Act.CLOSE_VALUE:
            self.call.params[-1].end = near
        else:
            self.call.end_args(near)
        if edge.last is Act.CLOSE_CALL:
            self.end_call(end)

    def cut(self, edge: Edge, at: int, end: int) -> int:
        """End a call that did not end itself; another call's mark is read again."""
        onwards = at if edge.act is Act.CUT_CALL else end
        self.outer.clear()
        if self.call.end is None:
            self.close_open(at)
            self.call.fail("it does not end")
            self.end_call(onwards)
        return onwards

    def gap(self, at: int) -> None:
        if self.mode.slot is Slot.GAP and self.text[self.mark : at].strip():
            self.call.notes += 1

    def close_open(self, at: int) -> None:
        for given in self.call.params[-1:]:
            given.end = at if given.end is None else given.end
        self.call.end_args(at)

    def open_call(self, edge: Edge, said: Captured, at: int) -> None:
        last = self.parts[-1]
        if isinstance(last, Called) and last.end is None:
            last.notes += 1
            self.end_call(at)
        elif isinstance(last, Prose) and last.end is None:
            last.end, last.before_call = at, True
        named = self.mode.slot in (Slot.NAME, Slot.KEY)
        self.call = Called(self.mark if named else at)
        self.parts.append(self.call)
        self.key = None
        if named:
            self.name_or_key(at)
        name = edge.name or said.get("name") or said.get("tool")
        if name:
            self.call.take_name(name, None, self.declared, serving=self.serving)

    def end_call(self, at: int) -> None:
        call = self.call
        call.end = at
        call.end_args(at)
        call.take_name("", None, self.declared, serving=self.serving)
        if self.key is not None:
            call.fail(f"{self.key} has no value")
        self.key = None

    def open_value(self, edge: Edge, said: Captured, to: Mode, at: int) -> None:
        key = said.get("key") or said.get("name") or edge.name or self.key or ""
        self.key = None
        param, note = self.declared.param(self.call.name or "", key)
        kind, form = to.kind or (param.kind if param else Kind.STRING), to.form
        if form is Form.ELEMENTS and kind is Kind.STRING:
            form = Form.TEXT
        written = said.get("string", said.get("type"))
        if written in ("true", "string"):
            kind, form = Kind.STRING, Form.TEXT
        elif written in JSON_TYPES:
            form = Form.JSON
        self.call.notes += bool(note)
        known = bool(param) or not key or self.serving
        self.call.notes += not known
        if not key:
            self.call.fail("a value has no name")
        name = param.name if param else key
        self.call.params.append(Given(at, None, name, kind, form, to.trim, known=known))

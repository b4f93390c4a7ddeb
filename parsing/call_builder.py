"""What a call is made of: its name, its values and its arguments, as marks open and close them."""

from __future__ import annotations

import json
import re

from parsing.buffer import Source
from parsing.grammar import CompiledEdge, CompiledMode, Grammar
from parsing.spans import Args, Call, Param, Run, Span, Thought
from parsing.table import Slot
from parsing.values import Form, Kind

GAP, REASONING = Slot.GAP, Slot.REASONING
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_STRINGS = ("true", "string")  # what an attribute says of a value that is one
_NO_STRINGS = ("false", "number", "integer", "boolean", "array", "object", "null")
_ENTITIES = (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


class CallBuilder:
    """The spans of one message, and the call that is open."""

    def __init__(self, grammar: Grammar, source: Source) -> None:
        self._grammar = grammar
        self._source = source
        self.mode: CompiledMode = grammar.start
        self.spans: list[Span] = [Run(self.mode.slot, 0)]
        self.thoughts = [Thought(0)] if self.mode.slot is REASONING else list[Thought]()
        self.call = Call("", 0)  # the call that is open, or was last
        self.crossed = 0  # marks crossed so far, and the message's end
        self.start = 0  # where the running text of the mode began
        self._stack: list[CompiledMode] = []
        self._back = grammar.mode(grammar.table.text)
        self._key: str | None = None  # of the next value
        self._left = 0  # where reasoning was last left

    def welcome(self, edge: CompiledEdge, found: re.Match[str]) -> bool:
        """Say whether what a mark names is what it may name."""
        rule = edge.edge
        told = _captured(edge, found[0]) if rule.declared or rule.fresh else {}
        if rule.declared:
            return told.get("name") in self._grammar.declared
        if not rule.fresh:
            return True
        param, note = self._grammar.declared.param(self.call.name or "", told.get("key", ""))
        return param is not None and not note and not self.call.given(param.name)

    def _gap(self, end: int) -> None:
        if end > self.start and self.mode.slot is GAP:
            self.call.notes.append((self.start, end))

    def _open_call(self, edge: CompiledEdge, raw: str, start: int) -> Call:
        last = self.spans[-1]
        if isinstance(last, Run):
            if last.end is None:
                last.end = start
                last.before_call = True
        elif last.end is None:
            last.notes.append(f"{self._closer(last)} was missing before {raw}")
            self._end_call(start)
        mode = self.mode
        call = self.call = Call(None, self.start if mode.names else start)
        self._key = None
        self.spans.append(call)
        if mode.names:
            self._read_name(mode, start)
        if edge.name:
            call.name = edge.name
        elif edge.captures:
            told = _captured(edge, raw)
            if name := told.get("name", told.get("tool")):
                self._name(name, ())
        return call

    def _close_call(self, edge: CompiledEdge, start: int, end: int) -> None:
        """Close the call, and what is open in it."""
        call, params = self.call, self.call.params
        if params and params[-1].end is None:
            params[-1].end = start
            another = edge.edge.without
            if another and another in self._source.slice(params[-1].start, start):
                fault = f"{params[-1].key}'s end was missing: {another} came inside the value"
                call.fault = call.fault or fault
        self._end_args(start)
        self._end_call(end)

    def _end_call(self, end: int) -> None:
        call = self.call
        call.end = end
        self._end_args(end)
        if call.name is None:
            self._name("", ())
        if self._key is not None and call.fault is None:
            call.fault = f"{self._key} has no value"
        self._key = None

    def _end_args(self, end: int) -> None:
        args = self.call.args
        if args is not None and args.end is None:
            args.end = end

    def _read_name(self, mode: CompiledMode, end: int) -> None:
        """Read the text of a NAME or KEY that ends here."""
        text = self._source.slice(self.start, end)
        text = _unquoted(text) if mode.mode.quoted else text.strip()
        if mode.slot is Slot.KEY:
            self._key = text or None
        elif text:
            self._name(text, mode.mode.names)

    def _name(self, raw: str, ways: tuple[str, ...]) -> None:
        call = self.call
        if call.name is not None:
            return
        call.name, note = self._grammar.declared.tool(raw, ways)
        if note:
            call.notes.append(note)
        if call.name not in self._grammar.declared:
            call.hidden = self._grammar.serving
            call.fault = (
                f"there is no tool called {call.name!r}" if call.name else "the call names no tool"
            )

    def _open_value(self, edge: CompiledEdge, to: CompiledMode, raw: str, at: int) -> None:
        if edge.name and to.kind is not None:
            self.call.params.append(Param(edge.name, at, to.kind, to.trim, to.form))
            return
        told = _captured(edge, raw) if edge.captures else {}
        key = told.get("key", told.get("name", edge.name or self._key))
        self._key = None
        call = self.call
        param, note = self._grammar.declared.param(call.name or "", key or "")
        kind = to.kind or (param.kind if param else Kind.STRING)
        form = Form.TEXT if to.form is Form.ELEMENTS and kind is Kind.STRING else to.form
        written = told.get("string", told.get("type", ""))
        if written in _STRINGS:
            kind, form = Kind.STRING, Form.TEXT
        elif written in _NO_STRINGS:
            form = Form.JSON
        value = Param(param.name if param else key or "", at, kind, to.trim, form)
        if note:
            call.notes.append(note)
        if not key:
            call.fault = call.fault or "a value has no name"
        elif param is None and not self._grammar.serving:
            value.known = False
            call.notes.append(f"ignored: {key}, which {call.name} does not have")
        call.params.append(value)

    def _open_args(self, edge: CompiledEdge, raw: str, start: int, end: int) -> None:
        if edge.captures and (name := _captured(edge, raw).get("name")):
            self._name(name, ())
        if self.call.args is None:
            self.call.args = Args(start if edge.takes else end)

    def _closer(self, call: Call) -> str:
        return f"</{call.name}>" if self._grammar.dialect.tags_only else "the call's end"

    def _lacks_marks(self, call: Call) -> bool:
        """Say whether a call of tags that is still open has all its values."""
        if self.mode.slot is not GAP or not call.params:
            return False
        required = self._grammar.table.required.get(call.name or "", frozenset())
        return self._key is None and all(map(call.given, required))


def _captured(edge: CompiledEdge, raw: str) -> dict[str, str]:
    """Give what a mark captured: its groups, and the attributes of the one so named."""
    found = edge.whole.fullmatch(raw)
    told = {key: text for key, text in (found.groupdict() if found else {}).items() if text}
    for key, *texts in _ATTRIBUTE.findall(told.pop("attributes", "")):
        told.setdefault(key, _decoded("".join(texts)))
    return told


def _decoded(text: str) -> str:
    for entity, char in _ENTITIES if "&" in text else ():
        text = text.replace(entity, char)
    return text


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text

"""Folds crossed marks into spans: keeps offsets, never searches for a mark itself.

Both walkers drive it.  What the spans read as is for `making.py` to say.
"""

from __future__ import annotations

import json
import re

from parsing.buffer import Source
from parsing.grammar import CompiledEdge, CompiledMode, Grammar
from parsing.spans import Call, Param, Run, Span
from parsing.table import BACK, Act, Slot
from parsing.values import Form, Kind

# Looking a member up in its enum costs as much as crossing a tag.
CLOSE_VALUE, OPEN_VALUE = Act.CLOSE_VALUE, Act.OPEN_VALUE
CLOSE_CALL, OPEN_CALL = Act.CLOSE_CALL, Act.OPEN_CALL
NEST, UNNEST, GO = Act.NEST, Act.UNNEST, Act.GO
TEXT, GAP = Slot.TEXT, Slot.GAP
_SHALLOW = (Act.OPEN_REASONING, Act.CLOSE_REASONING, Act.DROP)
_CUTS = (Act.CUT_VALUE, Act.CUT_CALL, Act.CUT_ARGS)
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_ENTITIES = (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


class Builder:
    """The spans of one message as they grow."""

    def __init__(self, grammar: Grammar, source: Source) -> None:
        self._grammar = grammar
        self._source = source
        self.mode: CompiledMode = grammar.start
        self.spans: list[Span] = [Run(self.mode.slot, 0)]
        self.call = Call("", 0)  # the call that is open, or was last
        self.crossed = 0  # marks crossed so far, and the message's end
        self.start = 0  # where the running text of the mode began
        self._stack: list[CompiledMode] = []
        self._back = grammar.mode(grammar.table.text)
        self._key: str | None = None  # of the next value

    def cross(self, edge: CompiledEdge, raw: str, start: int, end: int) -> int:
        """Pass over the mark that stands as `raw` at start:end; give where reading goes on."""
        self.crossed += 1
        mode, act = self.mode, edge.act
        to = edge.to or self._beyond(edge)
        if act is NEST:
            self._stack.append(mode)
            self.mode = to
            return end
        if act is UNNEST and self._stack:
            self.mode = self._stack.pop()
            return end
        if mode.names and act is not OPEN_CALL:
            self._read_name(mode, start)
        call, at = self.call, end
        if act is CLOSE_VALUE:
            call.params[-1].end = end if edge.takes else start
        elif act is OPEN_VALUE:
            self._gap(start)
            if edge.name and to.kind is not None:
                call.params.append(Param(edge.name, end, to.kind, to.trim, to.form))
            else:
                self._open_value(edge, to, raw, start if edge.takes else end)
        elif act is CLOSE_CALL:
            self._gap(start)
            if call.params and call.params[-1].end is None:
                call.params[-1].end = start
            if call.args is not None and call.args_end is None:
                call.args_end = start
            self._end_call(end)
        elif act is OPEN_CALL:
            call = self._open_call(edge, raw, start)
        elif act not in _SHALLOW:
            at = self._other(edge, act, to, raw, start, end)
        if edge.plain:
            if raw != edge.tag and at == end and act not in _SHALLOW:
                call.notes.append(f"{raw} was read as {edge.tag}")
        elif edge.edge.note and act is not Act.SPOIL:
            call.notes.append(edge.edge.note.format(raw=raw))
        self._pass(mode, to, start, at, act)
        return at

    def _pass(self, mode: CompiledMode, to: CompiledMode, start: int, at: int, act: Act) -> None:
        """Go from one mode to the next; text and reasoning end and begin there."""
        if mode.told:
            run = self.spans[-1]
            if act is OPEN_CALL:
                self._back = mode
            elif isinstance(run, Run):
                run.end = start
                if not to.told:
                    run.before_call = True
                    self._back = mode
        if to.told:
            last = self.spans[-1]
            after = isinstance(last, Call) or (last.after_call and last.end == last.start)
            self.spans.append(Run(to.slot, at, after_call=after))
        self.mode = to
        self.start = at

    def _beyond(self, edge: CompiledEdge) -> CompiledMode:
        return self._back if edge.edge.to == BACK else self._grammar.beyond(edge)

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

    def _end_call(self, end: int) -> None:
        call = self.call
        call.end = end
        if call.args is not None and call.args_end is None:
            call.args_end = end
        if call.name is None:
            self._name("", ())
        if self._key is not None and call.fault is None:
            call.fault = f"{self._key} has no value"
        self._key = None

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
        told = _captured(edge, raw) if edge.captures else {}
        key = told.get("key", told.get("name", edge.name or self._key))
        self._key = None
        call = self.call
        param, note = self._grammar.declared.param(call.name or "", key or "")
        kind = to.kind or (param.kind if param else Kind.STRING)
        form = to.form
        written = told.get("string", told.get("type"))
        if written is not None:
            plain = written in ("true", "string")
            kind, form = (Kind.STRING, Form.TEXT) if plain else (kind, Form.JSON)
        value = Param(param.name if param else key or "", at, kind, to.trim, form)
        if note:
            call.notes.append(note)
        if not key:
            call.fault = call.fault or "a value has no name"
        elif param is None and not self._grammar.serving:
            value.known = False
            call.notes.append(f"ignored: {key}, which {call.name} does not have")
        call.params.append(value)

    def _other(
        self, edge: CompiledEdge, act: Act, to: CompiledMode, raw: str, start: int, end: int
    ) -> int:
        call = self.call
        match act:
            case Act.OPEN_ARGS:
                self._open_args(edge, raw, start, end)
            case Act.CLOSE_ARGS:
                call.args_end = end if edge.takes else start
            case Act.UNNEST:
                return self._last(edge, start, end)
            case Act.WHOLE_CALL:
                self._open_call(edge, raw, start)
                self._end_call(end)
            case Act.SPOIL:
                call.fault = call.fault or edge.edge.note
            case Act.STEP_VALUE:
                call.params[-1].end = start
                call.notes.append(f"{call.params[-1].key} was not closed before {raw}")
                self._open_value(edge, to, raw, end)
            case Act.LEAVE_CALL:
                self._gap(start)
                call.notes.append(f"{self._closer(call)} was missing before {raw}")
                self._end_call(start)
                return start
            case _ if act in _CUTS:
                return self._cut(edge, raw, start, end)
            case _:
                pass
        return end

    def _open_args(self, edge: CompiledEdge, raw: str, start: int, end: int) -> None:
        if edge.captures and (name := _captured(edge, raw).get("name")):
            self._name(name, ())
        if self.call.args is None:
            self.call.args = start if edge.takes else end

    def _last(self, edge: CompiledEdge, start: int, end: int) -> int:
        """Leave the last level: of a value, of all arguments, or of the call with them."""
        call, at = self.call, end if edge.takes else start
        if edge.edge.last is CLOSE_VALUE:
            call.params[-1].end = at
            return end
        if call.args_end is None:
            call.args_end = at
        if edge.edge.last is CLOSE_CALL:
            self._end_call(end)
        return end

    def _cut(self, edge: CompiledEdge, raw: str, start: int, end: int) -> int:
        call = self.call
        self._stack.clear()
        inside = call.params and call.params[-1].end is None
        if inside:
            param = call.params[-1]
            param.end = start
            closer = f"</{param.key}>" if self._grammar.dialect.tags_only else f"{param.key}'s end"
            fault = f"{closer} was missing: {raw} came inside the value"
        else:
            fault = f"the call does not end: {raw} came inside it"
        call.fault = call.fault or fault
        if call.args is not None and call.args_end is None:
            call.args_end = start
        at = start if edge.act is Act.CUT_CALL else end
        self._end_call(at)
        return at

    def _closer(self, call: Call) -> str:
        return f"</{call.name}>" if self._grammar.dialect.tags_only else "the call's end"

    def close(self, *, stopped: bool, length: int, held: bool) -> None:
        """End the message; `held` says that a half mark, or one not yet decided, is left over."""
        self.crossed += 1
        call = self.spans[-1]
        if isinstance(call, Run):
            if call.end is None:
                call.end = length
            return
        if call.end is None and (self.mode.whole or self._lacks_marks(call, stopped, held)):
            self._gap(length)
            call.notes.append(f"{self._closer(call)} was missing at the end")
            self._end_call(length)

    def _lacks_marks(self, call: Call, stopped: bool, held: bool) -> bool:
        """Say whether a call of tags that is still open has all its values."""
        if not stopped or held or self.mode.slot is not GAP or not call.params:
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

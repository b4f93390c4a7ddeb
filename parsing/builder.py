"""Folds crossed marks into spans: keeps offsets, never searches for a mark itself.

Both walkers drive it.  What the spans read as is for `making.py` to say.
"""

from __future__ import annotations

from parsing.call_builder import REASONING, CallBuilder
from parsing.grammar import CompiledEdge, CompiledMode
from parsing.spans import Call, Run, Thought
from parsing.table import BACK, Act, Slot

# Looking a member up in its enum costs as much as crossing a tag.
CLOSE_VALUE, OPEN_VALUE = Act.CLOSE_VALUE, Act.OPEN_VALUE
CLOSE_CALL, OPEN_CALL = Act.CLOSE_CALL, Act.OPEN_CALL
NEST, UNNEST, GO = Act.NEST, Act.UNNEST, Act.GO
TEXT, GAP = Slot.TEXT, Slot.GAP
_SHALLOW = (Act.OPEN_REASONING, Act.CLOSE_REASONING, Act.DROP)
_CUTS = (Act.CUT_VALUE, Act.CUT_CALL, Act.CUT_ARGS)


class Builder(CallBuilder):
    """The spans of one message as they grow."""

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
        at = end
        if act is CLOSE_VALUE:
            self.call.params[-1].end = end if edge.takes else start
        elif act is OPEN_VALUE:
            self._gap(start)
            self._open_value(edge, to, raw, start if edge.takes else end)
        elif act is CLOSE_CALL:
            self._gap(start)
            self._close_call(edge, start, end)
        elif act is OPEN_CALL:
            self._open_call(edge, raw, start)
        elif act not in _SHALLOW:
            at = self._other(edge, act, to, raw, start, end)
        if raw != edge.tag or edge.note:
            self._note(edge, raw, again=at != end)
        self._pass(mode, to, start, at, act)
        if to.told or mode.told:
            self._think(edge, mode, to, start, at)
        return at

    def _think(
        self, edge: CompiledEdge, mode: CompiledMode, to: CompiledMode, start: int, at: int
    ) -> None:
        """Note where reasoning begins and ends; where it is only interrupted it goes on."""
        within, into = mode.slot is REASONING, to.slot is REASONING
        if within:
            self._left = start
        last = self.thoughts[-1] if self.thoughts else None
        going = last is not None and last.end is None
        on = (within and not edge.edge.at_start) or edge.edge.to == BACK
        if not to.told or (into and going and on):
            return
        if last is not None and going:
            last.end = self._left
        if into:
            self.thoughts.append(Thought(at))

    def _note(self, edge: CompiledEdge, raw: str, *, again: bool) -> None:
        """Note what was read leniently."""
        if edge.note:
            self.call.notes.append(edge.note.format(raw=raw))
        elif edge.plain and not again and edge.act not in _SHALLOW:
            self.call.notes.append(f"{raw} was read as {edge.tag}")

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

    def _other(
        self, edge: CompiledEdge, act: Act, to: CompiledMode, raw: str, start: int, end: int
    ) -> int:
        call = self.call
        match act:
            case Act.OPEN_ARGS:
                self._open_args(edge, raw, start, end)
            case Act.CLOSE_ARGS:
                self._end_args(end if edge.takes else start)
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

    def _last(self, edge: CompiledEdge, start: int, end: int) -> int:
        """Leave the last level: of a value, of all arguments, or of the call with them."""
        call, at = self.call, end if edge.takes else start
        if edge.edge.last is CLOSE_VALUE:
            call.params[-1].end = at
            return end
        self._end_args(at)
        if edge.edge.last is CLOSE_CALL:
            self._end_call(end)
        return end

    def _cut(self, edge: CompiledEdge, raw: str, start: int, end: int) -> int:
        call = self.call
        self._stack.clear()
        if call.end is not None:  # between two calls of a list
            return start if edge.act is Act.CUT_CALL else end
        inside = call.params and call.params[-1].end is None
        if inside:
            param = call.params[-1]
            param.end = start
            closer = f"</{param.key}>" if self._grammar.dialect.tags_only else f"{param.key}'s end"
            fault = f"{closer} was missing: {raw} came inside the value"
        else:
            fault = f"the call does not end: {raw} came inside it"
        call.fault = call.fault or fault
        self._end_args(start)
        at = start if edge.act is Act.CUT_CALL else end
        self._end_call(at)
        return at

    def close(self, *, stopped: bool, length: int, held: bool) -> None:
        """End the message; `held` says that a half mark, or one not yet decided, is left over."""
        self.crossed += 1
        call = self.spans[-1]
        if isinstance(call, Run):
            if call.end is None:
                call.end = length
            return
        if call.end is None and (
            self.mode.whole or (stopped and not held and self._lacks_marks(call))
        ):
            self._gap(length)
            call.notes.append(f"{self._closer(call)} was missing at the end")
            self._end_call(length)

"""What was added to the blocks, piece by piece; joined pieces are the final value.

What was told is never taken back: identity first, then a call's arguments as growing JSON text.
Each character of the message is looked at a bounded number of times.
"""

from __future__ import annotations

import json

from parsing.buffer import Source
from parsing.builder import Builder, Call, Param, Run, trimmed
from parsing.reader import (
    ArgumentsDelta,
    CallBegan,
    CallEnded,
    Delta,
    ReasoningDelta,
    TextDelta,
)
from parsing.table import Slot, Trim
from parsing.values import json_text, shown, streams, string_piece


class Flow:
    """An open run of text, told without what its slot may still shed."""

    __slots__ = ("_begun", "_looked", "_told", "_trim")

    def __init__(self, start: int, trim: Trim) -> None:
        self._told = start
        self._looked = start
        self._trim = trim
        self._begun = False

    def more(self, source: Source, limit: int, *, closed: bool) -> str:
        """Give what can be told of the run up to `limit` and was not yet."""
        if self._trim is Trim.SPACE:
            return self._spaced(source, limit)
        return self._framed(source, limit, closed=closed)

    def _spaced(self, source: Source, limit: int) -> str:
        start, self._looked = self._looked, limit
        new = source.slice(start, limit)
        bare = new.rstrip()
        if not bare:
            return ""
        if not self._begun:
            self._begun = True
            bare = bare.lstrip()
            self._told = start + new.index(bare[0])
        elif self._told < start:
            bare = source.slice(self._told, start) + bare
        self._told += len(bare)
        return bare

    def _framed(self, source: Source, limit: int, *, closed: bool) -> str:
        new = source.slice(self._told, limit)
        if not self._begun:
            if not closed and new in ("", "\r"):
                return ""
            self._begun = True
            cut = len(new) - len(
                new.removeprefix("\n") if new[:1] == "\n" else new.removeprefix("\r\n")
            )
            self._told += cut
            new = new[cut:]
        bare = new.removesuffix("\n")
        if len(bare) < len(new) or not closed:
            bare = bare.removesuffix("\r")
        self._told += len(bare)
        return bare


class Teller:
    """Remembers what was told of a message's blocks."""

    def __init__(self) -> None:
        self._span = 0
        self._index = 0
        self._begun = False
        self._flow: Flow | None = None
        self._param = 0
        self._pending = ""  # the open value's text, while it may still turn out to be null
        self._quoted = False

    def tell(self, build: Builder, source: Source, visible: int) -> list[Delta]:
        """Give the deltas since the last time."""
        out: list[Delta] = []
        while self._span < len(build.spans):
            span = build.spans[self._span]
            if isinstance(span, Call):
                self._tell_call(out, span, source, visible)
            else:
                self._tell_text(out, span, source, visible)
            if span.end is None:
                break
            self._index += self._begun
            self._span += 1
            self._begun, self._flow = False, None
        return out

    def _tell_text(self, out: list[Delta], span: Run, source: Source, visible: int) -> None:
        if self._flow is None:
            self._flow = Flow(span.start, Trim.SPACE)
        limit = visible if span.end is None else span.end
        if piece := self._flow.more(source, limit, closed=span.end is not None):
            self._begun = True
            kind = TextDelta if span.slot is Slot.TEXT else ReasoningDelta
            out.append(kind(self._index, piece))

    def _tell_call(self, out: list[Delta], span: Call, source: Source, visible: int) -> None:
        if not self._begun:
            self._begun, self._param = True, 0
            out.append(CallBegan(self._index, span.name))
        text = ""
        while self._param < len(span.params):
            param = span.params[self._param]
            text += self._value(param, source, visible)
            if param.end is None:
                break
            self._param += 1
            self._flow, self._pending, self._quoted = None, "", False
        if span.end is not None:
            text += "}" if span.params else "{}"
        if text:
            out.append(ArgumentsDelta(self._index, text))
        if span.end is not None:
            out.append(CallEnded(self._index))

    def _value(self, param: Param, source: Source, visible: int) -> str:
        head = f"{', ' if self._param else '{'}{json.dumps(param.key, ensure_ascii=False)}: "
        closed = param.end is not None
        limit = visible if param.end is None else param.end
        if closed and not self._quoted:
            whole = trimmed(source.slice(param.start, limit), param.trim, closed=True)
            return head + json_text(whole, param.kind)
        if not streams(param.kind):
            return ""
        if self._flow is None:
            self._flow = Flow(param.start, param.trim)
        piece = self._flow.more(source, limit, closed=closed)
        if self._quoted:
            return string_piece(piece) + ('"' if closed else "")
        self._pending += piece
        if not shown(self._pending, param.kind, closed=False):
            return ""
        self._quoted = True
        return f'{head}"{string_piece(self._pending)}'

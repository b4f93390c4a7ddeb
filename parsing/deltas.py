"""What was added to the blocks, piece by piece; joined pieces are the final value.

What was told is never taken back: identity first, then a call's arguments as growing JSON text.
Each character of the message is looked at a bounded number of times.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from parsing.buffer import Source
from parsing.builder import Builder
from parsing.flows import AfterCall, ArgumentsFlow, Flow, flow_of
from parsing.forms import json_of, shown
from parsing.making import Maker, between_calls
from parsing.reader import (
    ArgumentsDelta,
    CallBegan,
    CallEnded,
    Delta,
    ReasoningDelta,
    TextDelta,
)
from parsing.spans import Args, Call, Param, Run, trimmed
from parsing.table import Slot, Trim
from parsing.values import STRING, Form, Kind, string, string_piece

TEXT, SPACE, NONE = Slot.TEXT, Trim.SPACE, Trim.NONE  # looking a member up in its enum is dear
PLAIN = Form.TEXT


def _more(flow: Flow, source: Source, limit: int, *, closed: bool) -> str:
    new = source.slice(flow.looked, limit)
    flow.looked = limit
    return flow.take(new, closed=closed)


class Parsed(Protocol):
    """What a change looks at in its parser."""

    since: int  # the first span that the last chunk may have changed
    calm: bool  # all text may be shown
    lasting: bool  # the open span stays the same object from chunk to chunk

    @property
    def build(self) -> Builder: ...
    @property
    def made(self) -> Maker: ...
    @property
    def visible(self) -> int: ...
    @property
    def source(self) -> Source: ...


class Teller:
    """Remembers what was told of a message's blocks."""

    def __init__(self, parser: Parsed) -> None:
        self._parser = parser
        self._span = 0
        self._index = 0
        self._begun = False
        self._param = 0
        self._told = 0  # values of the call
        self._exact = parser.made.exact
        self._trim = NONE if self._exact else SPACE
        self._build: Builder | None = None
        self._crossed = -1
        self._open: Run | Param | Args | None = None  # the run being told, of that builder
        self._quoted = False  # the open value's first quote was told
        self._flow: Flow | None = None
        self._kind: Callable[[int, str], Delta] = TextDelta
        self._raw = False  # the open run is arguments as the model wrote them
        self._pending = ""  # an open value's text, while it may still turn out to be null
        self._recovered = False
        self.stirred = False  # more than bare text may have come to the open string

    def deltas(self) -> list[Delta]:
        """Give the deltas since the last time."""
        run, flow, parser = self._open, self._flow, self._parser
        if run is None or flow is None or run.end is not None:
            return self._catch_up()
        source = parser.source
        if parser.calm:
            limit, fresh = source.length, source.fresh
            piece = fresh[-1] if fresh else ""
            if limit - flow.looked != len(piece):
                piece = source.slice(flow.looked, limit)
        else:
            limit = parser.visible
            piece = source.slice(flow.looked, limit)
        flow.looked = limit
        if self.stirred or not flow.settled or piece[-1:] in flow.waits:
            self.stirred = False
            piece = flow.take(piece)
        if not piece:
            return []
        if self._kind is ArgumentsDelta:
            return [ArgumentsDelta(self._index, piece if self._raw else string(piece)[1:-1])]
        self._begun = True
        return [self._kind(self._index, piece)]

    def _catch_up(self) -> list[Delta]:
        """Tell what tags that were crossed have changed."""
        parser = self._parser
        build = parser.build
        if self._flow is None and build.crossed == self._crossed and build is self._build:
            return []
        self._build, self._open, self._crossed = build, None, build.crossed
        source = parser.source
        out = self._walk(build, source, source.length if parser.calm else parser.visible)
        if not parser.lasting:
            self._open = None
        return out

    def _walk(self, build: Builder, source: Source, visible: int) -> list[Delta]:
        out: list[Delta] = []
        while self._span < len(build.spans):
            span = build.spans[self._span]
            if isinstance(span, Call):
                self._tell_call(out, span, source, visible)
            else:
                self._tell_run(out, span, source, visible)
            if span.end is None:
                return out
            self._index += self._begun
            self._span += 1
            self._begun, self._flow, self._told = False, None, 0
        use = self._parser.made.recovered
        if use is not None and not self._recovered:
            self._recovered = True
            out += [
                CallBegan(self._index, use.name),
                ArgumentsDelta(self._index, use.arguments),
                CallEnded(self._index),
            ]
        return out

    def _tell_run(self, out: list[Delta], run: Run, source: Source, visible: int) -> None:
        if run.end == run.start:
            return
        self._open, self._raw = run, False
        between = self._exact and run.after_call
        if self._flow is None:
            self._flow = AfterCall(run.start) if between else flow_of(run.start, self._trim)
            self._kind = TextDelta if run.slot is TEXT else ReasoningDelta
        limit = visible if run.end is None else run.end
        closed = run.end is not None and not (between and between_calls(run))
        if piece := _more(self._flow, source, limit, closed=closed):
            out.append(self._kind(self._index, piece))
        self._begun = self._begun or self._flow.begun

    def _tell_call(self, out: list[Delta], call: Call, source: Source, visible: int) -> None:
        if call.name is None or call.hidden:
            return
        if not self._begun:
            self._begun, self._param = True, 0
            out.append(CallBegan(self._index, call.name))
        if call.args is not None:
            self._tell_args(out, call, call.args, source, visible)
        else:
            self._tell_params(out, call, source, visible)
        if call.end is not None:
            out.append(CallEnded(self._index))

    def _tell_args(
        self, out: list[Delta], call: Call, args: Args, source: Source, visible: int
    ) -> None:
        """Pass on the arguments as the model wrote them."""
        if self._flow is None:
            self._flow = ArgumentsFlow(args.start)
        limit = visible if args.end is None else args.end
        text = _more(self._flow, source, limit, closed=args.end is not None)
        if call.end is not None and not self._flow.begun:
            text = "{}"
        if text:
            out.append(ArgumentsDelta(self._index, text))
        if args.end is None:
            self._open, self._kind, self._raw = args, ArgumentsDelta, True

    def _tell_params(self, out: list[Delta], call: Call, source: Source, visible: int) -> None:
        params = call.params
        text = ""
        while self._param < len(params):
            param = params[self._param]
            if param.known:
                text += self._value(out, param, source, visible)
            if param.end is None:
                break
            self._param += 1
            self._told += param.known
            self._flow, self._quoted, self._pending = None, False, ""
        if call.end is not None:
            text += "}" if self._told else "{}"
        if text:
            out.append(ArgumentsDelta(self._index, text))

    def _value(self, out: list[Delta], param: Param, source: Source, visible: int) -> str:
        """Give what is to be told of a value; the end of one that streamed is told on its own."""
        end, flow = param.end, self._flow
        if self._quoted and flow is not None:
            self._open, self._raw = param, False
            if end is None:
                return string_piece(_more(flow, source, visible, closed=False))
            text = string_piece(_more(flow, source, end, closed=True)) + '"'
            out.append(ArgumentsDelta(self._index, text))
            return ""
        head = f"{', ' if self._told else '{'}{string(param.key)}: "
        if end is not None:
            whole = trimmed(source.slice(param.start, end), param.trim, closed=True)
            return head + json_of(whole, param.kind, param.form)
        whole_only = param.form in (Form.JSON, Form.ELEMENTS)
        if whole_only or (param.form is PLAIN and Kind.STRING not in param.kind):
            return ""
        if flow is None:
            flow = self._flow = flow_of(param.start, param.trim, param.form)
        self._pending += _more(flow, source, visible, closed=False)
        if param.form is not PLAIN:
            waits = not flow.begun
        else:
            waits = param.kind is not STRING and not shown(self._pending, param.kind, closed=False)
        if waits:
            return ""
        self._open, self._kind, self._quoted, self._raw = param, ArgumentsDelta, True, False
        return f'{head}"{string_piece(self._pending)}'

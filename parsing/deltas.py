"""What was added to the blocks, piece by piece; joined pieces are the final value.

What was told is never taken back: identity first, then a call's arguments as growing JSON text.
Each character of the message is looked at a bounded number of times.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

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
from parsing.values import STRING, json_text, shown, streams, string, string_piece

TEXT, SPACE = Slot.TEXT, Trim.SPACE  # looking a member up in its enum is dear
_BREAK = ("\n", "\r")


class Spaced:
    """An open run whose slot sheds all white space at both ends."""

    __slots__ = ("_space", "begun", "looked", "settled")

    def __init__(self, start: int) -> None:
        self.looked = start  # how far the text was taken
        self.begun = False
        self.settled = False  # text that ends without white space is told as it is
        self._space: list[str] = []  # white space that is told once something follows it

    def take(self, new: str, *, closed: bool = False) -> str:
        """Take the text that was added; give what can be told."""
        bare = new.rstrip()
        if not bare:
            if self.begun and new:
                self._space.append(new)
                self.settled = False
            return ""
        after = new[len(bare) :]
        if not self.begun:
            self.begun = True
            bare = bare.lstrip()
        elif self._space:
            bare = "".join(self._space) + bare
            self._space.clear()
        self.settled = not after
        if after:
            self._space.append(after)
        return bare


class Framed:
    """An open run whose slot sheds one framing newline on each side."""

    __slots__ = ("_kept", "begun", "looked", "settled")

    def __init__(self, start: int) -> None:
        self.looked = start  # how far the text was taken
        self.begun = False
        self.settled = False  # text that ends without white space is told as it is
        self._kept = ""  # what may be the framing newline, or half of it

    def take(self, new: str, *, closed: bool = False) -> str:
        """Take the text that was added; give what can be told."""
        new = self._kept + new
        if not self.begun:
            if not closed and new in ("", "\r"):
                self._kept = new
                return ""
            self.begun = True
            new = new[1 if new[:1] == "\n" else 2 if new[:2] == "\r\n" else 0 :]
        told = new
        if new[-1:] in _BREAK:
            bare = new.removesuffix("\n")
            told = bare.removesuffix("\r") if len(bare) < len(new) or not closed else bare
        self._kept = new[len(told) :]
        self.settled = not self._kept
        return told


def _more(flow: Spaced | Framed, source: Source, limit: int, *, closed: bool) -> str:
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
        self._build: Builder | None = None
        self._crossed = -1
        self._open: Run | Param | None = None  # the run being told, of that builder
        self._quoted = False  # the open value's first quote was told
        self._flow: Spaced | Framed | None = None
        self._kind: Callable[[int, str], Delta] = TextDelta
        self._pending = ""  # an open value's text, while it may still turn out to be null
        self._recovered = False

    def deltas(self) -> list[Delta]:
        """Give the deltas since the last time."""
        run, flow, parser = self._open, self._flow, self._parser
        if run is None or flow is None or run.end is not None:
            return self._catch_up()
        source = parser.source
        limit = source.length if parser.calm else parser.visible
        if parser.calm and source.fresh and limit - flow.looked == len(source.fresh[-1]):
            piece = source.fresh[-1]
        else:
            piece = source.slice(flow.looked, limit)
        flow.looked = limit
        if not flow.settled or piece[-1:].isspace():
            piece = flow.take(piece)
        if not piece:
            return []
        if self._kind is ArgumentsDelta:
            return [ArgumentsDelta(self._index, string(piece)[1:-1])]
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
            self._begun, self._flow = False, None
        if build.recovered is not None and not self._recovered:
            self._recovered = True
            use = build.recovered
            out += [
                CallBegan(self._index, use.name),
                ArgumentsDelta(self._index, use.arguments),
                CallEnded(self._index),
            ]
        return out

    def _tell_run(self, out: list[Delta], run: Run, source: Source, visible: int) -> None:
        if run.end == run.start:
            return
        self._open = run
        if self._flow is None:
            self._flow = Spaced(run.start)
            self._kind = TextDelta if run.slot is TEXT else ReasoningDelta
        limit = visible if run.end is None else run.end
        if piece := _more(self._flow, source, limit, closed=run.end is not None):
            out.append(self._kind(self._index, piece))
        self._begun = self._flow.begun

    def _tell_call(self, out: list[Delta], call: Call, source: Source, visible: int) -> None:
        if not self._begun:
            self._begun, self._param = True, 0
            out.append(CallBegan(self._index, call.name))
        params = call.params
        text = ""
        while self._param < len(params):
            param = params[self._param]
            text += self._value(param, source, visible)
            if param.end is None:
                break
            self._param += 1
            self._flow, self._quoted, self._pending = None, False, ""
        ended = call.end is not None
        if ended:
            text += "}" if params else "{}"
        if text:
            out.append(ArgumentsDelta(self._index, text))
        if ended:
            out.append(CallEnded(self._index))

    def _value(self, param: Param, source: Source, visible: int) -> str:
        end, flow = param.end, self._flow
        if self._quoted and flow is not None:
            self._open = param
            if end is None:
                return string_piece(_more(flow, source, visible, closed=False))
            return string_piece(_more(flow, source, end, closed=True)) + '"'
        mode = param.mode
        head = f"{', ' if self._param else '{'}{string(param.key)}: "
        if end is not None:
            whole = trimmed(source.slice(param.start, end), mode.trim, closed=True)
            return head + json_text(whole, mode.kind)
        if not streams(mode.kind):
            return ""
        if flow is None:
            flow = self._flow = (Spaced if mode.trim is SPACE else Framed)(param.start)
        self._pending += _more(flow, source, visible, closed=False)
        if mode.kind is not STRING and not shown(self._pending, mode.kind, closed=False):
            return ""
        self._open, self._kind, self._quoted = param, ArgumentsDelta, True
        return f'{head}"{string_piece(self._pending)}'

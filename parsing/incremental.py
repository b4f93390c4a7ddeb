"""Chunk by chunk: remembers where it stands, and looks at each character a bounded number of times.

Inside an open text or value a chunk that may begin no mark is only put by; what is held back is
half a mark, or a whole one whose right context has not come yet (the white space after it is not
kept twice).
"""

from __future__ import annotations

from parsing.blocks import Block, Finish
from parsing.change import Growth
from parsing.grammar import Grammar
from parsing.mark_scan import MarkScan
from parsing.reparse import recovered
from parsing.spans import Call
from parsing.standing import Finds, Waiting
from parsing.table import Slot
from parsing.tag_scan import TagScan


class Incremental(TagScan, MarkScan):
    """A parser that is fed."""

    def __init__(self, grammar: Grammar) -> None:
        super().__init__(grammar)
        self._change = Growth(self)
        self._scan = self._scan_tags if self._tags else self._scan_marks

    @property
    def visible(self) -> int:
        """How far the text may be shown."""
        if self._waiting is not None:
            return self._waiting.start
        held = self._held
        mode = self.build.mode
        if not self._tags:
            return self.source.length - len(held)
        if not held or held in mode.sure or self._may_be(mode, held):
            return self.source.length - len(held)
        return self.source.length

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.made.blocks(self.visible)

    @property
    def text(self) -> str:
        return self.source.slice(0, self.source.length)

    def feed(self, chunk: str) -> Growth:
        """Read on."""
        self._put_by(chunk)
        self.source.length += len(chunk)
        if self.calm:
            if self._lead:
                if self._lead not in chunk:
                    return self._change
                tail = chunk[chunk.find(self._lead) :]
            elif self._skip is not None:
                if self._quote and self._quote not in chunk and self._escape not in chunk:
                    return self._change
                return self._on(self._skip, chunk)
            elif found := self._stops(chunk):
                tail = chunk[found.start() :]
            else:
                return self._change
        else:
            self._change.stirred = True
            tail = self._held + chunk
            if self._skip is not None and self._waiting is None:
                return self._on(self._skip, tail)
        self.since = len(self.build.spans) - 1
        if self._waiting is not None:
            tail = self._resolve(self._waiting, tail)
        if tail in self._prefixes:
            self._held = tail
            self.calm = False
        elif tail:
            self._scan(tail)
        return self._change

    def _on(self, skip: Finds, window: str) -> Growth:
        """Read on in a string: what is no mark there is passed over in one leap."""
        self._change.stirred = True
        if self._quote and self._quote not in window and window[-1:] != self._escape:
            self._held, self.calm = "", True  # escapes, and all of them whole
            return self._change
        body = skip(window)
        at = body.end() if body else 0
        left = len(window) - at
        if not left:
            self._held, self.calm = "", True
        elif left == 1 and window[at] == self._escape:
            self._held, self.calm = self._escape, False
        else:
            self.since = len(self.build.spans) - 1
            self._scan_marks(window[at:])
        return self._change

    def close(self, finish: Finish) -> Growth:
        """End the message."""
        build, length = self.build, self.source.length
        self.since = len(build.spans) - 1
        waiting = self._waiting
        stopped = self._stopped = finish is Finish.STOP
        if not self._tags:
            self._settle()
        elif waiting is not None and not self._held and waiting.edge.at_end:
            self._waiting = None
            self._cross(waiting.edge, waiting.raw, waiting.start, waiting.end)
        in_call = isinstance(build.spans[-1], Call)
        build.close(stopped=stopped, length=length, held=self.visible < length)
        if not in_call:
            self._held, self._waiting = "", None
        if build.mode.slot is Slot.REASONING and stopped and not self._grammar.serving:
            reasoning = self.source.slice(build.start, length)
            self.made.recovered = recovered(self._grammar, build, reasoning)
        return self._change

    def _settle(self) -> None:
        """Look once more at what is held: no more text comes."""
        here, length = self.visible, self.source.length
        self._final, self._waiting, self._held = True, None, ""
        if here < length:
            self._scan_marks(self.source.slice(here, length))

    def _resolve(self, waiting: Waiting, window: str) -> str:
        """Decide on the waiting tag; give what is left to scan, nothing while it waits on."""
        if not window:
            return ""
        if waiting.edge.unquoted:
            counts: bool | None = window[0] != "`"
        else:
            window = window.lstrip()
            counts = self._followed(waiting.edge, window, 0) if window else None
        if counts is None:
            self._held = window
            return ""
        self._waiting, self._held, self.calm = None, "", True
        again = counts and self._cross(waiting.edge, waiting.raw, waiting.start, waiting.end)
        if not self._tags:
            self._refused = None if counts else waiting
            from_here = waiting.start if again or not counts else waiting.end
            return self.source.slice(from_here, self.source.length)
        if again:
            window = self.source.slice(waiting.start, self.source.length)
        at = window.find("<")
        return window[at:] if at >= 0 else ""

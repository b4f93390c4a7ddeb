"""Chunk by chunk through a dialect of any marks."""

from __future__ import annotations

from parsing.grammar import CompiledEdge, Marks
from parsing.spans import Run
from parsing.standing import Standing, Waiting

NOT_HERE, UNDECIDED = 0, -1


class MarkScan(Standing):
    """Crosses marks, first ones first; half a mark is held back."""

    def _scan_marks(self, window: str) -> None:
        """Cross the marks of a window that ends where the text ends."""
        at: int | None = 0
        while at is not None:
            marks = self.build.mode.marks
            at = None if marks is None else self._seek(window, at)
            if marks is None or at is None:
                self._held, self.calm = "", True
                return
            at = self._meet(marks, window, at)

    def _seek(self, window: str, at: int) -> int | None:
        """Give the next place where a mark may begin."""
        if self._skip is not None:
            body = self._skip(window, at)
            at = body.end() if body else at
            return at if at < len(window) else None
        found = self._stops(window, at)
        return found.start() if found else None

    def _meet(self, marks: Marks, window: str, at: int) -> int | None:
        """Deal with what may be a mark; give where to go on, nothing when more must come."""
        start = self.source.length - len(window) + at
        held = window[at] == marks.escape and at + 1 == len(window)
        for edge in marks.by_lead.get(window[at], ()):
            if self._refused is not None and start == self._refused.start:
                self._refused = None if edge is self._refused.edge else self._refused
                continue
            end = self._judge(edge, window, at)
            if end > at:
                raw = window[at:end]
                return at if self._cross(edge, raw, start, start + len(raw)) else end
            if end == UNDECIDED and not self._final:
                return None
            held = held or end == UNDECIDED
        if not held:
            return at + 1
        self._hold(window[at:])
        return None

    def _judge(self, edge: CompiledEdge, window: str, at: int) -> int:
        """Say where the mark ends that stands here and counts; else NOT_HERE or UNDECIDED."""
        found = edge.whole.match(window, at)
        if found is None and not edge.half.match(window, at):
            return NOT_HERE
        if edge.guarded and not self._placed(edge, window, at):
            return NOT_HERE
        if found is None:
            self._hold(window[at:])
            return UNDECIDED
        end = found.end()
        if edge.guarded and not self.build.welcome(edge, found):
            return NOT_HERE
        if not edge.demands:
            return end
        counts, then = self._counts(edge, window, at, end)
        if counts is None and self._final:
            ends = edge.at_stop if self._stopped else edge.at_end
            return end if ends and then == len(window) else UNDECIDED
        if counts is None:
            start = self.source.length - len(window) + at
            self._waiting = Waiting(edge, found[0], start, start + end - at)
            self._hold(window[then:])
            return UNDECIDED
        return end if counts else NOT_HERE

    def _hold(self, tail: str) -> None:
        self._held, self.calm = tail, False

    def _placed(self, edge: CompiledEdge, window: str, at: int) -> bool:
        """Say whether this mark counts in such a place."""
        rule = edge.edge
        if rule.line_start and not self._starts_line(window, at):
            return False
        if not (rule.at_start or rule.after_call):
            return True
        here = self.source.length - len(window) + at
        run = self.build.spans[-1]
        if rule.after_call and not (isinstance(run, Run) and run.after_call):
            return False
        return self._only_space(here)

    def _only_space(self, here: int) -> bool:
        """Say whether only white space stands in the mode before this place, looking at it once."""
        start, end = self._space
        if start != self.build.start:
            start = end = self.build.start
            self._solid = None
        while self._solid is None and end < here:
            piece = self.source.slice(end, min(here, end + 64))
            if bare := piece.lstrip():
                self._solid = end + len(piece) - len(bare)
            end += len(piece)
        self._space = (start, end)
        return self._solid is None or self._solid >= here

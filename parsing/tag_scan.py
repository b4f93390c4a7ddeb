"""Chunk by chunk through a dialect of `<name>` tags."""

from __future__ import annotations

from parsing.grammar import CompiledEdge, CompiledMode
from parsing.standing import Standing, Waiting


class TagScan(Standing):
    """Crosses tags; half a tag is held back."""

    def _scan_tags(self, window: str) -> None:
        """Cross the tags of a window that begins with "<" and ends where the text ends."""
        mode = self.build.mode
        at = 0
        while at >= 0:
            head = window[at : at + 3]
            if head in mode.heads:
                end = window.find(">", at, at + mode.longest) + 1
                if end:
                    at = window.find("<", self._take(mode, window, at, end))
                    mode = self.build.mode
                    continue
                if self._holds(mode, window, at):
                    return
            elif len(head) < 3 and head in mode.prefixes:
                self._held, self.calm = head, False
                return
            at = window.find("<", at + 1)
        if self._waiting is None:
            self._held, self.calm = "", True

    def _holds(self, mode: CompiledMode, window: str, at: int) -> bool:
        """Hold back the window's tail when it may be half a tag."""
        tail = window[at:]
        if len(tail) >= mode.longest or not mode.tags.begins(tail):
            return False
        self._held, self.calm = tail, False
        return True

    def _take(self, mode: CompiledMode, window: str, at: int, end: int) -> int:
        """Deal with a complete `<…>`, or wait for what follows it; give where to go on."""
        raw = window[at:end]
        edge = mode.edges.get(raw) or mode.edge(raw)
        if edge is None:
            return at + 1
        start = self.source.length - len(window) + at
        if edge.choosy:
            if edge.guarded and not self._live(edge, window, at):
                return end
            counts, then = self._counts(edge, window, at, end)
            if counts is None:
                self._waiting = Waiting(edge, raw, start, start + len(raw))
                self._held, self.calm = window[then:], False
                return len(window)
            if not counts:
                return end
        return at if self._cross(edge, raw, start, start + len(raw)) else end

    def _may_be(self, mode: CompiledMode, held: str) -> bool:
        """Say whether a tag that counts may still come of what is held."""
        here = self.source.length - len(held)
        if mode.inert and self._lines.inert_at(self.source, here):
            return False
        if held in mode.anywhere:
            return True
        tags = mode.tags.begun(held)
        if all(mode.edges[tag].line_start for tag in tags):
            return bool(tags) and self._starts_line(held, 0)
        return True

    def _live(self, edge: CompiledEdge, window: str, at: int) -> bool:
        if edge.line_start and not self._starts_line(window, at):
            return False
        if not self.build.mode.inert:
            return True
        return not self._lines.inert_at(self.source, self.source.length - len(window) + at)

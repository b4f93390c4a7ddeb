"""Chunk by chunk: remembers where it stands, and looks at each character a bounded number of times.

Inside an open text or value a chunk without `<` is only put by; what is held back is half a tag,
or a whole tag whose right context has not come yet (the white space after it is not kept twice).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from parsing.blocks import Block, Finish
from parsing.buffer import Buffer
from parsing.builder import Builder
from parsing.change import Growth
from parsing.grammar import CompiledEdge, CompiledMode, Grammar, Marks
from parsing.lines import Lines
from parsing.making import Maker
from parsing.reparse import recovered
from parsing.spans import Call, Run
from parsing.table import Slot, When

_SPACE = re.compile(r"\s*")


@dataclass(slots=True)
class Waiting:
    """A whole tag that counts or not by what comes after it."""

    edge: CompiledEdge
    raw: str
    start: int
    end: int


class Incremental:
    """A parser that is fed."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self.source = Buffer()
        self.build = Builder(grammar, self.source)
        self.made = Maker(self.build, self.source, exact=grammar.serving)
        self.since = 0  # the first span that the last chunk may have changed
        self._put_by = self.source.put_by
        self._change = Growth(self)
        self.lasting = True
        self.calm = True  # nothing is held and nothing is waited for
        self._tags = grammar.dialect.tags_only
        self._scan = self._scan_tags if self._tags else self._scan_marks
        self._final = self._stopped = False  # the message has ended; by the model's own will
        self._refused: Waiting | None = None  # a mark that does not count where it stands
        self._look(self.build.mode)
        self._held = ""  # half a tag; of a waiting tag's right context, if there is one
        self._waiting: Waiting | None = None
        self._lines = Lines(0)

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
            elif found := self._stops(chunk):
                tail = chunk[found.start() :]
            else:
                return self._change
        else:
            tail = self._held + chunk
        self.since = len(self.build.spans) - 1
        if self._waiting is not None:
            tail = self._resolve(self._waiting, tail)
        if tail in self._prefixes:
            self._held = tail
            self.calm = False
        elif tail:
            self._scan(tail)
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

    def _cross(self, edge: CompiledEdge, raw: str, start: int, end: int) -> bool:
        """Cross a tag; say whether it is to be read again in the mode it led to."""
        build = self.build
        at = build.cross(edge, raw, start, end)
        mode = build.mode
        self._look(mode)
        if mode.inert:
            self._lines = Lines(at)
        return at == start

    def _look(self, mode: CompiledMode) -> None:
        """Look out for the marks of a mode."""
        self._prefixes = mode.prefixes
        self._lead = mode.lead
        if mode.marks is not None:
            self._stops = mode.marks.stops.search

    def _scan_marks(self, window: str) -> None:
        """Cross the marks of a window that ends where the text ends."""
        at: int | None = 0
        while at is not None:
            marks = self.build.mode.marks
            at = None if marks is None else self._seek(marks, window, at)
            if marks is None or at is None:
                self._held, self.calm = "", True
                return
            at = self._meet(marks, window, at)

    def _seek(self, marks: Marks, window: str, at: int) -> int | None:
        """Give the next place where a mark may begin."""
        if marks.only:
            at = window.find(marks.only, at)
            return at if at >= 0 else None
        while found := self._stops(window, at):
            at = found.start()
            if found[0] != marks.escape or at + 1 == len(window):
                return at
            at += 2
        return None

    def _meet(self, marks: Marks, window: str, at: int) -> int | None:
        """Deal with what may be a mark; give where to go on, nothing when more must come."""
        start = self.source.length - len(window) + at
        held = window[at:] == marks.escape
        for edge in marks.by_lead.get(window[at], ()):
            if self._refused is not None and start == self._refused.start:
                if edge is self._refused.edge:
                    self._refused = None
                continue
            if edge.guarded and not self._placed(edge, window, at):
                continue
            found = edge.whole.match(window, at)
            if found is None:
                if edge.half.match(window, at):
                    if not self._final:
                        return self._hold(window[at:])
                    held = True
                continue
            if edge.guarded and not self.build.welcome(edge, found):
                continue
            end = found.end()
            if edge.demands:
                counts, then = self._counts(edge, window, at, end)
                if counts is None and not self._final:
                    self._waiting = Waiting(edge, found[0], start, start + end - at)
                    return self._hold(window[then:])
                if counts is None:
                    held = True
                    ends = edge.at_stop if self._stopped else edge.at_end
                    counts = ends and then == len(window)
                if not counts:
                    continue
            return at if self._cross(edge, found[0], start, start + end - at) else end
        return self._hold(window[at:]) if held else at + 1

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
        """Say whether nothing but white space stands in the mode before this place."""
        first = self.build.start
        while here > first:
            piece = self.source.slice(max(first, here - 64), here)
            if piece.strip():
                return False
            here -= len(piece)
        return True

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

    def _counts(
        self, edge: CompiledEdge, window: str, at: int, end: int
    ) -> tuple[bool | None, int]:
        """Say whether a tag counts, and where its right context begins."""
        if edge.unquoted and self._before(window, at) == "`":
            return (None if end == len(window) else window[end] != "`"), end
        if edge.follow is None:
            return True, end
        space = _SPACE.match(window, end)
        then = space.end() if space else end
        return (self._followed(edge, window, then) if then < len(window) else None), then

    def _followed(self, edge: CompiledEdge, window: str, at: int) -> bool | None:
        """Say whether what stands at `at` (no white space) lets the tag count."""
        if edge.sequels is not None:
            return edge.sequels.follow(window, at)
        follow = edge.follow
        if follow is None or window[at] != "<":
            return False
        if follow.any_tag:
            after = window[at + 1 : at + 2]
            if not after:
                return None
            if after == "/" or "a" <= after <= "z" or "A" <= after <= "Z":
                return True
        tags = edge.followers
        if tags is None:
            return False
        end = window.find(">", at, at + tags.longest) + 1
        if end:
            tag = tags.named(window[at:end])
            return tag is not None and self._allowed(follow.tags[tag], tag, window, at)
        tail = window[at:]
        if len(tail) >= tags.longest or not tags.begins(tail):
            return False
        begun = (self._allowed(follow.tags[tag], tag, window, at) for tag in tags.begun(tail))
        return None if any(begun) else False

    def _allowed(self, when: When, tag: str, window: str, at: int) -> bool:
        if when is When.NOT_GIVEN:
            return not self.build.call.given(tag[1:-1])
        return when is When.ALWAYS or self._starts_line(window, at)

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

    def _before(self, window: str, at: int) -> str:
        here = self.source.length - len(window) + at
        return window[at - 1] if at else self.source.slice(max(here - 1, 0), here)

    def _starts_line(self, window: str, at: int) -> bool:
        base, first = self.source.length - len(window), self.build.start
        while at and window[at - 1].isspace() and window[at - 1] != "\n" and base + at > first:
            at -= 1
        if base + at == first or at:
            return base + at == first or window[at - 1] == "\n"
        here = base
        while here > first:
            piece = self.source.slice(max(first, here - 64), here)
            bare = piece.rstrip()
            if "\n" in piece[len(bare) :]:
                return True
            if bare:
                return False
            here -= 64
        return True

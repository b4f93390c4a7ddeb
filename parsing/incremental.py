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
from parsing.grammar import CompiledMode, Grammar
from parsing.lines import Lines
from parsing.reparse import recover
from parsing.table import Edge, Guard, Slot

_SPACE = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Waiting:
    """A whole tag that counts or not by what comes after it."""

    edge: Edge
    tag: str
    raw: str
    start: int
    end: int


class Incremental:
    """A parser that is fed."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self.source = Buffer()
        self.build = Builder(grammar, self.source)
        self.since = 0  # the first span that the last chunk may have changed
        self._put_by = self.source.put_by
        self._change = Growth(self)
        self._calm = True  # nothing is held and nothing is waited for
        self._held = ""  # half a tag; of a waiting tag's right context, if there is one
        self._waiting: Waiting | None = None
        self._lines = Lines(0)

    @property
    def visible(self) -> int:
        """How far the text may be shown."""
        if self._waiting is not None:
            return self._waiting.start
        return self.source.length - len(self._held)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.build.blocks(self.visible)

    @property
    def text(self) -> str:
        return self.source.slice(0, self.source.length)

    def feed(self, chunk: str) -> Growth:
        """Read on."""
        self._put_by(chunk)
        if not self._calm or "<" in chunk:
            self._step(chunk)
        return self._change

    def close(self, finish: Finish) -> Growth:
        """End the message."""
        build, length = self.build, self.source.length
        self.since = len(build.spans) - 1
        waiting = self._waiting
        if waiting is not None and not self._held:
            if waiting.edge.follow is None or waiting.edge.follow.end:
                self._waiting = None
                self._cross(waiting)
        in_call = build.spans[-1].slot is Slot.GAP
        build.close(finish, length, held=self.visible < length)
        if not in_call:
            self._held, self._waiting = "", None
        if build.mode.slot is Slot.REASONING and finish is Finish.STOP:
            recover(self._grammar, build, self.source.slice(build.start, length))
        return self._change

    def _step(self, chunk: str) -> None:
        self.since = len(self.build.spans) - 1
        window = self._held + chunk
        if self._waiting is not None:
            window = self._resolve(self._waiting, window)
        if window:
            self._scan(window)
        self._calm = not self._held and self._waiting is None

    def _resolve(self, waiting: Waiting, window: str) -> str:
        """Decide on the waiting tag; give what is left to scan, nothing while it waits on."""
        if Guard.UNQUOTED in waiting.edge.guard:
            counts: bool | None = window[0] != "`"
        else:
            window = window.lstrip()
            counts = self._followed(waiting, window, 0) if window else None
        if counts is None:
            self._held = window
            return ""
        self._waiting, self._held = None, ""
        if counts and self._cross(waiting) == waiting.start:
            return self.source.slice(waiting.start, self.source.length)
        return window

    def _cross(self, tag: Waiting) -> int:
        at = self.build.cross(tag.edge, tag.tag, tag.raw, tag.start, tag.end)
        if self.build.mode.inert:
            self._lines = Lines(at)
        return at

    def _scan(self, window: str) -> None:
        """Cross the tags of a window that ends where the text ends."""
        base = self.source.length - len(window)
        self._held = ""
        at = window.find("<")
        while at >= 0:
            mode = self.build.mode
            after = window[at + 1 : at + 2]
            if after and after not in mode.second:
                at = window.find("<", at + 1)
                continue
            end = window.find(">", at, at + mode.tags.longest) + 1
            if not end:
                if len(window) - at < mode.tags.longest and self._may_begin(mode, window, at):
                    self._held = window[at:]
                    return
                at = window.find("<", at + 1)
                continue
            taken = self._take(mode, window, at, end)
            if taken is None:
                return
            at = window.find("<", taken)

    def _take(self, mode: CompiledMode, window: str, at: int, end: int) -> int | None:
        """Deal with a complete `<…>`; give where to go on, or None when it has to wait."""
        raw = window[at:end]
        tag = raw if raw in mode.edges else mode.tags.named(raw)
        if tag is None:
            return at + 1
        edge = mode.edges[tag]
        if (mode.inert or edge.guard) and not self._live(mode, edge, window, at):
            return end
        base = self.source.length - len(window)
        found = Waiting(edge, tag, raw, base + at, base + end)
        if Guard.UNQUOTED in edge.guard and self._before(window, at) == "`":
            if end == len(window):
                self._waiting = found
                return None
            if window[end] == "`":
                return end
        if edge.follow is not None:
            then = self._space_end(window, end)
            counts = self._followed(found, window, then) if then < len(window) else None
            if counts is None:
                self._waiting, self._held = found, window[then:]
                return None
            if not counts:
                return end
        return at if self._cross(found) == found.start else end

    def _space_end(self, window: str, at: int) -> int:
        space = _SPACE.match(window, at)
        return space.end() if space else at

    def _followed(self, found: Waiting, window: str, at: int) -> bool | None:
        """Say whether what stands at `at` (no white space) lets the tag count."""
        follow = found.edge.follow
        if follow is None or window[at] != "<":
            return False
        if follow.any_tag:
            after = window[at + 1 : at + 2]
            if not after:
                return None
            if after == "/" or "a" <= after <= "z" or "A" <= after <= "Z":
                return True
        tags = self.build.mode.follows.get(found.tag)
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

    def _allowed(self, guard: Guard, tag: str, window: str, at: int) -> bool:
        if Guard.NOT_GIVEN in guard and tag[1:-1] in self.build.given:
            return False
        return Guard.LINE_START not in guard or self._starts_line(window, at)

    def _may_begin(self, mode: CompiledMode, window: str, at: int) -> bool:
        tail = window[at:]
        if tail in mode.sure:
            return True
        if not mode.tags.begins(tail):
            return False
        return any(self._live(mode, mode.edges[tag], window, at) for tag in mode.tags.begun(tail))

    def _live(self, mode: CompiledMode, edge: Edge, window: str, at: int) -> bool:
        if Guard.LINE_START in edge.guard and not self._starts_line(window, at):
            return False
        if not mode.inert:
            return True
        here = self.source.length - len(window) + at
        lines = self._lines
        if lines.pos < here:
            lines.advance(self.source.slice(lines.pos, here))
        return not lines.inert

    def _before(self, window: str, at: int) -> str:
        here = self.source.length - len(window) + at
        return window[at - 1] if at else self.source.slice(max(here - 1, 0), here)

    def _starts_line(self, window: str, at: int) -> bool:
        base, first = self.source.length - len(window), self.build.start
        while at and window[at - 1] in " \t" and base + at > first:
            at -= 1
        if base + at == first or at:
            return base + at == first or window[at - 1] == "\n"
        here = base
        while here > first:
            piece = self.source.slice(max(first, here - 64), here).rstrip(" \t")
            if piece:
                return piece[-1] == "\n"
            here -= 64
        return True

"""Where an incremental reading stands, and what it can say of the text around a mark."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Protocol

from parsing.buffer import Buffer
from parsing.builder import Builder
from parsing.grammar import CompiledEdge, CompiledMode, Grammar
from parsing.lines import Lines
from parsing.making import Maker
from parsing.table import When

_SPACE = re.compile(r"\s*")
_NOWHERE = re.compile("(?!)")


@dataclass(slots=True)
class Waiting:
    """A whole tag that counts or not by what comes after it."""

    edge: CompiledEdge
    raw: str
    start: int
    end: int


class Finds(Protocol):
    """A compiled pattern's way to look at a text."""

    def __call__(self, string: str, pos: int = 0, /) -> re.Match[str] | None: ...


class Standing:
    """The state of a message that is fed."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self.source = Buffer()
        self.build = Builder(grammar, self.source)
        self.made = Maker(self.build, self.source, exact=grammar.serving)
        self.since = 0  # the first span that the last chunk may have changed
        self._put_by = self.source.put_by
        self.lasting = True
        self.calm = True  # nothing is held and nothing is waited for
        self._tags = grammar.dialect.tags_only
        self._final = self._stopped = False  # the message has ended; by the model's own will
        self._stops: Finds = _NOWHERE.search  # where a mark may begin
        self._skip: Finds | None = None  # over a string's inside
        self._escape = self._quote = ""  # in a string; the only character that may end it
        self._refused: Waiting | None = None  # a mark that does not count where it stands
        self._look(self.build.mode)
        self._held = ""  # half a tag; of a waiting tag's right context, if there is one
        self._waiting: Waiting | None = None
        self._lines = Lines(0)
        self._space = (0, 0)  # only white space stands here, at the start of a mode
        self._solid: int | None = None  # where it ends

    def _look(self, mode: CompiledMode) -> None:
        """Look out for the marks of a mode."""
        self._prefixes = mode.prefixes
        self._lead = mode.lead
        if mode.marks is not None:
            self._stops = mode.marks.leads.search
            self._skip = mode.marks.skip
            self._escape = mode.marks.escape
            self._quote = mode.marks.quote

    def _cross(self, edge: CompiledEdge, raw: str, start: int, end: int) -> bool:
        """Cross a tag; say whether it is to be read again in the mode it led to."""
        build = self.build
        at = build.cross(edge, raw, start, end)
        mode = build.mode
        self._look(mode)
        if mode.inert:
            self._lines = Lines(at)
        return at == start

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

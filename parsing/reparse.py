"""The whole message again, on every chunk: leap from tag to tag.

A pure function of the text; the incremental mode is specified by it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from parsing.blocks import Block, Finish, ToolUse
from parsing.buffer import Whole
from parsing.builder import Builder
from parsing.change import Growth
from parsing.grammar import CompiledEdge, Grammar, Marks
from parsing.lines import Lines
from parsing.making import Maker
from parsing.spans import Call, Run
from parsing.table import Follow, Slot, When
from parsing.tags import Tags

_SPACE = re.compile(r"\s*")


class Reading:
    """One pass over a text: the builder it filled and how far the text may be shown."""

    def __init__(self, grammar: Grammar, text: str, finish: Finish | None = None) -> None:
        self._grammar = grammar
        self._text = text
        self._source = Whole(text)
        self.build = Builder(grammar, self._source)
        self.made = Maker(self.build, self._source, exact=grammar.serving)
        self._lines = Lines(0)
        self._undecided: tuple[CompiledEdge, str, int, int] | None = None
        self._final = self._stopped = False
        self.visible = self._walk()
        if finish is not None:
            self._close(finish)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.made.blocks(self.visible)

    def _walk(self) -> int:
        if self.build.mode.marks is not None:
            return self._walk_marks(0)
        build, text, pos = self.build, self._text, 0
        mode = build.mode
        while found := mode.tags.pattern.search(text, pos):
            start, pos = found.span()
            raw = found[0]
            edge = mode.edges.get(raw) or mode.edge(raw)
            if edge is None:
                continue
            if edge.guarded and not self._live(edge, start):
                continue
            if edge.demands:
                counts = self._counts(edge, start, pos)
                if counts is None:
                    self._undecided = (edge, raw, start, pos)
                    return start
                if not counts:
                    continue
            pos = build.cross(edge, raw, start, pos)
            mode = build.mode
            if mode.inert:
                self._lines = Lines(pos)
        return self._held(pos)

    def _walk_marks(self, pos: int) -> int:
        """Leap from mark to mark; give how far the text may be shown."""
        build, text = self.build, self._text
        mode = build.mode
        while mode.marks is not None and (at := self._place(mode.marks, pos)) is not None:
            taken = self._take(mode.marks, at)
            if taken is None:
                return at
            pos = taken
            mode = build.mode
        return len(text)

    def _place(self, marks: Marks, pos: int) -> int | None:
        """Give the first place from `pos` where a mark stands, or where one may begin."""
        text = self._text
        if marks.escape:
            body = marks.body.match(text, pos)
            pos = body.end() if body else pos
            return pos if pos < len(text) else None
        found = marks.pattern.search(text, pos)
        end = found.start() if found else len(text)
        near = max(pos, len(text) - marks.longest)
        if end > near and (half := marks.tails.search(text, near)) and half.start() < end:
            return half.start()
        return end if found else None

    def _take(self, marks: Marks, at: int) -> int | None:
        """Cross the mark that stands here and give where to go on; nothing: wait for more."""
        text = self._text
        held = text[at] == marks.escape and at + 1 == len(text)
        for edge in marks.by_lead.get(text[at], ()):
            found = edge.whole.match(text, at)
            if found is None and not edge.half.match(text, at):
                continue
            if edge.guarded and not self._placed(edge, at):
                continue
            if found is None:
                counts = None
            elif edge.guarded and not self.build.welcome(edge, found):
                counts = False
            else:
                counts = not edge.demands or self._counts(edge, at, found.end())
            if counts is None and self._final:
                held = True
                ends = edge.at_stop if self._stopped else edge.at_end
                counts = found is not None and ends and not text[found.end() :].strip()
            if counts is None:
                return None
            if counts and found is not None:
                return self.build.cross(edge, found[0], at, found.end())
        return None if held else at + 1

    def _live(self, edge: CompiledEdge, start: int) -> bool:
        if edge.line_start and not self._starts_line(start):
            return False
        if not self.build.mode.inert:
            return True
        return not self._lines.inert_at(self._source, start)

    def _placed(self, edge: CompiledEdge, at: int) -> bool:
        """Say whether this mark counts in such a place."""
        rule = edge.edge
        if rule.line_start and not self._starts_line(at):
            return False
        if not (rule.at_start or rule.after_call):
            return True
        first, run = self.build.start, self.build.spans[-1]
        while at > first and self._text[at - 1].isspace():
            at -= 1
        return at == first and (rule.at_start or (isinstance(run, Run) and run.after_call))

    def _starts_line(self, at: int) -> bool:
        text, first = self._text, self.build.start
        while at > first and text[at - 1].isspace() and text[at - 1] != "\n":
            at -= 1
        return at == first or text[at - 1] == "\n"

    def _counts(self, edge: CompiledEdge, start: int, end: int) -> bool | None:
        text, follow = self._text, edge.follow
        if edge.unquoted and start and text[start - 1] == "`":
            return None if end == len(text) else text[end] != "`"
        if follow is None:
            return True
        space = _SPACE.match(text, end)
        at = space.end() if space else end
        if at == len(text):
            return None
        if edge.sequels is not None:
            return edge.sequels.follow(text, at)
        if text[at] != "<":
            return False
        if follow.any_tag:
            after = text[at + 1 : at + 2]
            if not after:
                return None
            if after == "/" or (after.isascii() and after.isalpha()):
                return True
        tags = edge.followers
        return False if tags is None else self._followed(tags, follow, at)

    def _followed(self, tags: Tags, follow: Follow, at: int) -> bool | None:
        if found := tags.pattern.match(self._text, at):
            tag = tags.named(found[0])
            return tag is not None and self._allowed(tag, follow, at)
        tail = self._text[at : at + tags.longest + 1]
        if at + len(tail) < len(self._text) or ">" in tail:
            return False
        return None if any(self._allowed(tag, follow, at) for tag in tags.begun(tail)) else False

    def _allowed(self, tag: str, follow: Follow, at: int) -> bool:
        when = follow.tags[tag]
        if when is When.NOT_GIVEN:
            return not self.build.call.given(tag[1:-1])
        return when is When.ALWAYS or self._starts_line(at)

    def _held(self, pos: int) -> int:
        """Give where a tag that may still come begins, else the text's length."""
        text, mode = self._text, self.build.mode
        at = text.rfind("<", max(pos, len(text) - mode.tags.longest))
        if at < 0 or ">" in text[at:]:
            return len(text)
        tags = mode.tags.begun(text[at:])
        return at if any(self._live(mode.edges[tag], at) for tag in tags) else len(text)

    def _close(self, finish: Finish) -> None:
        build, length = self.build, len(self._text)
        self._final, self._stopped = True, finish is Finish.STOP
        if build.mode.marks is not None:
            self.visible = self._walk_marks(self.visible)
        elif self._undecided is not None:
            edge, raw, start, end = self._undecided
            if edge.at_end and not self._text[end:].strip():
                build.cross(edge, raw, start, end)
                self.visible = length
        in_call = isinstance(build.spans[-1], Call)
        stopped = self._stopped
        build.close(stopped=stopped, length=length, held=self.visible < length)
        if not in_call:
            self.visible = length
        if build.mode.slot is Slot.REASONING and stopped and not self._grammar.serving:
            self.made.recovered = recovered(self._grammar, build, self._text[build.start :])


class Reparse:
    """A parser that reads the whole message so far at every chunk."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._text = ""
        self._reading = Reading(grammar, "")
        self._change = Growth(self)
        self.since = 0  # the first span that the last chunk may have changed
        self.calm = self.lasting = False  # every reading makes its spans anew

    @property
    def source(self) -> Whole:
        return Whole(self._text)

    @property
    def build(self) -> Builder:
        return self._reading.build

    @property
    def made(self) -> Maker:
        return self._reading.made

    @property
    def visible(self) -> int:
        """How far the text may be shown."""
        return self._reading.visible

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self._reading.blocks

    @property
    def text(self) -> str:
        return self._text

    def feed(self, chunk: str) -> Growth:
        """Read the text so far with the chunk added."""
        return self._read(self._text + chunk, None)

    def close(self, finish: Finish) -> Growth:
        """End the message."""
        return self._read(self._text, finish)

    def _read(self, text: str, finish: Finish | None) -> Growth:
        self.since = len(self.build.spans) - 1
        self._text = text
        self._reading = Reading(self._grammar, text, finish)
        return self._change


def recovered(grammar: Grammar, build: Builder, reasoning: str) -> ToolUse | None:
    """Give the complete call with which a reasoning that was never closed ends."""
    inner = Reading(grammar.inside_text, reasoning)
    found = inner.blocks
    if not found or not isinstance(use := found[-1], ToolUse) or use.end is None:
        return None
    if reasoning[inner.visible :].strip():
        return None
    if use.fault is not None or use.start is None:
        return None
    note = "the call stood in a reasoning that was never closed"
    start, end = use.start + build.start, use.end + build.start
    return replace(use, repaired=(*use.repaired, note), start=start, end=end)

"""A table made ready to run: per mode its marks compiled, made on demand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from parsing.declared import Declared
from parsing.marks import (
    Mark,
    ahead,
    beginnings,
    begins,
    begun,
    lead,
    longest,
    parts_of,
    plain,
    whole,
)
from parsing.options import AGENT, Options
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, GrammarError, Mode, Slot, Table
from parsing.tags import TAG, Tags


class Sequels:
    """What may come after a mark, white space aside."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self._whole = re.compile("|".join(map(plain, marks)), re.DOTALL)
        self._half = re.compile(rf"(?:{'|'.join(map(ahead, marks))})\Z", re.DOTALL)

    def follow(self, text: str, at: int) -> bool | None:
        """Say whether one of them stands at `at`; None: more text will tell."""
        if self._whole.match(text, at):
            return True
        return None if self._half.match(text, at) else False


class CompiledEdge:
    """An edge with its mark; where it leads is compiled when it is first crossed."""

    __slots__ = (
        "act",
        "at_end",
        "at_stop",
        "captures",
        "choosy",
        "demands",
        "edge",
        "follow",
        "followers",
        "guarded",
        "half",
        "line_start",
        "mark",
        "name",
        "note",
        "plain",
        "sequels",
        "tag",
        "takes",
        "to",
        "unquoted",
        "whole",
    )

    def __init__(self, mark: Mark, edge: Edge, *, inert: bool) -> None:
        self.mark = mark
        self.tag = str(mark)
        self.plain = isinstance(mark, str)
        self.takes = edge.takes
        self.note = "" if edge.act is Act.SPOIL else edge.note
        self.edge = edge
        self.act = edge.act
        self.name = edge.name
        self.line_start = edge.line_start
        self.unquoted = edge.unquoted
        places = edge.line_start or edge.at_start or edge.after_call
        self.guarded = inert or places or edge.fresh or edge.declared  # counts in some places only
        self.demands = edge.unquoted or edge.follow is not None  # something must follow, or not
        self.choosy = self.guarded or self.demands
        follow = edge.follow
        self.at_end = follow is None or follow.end  # counts at the message's end
        self.at_stop = self.at_end or (follow is not None and follow.stop)  # at a normal one
        self.follow = follow
        self.followers = Tags(follow.tags) if follow and follow.tags else None
        self.sequels = Sequels(follow.marks) if follow and follow.marks else None
        self.whole = whole(mark)
        self.half = begun(mark)
        self.captures = bool(self.whole.groups)
        self.to: CompiledMode | None = None


class Marks:
    """The marks of a mode, first ones first."""

    def __init__(self, edges: Sequence[CompiledEdge], escape: str) -> None:
        self.edges = tuple(edges)
        self.longest = max((longest(edge.mark) for edge in edges), default=0)
        leads = sorted({lead(edge.mark) for edge in edges})
        self.by_lead: Mapping[str, tuple[CompiledEdge, ...]] = {
            char: tuple(edge for edge in edges if lead(edge.mark) == char) for char in leads
        }
        only = leads[0] if len(leads) == 1 else ""
        self.only, self.quote = ("", only) if escape else (only, "")
        self.leads = re.compile(begins(edge.mark for edge in edges))
        self.escape = escape
        self.skip = self.body.match if escape else None

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Find the first place where a mark stands."""
        return re.compile("|".join(plain(edge.mark) for edge in self.edges) or "(?!)", re.DOTALL)

    @cached_property
    def tails(self) -> re.Pattern[str]:
        """Find the first place from which the text's end may be the beginning of a mark."""
        halves = "|".join(beginnings(edge.mark) for edge in self.edges)
        return re.compile(rf"(?:{halves or '(?!)'})\Z", re.DOTALL)

    @cached_property
    def body(self) -> re.Pattern[str]:
        """Match what stands before the first character that may begin a mark; pairs are kept."""
        escape = re.escape(self.escape)
        first = "".join(re.escape(char) for char in self.by_lead)
        return re.compile(f"[^{first}{escape}]*+(?:{escape}.[^{first}{escape}]*+)*+", re.DOTALL)


class CompiledMode:
    """A mode with its marks compiled: as tags where all are tags, else one by one."""

    def __init__(self, name: str, mode: Mode, *, tags: bool) -> None:
        self.name = name
        self.mode = mode
        self.slot = mode.slot
        self.trim = mode.trim
        self.kind = mode.kind
        self.form = mode.form
        self.inert = mode.inert
        self.whole = mode.whole
        self.told = mode.slot in (Slot.TEXT, Slot.REASONING)
        self.names = mode.slot in (Slot.NAME, Slot.KEY)  # its text names something
        edges = [CompiledEdge(mark, edge, inert=mode.inert) for mark, edge in mode.edges.items()]
        self.edges = {edge.tag: edge for edge in edges}
        self.marks = None if tags else Marks(edges, mode.escape)
        if self.marks is None:
            self._tags()
        else:
            self.longest = self.marks.longest
            self.lead = self.marks.only
            self.prefixes: set[str] = set()

    def _tags(self) -> None:
        self.tags = Tags(self.edges)
        self.longest = self.tags.longest
        self.heads = self.tags.heads
        self.prefixes = self.tags.prefixes
        self.lead = "<"
        anywhere = [tag for tag, edge in self.edges.items() if not edge.line_start]
        self.anywhere = frozenset(tag[:n] for tag in anywhere for n in range(1, len(tag)))
        self.sure = frozenset[str]() if self.inert else self.anywhere

    def edge(self, raw: str) -> CompiledEdge | None:
        """Give the edge of the tag that `raw` spells, exactly or loosely."""
        tag = self.tags.named(raw)
        return None if tag is None else self.edges[tag]


class Grammar:
    """A dialect compiled for a set of tools."""

    def __init__(
        self, dialect: Dialect, tools: Sequence[ToolSpec], options: Options = AGENT
    ) -> None:
        self.dialect = dialect
        self.tools = tuple(tools)
        if options.starts_in_reasoning is None:
            options = replace(options, starts_in_reasoning=dialect.opens_reasoning)
        self.options = options
        _check_names(dialect, self.tools)
        self.table = dialect.table(self.tools, options)
        _check(dialect, self.table)
        self.declared = Declared(self.tools, lenient=not options.serving)
        self.serving = options.serving
        self._modes: dict[str, CompiledMode] = {}

    @property
    def start(self) -> CompiledMode:
        return self.mode(self.table.start)

    @cached_property
    def inside_text(self) -> Grammar:
        """The same grammar for a message that starts as text."""
        if self.table.start == self.table.text:
            return self
        return Grammar(self.dialect, self.tools, replace(self.options, starts_in_reasoning=False))

    def mode(self, name: str) -> CompiledMode:
        """Give a mode, compiled when first asked for."""
        found = self._modes.get(name)
        if found is None:
            tags = self.dialect.tags_only
            found = self._modes[name] = CompiledMode(name, self.table.modes[name], tags=tags)
        return found

    def beyond(self, edge: CompiledEdge) -> CompiledMode:
        """Give the mode that an edge leads to, for the edge to remember."""
        edge.to = self.mode(edge.edge.to)
        return edge.to


def _check_names(dialect: Dialect, tools: Sequence[ToolSpec]) -> None:
    seen: set[str] = set()
    for tool in tools:
        for name in (tool.name, *tool.params) if dialect.tags_only else ():
            if not re.fullmatch(r"[A-Za-z_][\w-]*", name, re.ASCII):
                raise GrammarError(
                    f"{dialect.name}: {name!r} of tool {tool.name!r} cannot be a tag; names are "
                    "letters, digits, _ and -, and begin with a letter or _"
                )
        if tool.name in seen:
            raise GrammarError(f"{dialect.name}: tool {tool.name!r} is declared twice")
        seen.add(tool.name)


def _check(dialect: Dialect, table: Table) -> None:
    for name, mode in table.modes.items():
        for mark, edge in mode.edges.items():
            if edge.to not in table.modes and edge.to != BACK:
                raise GrammarError(
                    f"{dialect.name}: {mark} in {name!r} leads to no mode ({edge.to!r})"
                )
            _check_mark(dialect, name, mark)
    if table.start not in table.modes:
        raise GrammarError(f"{dialect.name}: starts in {table.start!r}, which is no mode")


def _check_mark(dialect: Dialect, mode: str, mark: Mark) -> None:
    if dialect.tags_only:
        if not isinstance(mark, str) or not TAG.match(mark):
            raise GrammarError(
                f"{dialect.name}: {str(mark)!r} in {mode!r} is no tag: a tag is '<', a name and '>'"
            )
        return
    parts = parts_of(mark)
    if not parts or not all(isinstance(part, str) and part for part in (parts[0], parts[-1])):
        raise GrammarError(
            f"{dialect.name}: {str(mark)!r} in {mode!r} is no mark: a mark begins and ends "
            "with a literal"
        )

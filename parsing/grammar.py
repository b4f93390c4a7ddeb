"""A table made ready to run: per mode one compiled pattern and one prefix set, made on demand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from parsing.options import AGENT, Options
from parsing.spec import ToolSpec
from parsing.table import Dialect, Edge, GrammarError, Mode, Table

BLANKS = 8
"""How many blanks a tag may have before its closing bracket."""

_SLOPPY = re.compile(r"[-_ \t]")
_TAG = re.compile(r"</?[A-Za-z_][\w-]*>\Z")


def exact_name(raw: str) -> str:
    """Give a tag without blanks before its bracket."""
    return raw if raw[-2:-1] not in " \t" else raw[:-1].rstrip(" \t") + ">"


def plain(tag: str) -> str:
    """Give the form in which near-miss spellings of a tag are equal."""
    return tag.replace("-", "_")


class Tags:
    """A set of tags: exact spellings, and loose ones that fit a single tag."""

    def __init__(self, tags: Iterable[str]) -> None:
        self.exact = tuple(tags)
        count = Counter(plain(tag) for tag in self.exact)
        self.loose: Mapping[str, str] = {
            plain(tag): tag for tag in self.exact if count[plain(tag)] == 1
        }
        self.longest = max(map(len, self.exact), default=0) + BLANKS
        self._begun: dict[str, tuple[str, ...]] = {}

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Match any of the tags, spelled exactly or loosely."""
        ordered = sorted(self.exact, key=len, reverse=True)
        return re.compile("|".join(map(self._spelled, ordered)) or r"(?!)")

    def _spelled(self, tag: str) -> str:
        name = re.escape(tag[:-1]).replace(r"\-", "-")
        if plain(tag) in self.loose:
            name = re.sub("[-_]", "[-_]", name)
        return rf"{name}[ \t]{{0,{BLANKS}}}>"

    @cached_property
    def prefixes(self) -> set[str]:
        """All proper prefixes of the exact spellings, and of the loose ones up to two long."""
        short = {tag[0] + mark for tag in self.exact for mark in "-_" if tag[1] in "-_"}
        return short.union(tag[:n] for tag in self.exact for n in range(1, len(tag)))

    @cached_property
    def _loose_prefixes(self) -> frozenset[str]:
        return frozenset(tag[:n] for tag in self.loose for n in range(1, len(tag)))

    def named(self, raw: str) -> str | None:
        """Give the tag that a complete `<…>` spells, if it spells one."""
        if raw in self._known:
            return raw
        if raw[:3] not in self.heads or not _SLOPPY.search(raw):
            return None
        name = exact_name(raw)
        if len(raw) - len(name) > BLANKS:
            return None
        return name if name in self._known else self.loose.get(plain(name))

    @cached_property
    def heads(self) -> frozenset[str]:
        return frozenset(head for tag in self.exact for head in _heads(tag))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.exact)

    def begins(self, tail: str) -> bool:
        """Say whether more text can make a tag of this tail."""
        if tail in self.prefixes or plain(tail) in self._loose_prefixes:
            return True
        bare = tail.rstrip(" \t")
        return 0 < len(tail) - len(bare) <= BLANKS and self.named(bare + ">") is not None

    def begun(self, tail: str) -> tuple[str, ...]:
        """Give the tags that more text can make of this tail."""
        found = self._begun.get(tail)
        if found is None:
            found = self._find_begun(tail)
            if found:
                self._begun[tail] = found
        return found

    def _find_begun(self, tail: str) -> tuple[str, ...]:
        bare = tail.rstrip(" \t")
        if len(bare) < len(tail):
            tag = self.named(bare + ">") if len(tail) - len(bare) <= BLANKS else None
            return () if tag is None else (tag,)
        loose = plain(tail)
        return tuple(
            tag
            for tag in self.exact
            if tag.startswith(tail) or (plain(tag) in self.loose and plain(tag).startswith(loose))
        )


class CompiledEdge:
    """An edge with its tag; where it leads is compiled when it is first crossed."""

    __slots__ = (
        "act",
        "at_end",
        "choosy",
        "demands",
        "edge",
        "follow",
        "followers",
        "guarded",
        "line_start",
        "name",
        "tag",
        "to",
        "unquoted",
    )

    def __init__(self, tag: str, edge: Edge, *, inert: bool) -> None:
        self.tag = tag
        self.edge = edge
        self.act = edge.act
        self.name = edge.name
        self.line_start = edge.line_start
        self.unquoted = edge.unquoted
        self.guarded = inert or edge.line_start  # counts only in some places
        self.demands = edge.unquoted or edge.follow is not None  # something must follow, or not
        self.choosy = self.guarded or self.demands
        self.at_end = edge.follow is None or edge.follow.end  # counts at the message's end
        self.follow = edge.follow
        self.followers = Tags(edge.follow.tags) if edge.follow and edge.follow.tags else None
        self.to: CompiledMode | None = None


class CompiledMode:
    """A mode with its tags compiled."""

    def __init__(self, name: str, mode: Mode) -> None:
        self.name = name
        self.slot = mode.slot
        self.trim = mode.trim
        self.kind = mode.kind
        self.inert = mode.inert
        self.tags = Tags(mode.edges)
        self.longest = self.tags.longest
        self.heads = self.tags.heads
        self.prefixes = self.tags.prefixes
        self.edges = {
            tag: CompiledEdge(tag, edge, inert=mode.inert) for tag, edge in mode.edges.items()
        }
        anywhere = [tag for tag, edge in self.edges.items() if not edge.line_start]
        self.anywhere = frozenset(tag[:n] for tag in anywhere for n in range(1, len(tag)))
        self.sure = frozenset[str]() if mode.inert else self.anywhere

    def edge(self, raw: str) -> CompiledEdge | None:
        """Give the edge of the tag that `raw` spells, exactly or loosely."""
        tag = self.tags.named(raw)
        return None if tag is None else self.edges[tag]


def _heads(tag: str) -> list[str]:
    """Give the first three characters of every spelling of a tag."""
    blanks = [f"{tag[:2]} ", f"{tag[:2]}\t"] if len(tag) == 3 else []
    return [tag[:3], tag[:3].replace("_", "-"), tag[:3].replace("-", "_"), *blanks]


class Grammar:
    """A dialect compiled for a set of tools."""

    def __init__(
        self, dialect: Dialect, tools: Sequence[ToolSpec], options: Options = AGENT
    ) -> None:
        self.dialect = dialect
        self.tools = tuple(tools)
        _check_names(dialect, self.tools)
        self.options = options
        self.table = dialect.table(self.tools, options)
        _check(dialect.name, self.table)
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
            found = self._modes[name] = CompiledMode(name, self.table.modes[name])
        return found

    def beyond(self, edge: CompiledEdge) -> CompiledMode:
        """Give the mode that an edge leads to, for the edge to remember."""
        edge.to = self.mode(edge.edge.to)
        return edge.to


def _check_names(dialect: Dialect, tools: Sequence[ToolSpec]) -> None:
    seen: set[str] = set()
    for tool in tools:
        for name in (tool.name, *tool.params):
            if not re.fullmatch(r"[A-Za-z_][\w-]*", name, re.ASCII):
                raise GrammarError(
                    f"{dialect.name}: {name!r} of tool {tool.name!r} cannot be a tag; names are "
                    "letters, digits, _ and -, and begin with a letter or _"
                )
        if tool.name in seen:
            raise GrammarError(f"{dialect.name}: tool {tool.name!r} is declared twice")
        seen.add(tool.name)


def _check(dialect: str, table: Table) -> None:
    for name, mode in table.modes.items():
        for tag, edge in mode.edges.items():
            if edge.to not in table.modes:
                raise GrammarError(f"{dialect}: {tag} in {name!r} leads to no mode ({edge.to!r})")
            if not _TAG.match(tag):
                raise GrammarError(
                    f"{dialect}: {tag!r} in {name!r} is no tag: a tag is '<', a name and '>'"
                )
    if table.start not in table.modes:
        raise GrammarError(f"{dialect}: starts in {table.start!r}, which is no mode")

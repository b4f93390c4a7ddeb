"""How a dialect is written down: modes, and the tags that lead out of them.

A dialect is data.  It never sees a chunk, an offset or a walker; it says which tags matter in
which mode, when a tag counts, where it leads, and what the text between two tags is for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from parsing.options import Options
from parsing.reader import Reader
from parsing.spec import ToolSpec
from parsing.values import Kind


class GrammarError(ValueError):
    """A dialect or a tool set that cannot be read in one way only."""


class Slot(Enum):
    """What the text inside a mode becomes."""

    TEXT = auto()
    REASONING = auto()
    GAP = auto()  # between the parts of a call
    VALUE = auto()  # a parameter's value


class Trim(Enum):
    """What a value sheds at both ends."""

    SPACE = auto()  # all white space
    NEWLINE = auto()  # one framing newline on each side


class Act(Enum):
    """What crossing a tag does to the blocks."""

    OPEN_REASONING = auto()
    CLOSE_REASONING = auto()
    DROP = auto()  # the tag vanishes, text goes on
    OPEN_CALL = auto()
    OPEN_VALUE = auto()
    CLOSE_VALUE = auto()
    CLOSE_CALL = auto()
    CUT_VALUE = auto()  # the call's end, met inside a value: a fault
    CUT_CALL = auto()  # another call's start, met inside a value: a fault; read again as text
    LEAVE_CALL = auto()  # another call's start, met between values: repaired; read again as text
    NEST = auto()  # content: one level deeper
    UNNEST = auto()  # content: one level up


class When(Enum):
    """Where a tag that follows another one lets it count."""

    ALWAYS = auto()
    LINE_START = auto()  # only white space stands before it on its line
    NOT_GIVEN = auto()  # the call has not had this parameter


@dataclass(frozen=True, slots=True)
class Follow:
    """What must come after a tag, white space aside, for the tag to count."""

    any_tag: bool = False  # "<" and a letter or "/"
    end: bool = False  # the end of the message
    tags: Mapping[str, When] = field(default_factory=dict[str, When])


@dataclass(frozen=True, slots=True)
class Edge:
    """One tag's meaning in one mode, and when it counts."""

    act: Act
    to: str
    name: str = ""  # of the tool or parameter that is opened
    line_start: bool = False  # only when nothing but white space stands before it on its line
    unquoted: bool = False  # not when it stands directly between backticks
    follow: Follow | None = None


@dataclass(frozen=True, slots=True)
class Mode:
    """A state of the reading: what the text is for, and the tags that lead out.

    With `inert`, no tag counts inside a Markdown fence or after an unclosed run of backticks.
    """

    slot: Slot
    edges: Mapping[str, Edge]
    trim: Trim = Trim.SPACE
    kind: Kind = Kind.STRING
    inert: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """All modes of a dialect for one set of tools, and the mode a message starts in."""

    start: str
    modes: Mapping[str, Mode]
    required: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    text: str = "text"  # the mode in which calls are looked for


class MakesTable(Protocol):
    """Writes the table for a set of tools; raises GrammarError for tools it cannot tell apart."""

    def __call__(self, tools: Sequence[ToolSpec], options: Options) -> Table: ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """A protocol: its table for a set of tools, and how it is spelled in a prompt.

    `table(tools, options)` gives the modes; `spell_call(name, values)` writes a
    call from values that are text already; `describe(tools)` is the tools' part of a prompt.
    A dialect that no table can say brings two readers of its own, reparse and incremental.
    """

    name: str
    table: MakesTable
    spell_call: Callable[[str, Mapping[str, str]], str]
    describe: Callable[[Sequence[ToolSpec]], str]
    readers: Callable[[Sequence[ToolSpec]], tuple[Reader, Reader]] | None = None

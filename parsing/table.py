"""How a dialect is written down: modes, and the marks that lead out of them.

A dialect is data.  It never sees a chunk, an offset or a walker; it says which marks matter in
which mode, when a mark counts, where it leads, and what the text between two marks is for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from parsing.marks import Mark
from parsing.options import Options
from parsing.reader import Reader
from parsing.shape import Shape
from parsing.spec import ToolSpec
from parsing.values import Form, Kind

BACK = "(back)"
"""The text or reasoning that a call or a section interrupted."""


class GrammarError(ValueError):
    """A dialect or a tool set that cannot be read in one way only."""


class Slot(Enum):
    """What the text inside a mode becomes."""

    TEXT = auto()
    REASONING = auto()
    GAP = auto()  # between the parts of a call; junk is noted
    FRAME = auto()  # structure
    NAME = auto()  # the call's name
    KEY = auto()  # the next parameter's name
    VALUE = auto()  # a parameter's value
    ARGS = auto()  # all arguments, as JSON that the model wrote
    INNER = auto()  # part of what encloses it


class Trim(Enum):
    """What text sheds at both ends."""

    SPACE = auto()  # all white space
    NEWLINE = auto()  # one framing newline on each side
    NONE = auto()


class Act(Enum):
    """What crossing a mark does to the blocks."""

    OPEN_REASONING = auto()
    CLOSE_REASONING = auto()
    DROP = auto()  # the mark vanishes, text goes on
    OPEN_CALL = auto()
    OPEN_VALUE = auto()
    CLOSE_VALUE = auto()
    CLOSE_CALL = auto()
    CUT_VALUE = auto()  # the call's end, met inside a value: a fault
    CUT_CALL = auto()  # another call's start, met inside a value: a fault; read again as text
    LEAVE_CALL = auto()  # another call's start, met between values: repaired; read again as text
    NEST = auto()  # one level deeper; content of what encloses it
    UNNEST = auto()  # one level up; from the last level to the edge's own mode
    GO = auto()  # only the mode changes
    OPEN_ARGS = auto()
    CLOSE_ARGS = auto()
    CUT_ARGS = auto()  # the call's end, met inside its arguments: a fault
    WHOLE_CALL = auto()  # a call without arguments, in one mark
    SPOIL = auto()  # the call has a fault, its note, and is read on
    STEP_VALUE = auto()  # the next value's opener, met inside a value: repaired


class When(Enum):
    """Where a tag that follows another one lets it count."""

    ALWAYS = auto()
    LINE_START = auto()  # only white space stands before it on its line
    NOT_GIVEN = auto()  # the call has not had this parameter


@dataclass(frozen=True, slots=True)
class Follow:
    """What must come after a mark, white space aside, for the mark to count."""

    any_tag: bool = False  # "<" and a letter or "/"
    end: bool = False  # the end of the message
    stop: bool = False  # the end of a message that the model ended itself
    tags: Mapping[str, When] = field(default_factory=dict[str, When])
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """One mark's meaning in one mode, and when it counts.

    What a pattern captures as `name` or `key` names the tool or the parameter; what it captures
    as `attributes` is read as `key="value"` pairs: `tool`/`name` or `key`/`name`, and `string` or
    `type`, which say how the value is written.
    """

    act: Act
    to: str
    name: str = ""  # of the tool or parameter that is opened
    line_start: bool = False  # only when nothing but white space stands before it on its line
    at_start: bool = False  # only when nothing but white space stands before it in its mode
    after_call: bool = False  # only directly after a call, white space aside
    unquoted: bool = False  # not when it stands directly between backticks
    fresh: bool = False  # only for a declared parameter that the call has not had
    declared: bool = False  # only for a declared tool
    follow: Follow | None = None
    without: str = ""  # of CLOSE_CALL within a value: one that holds this may have run on, a fault
    takes: bool = False  # the mark is part of the value or the arguments that it opens or closes
    last: Act | None = None  # of UNNEST: what the last level does
    note: str = ""  # what is lenient about it


@dataclass(frozen=True, slots=True)
class Mode:
    """A state of the reading: what the text is for, and the marks that lead out, first ones first.

    With `inert`, no tag counts inside a Markdown fence or after an unclosed run of backticks.
    With `escape`, that character takes the next one with it.  `whole` says that a call that
    stands here lacks only closing marks.  `names` are the ways in which the text of a NAME is
    read: patterns whose group 1 is the name, the first that is declared.
    """

    slot: Slot
    edges: Mapping[Mark, Edge]
    trim: Trim = Trim.SPACE
    kind: Kind | None = Kind.STRING  # of a VALUE; None: as the tool declares the parameter
    form: Form = Form.TEXT
    inert: bool = False
    escape: str = ""
    whole: bool = False
    names: tuple[str, ...] = ()
    quoted: bool = False  # the text of a NAME or KEY is that of a JSON string


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

    `table(tools, options)` gives the modes; `spell_call(name, values)` writes a call from values
    that are text already; `describe(tools)` is the tools' part of a prompt.  A dialect that no
    table can say brings two readers of its own, reparse and incremental.
    """

    name: str
    table: MakesTable
    shape: Shape
    about: str = ""  # the models that speak it
    opens_reasoning: bool = False  # its template does
    tags_only: bool = False  # names of tools and parameters are tags themselves
    readers: Callable[[Sequence[ToolSpec]], tuple[Reader, Reader]] | None = None

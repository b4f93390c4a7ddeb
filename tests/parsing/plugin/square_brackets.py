"""A dialect as a user would write one: `[call:NAME]`, `[arg:KEY]value[/arg]`, `[/call]`."""

from __future__ import annotations

from collections.abc import Sequence

from parsing import Dialect, Options, ToolSpec
from parsing.marks import NAME, Run, pattern
from parsing.shape import Hole, Shape
from parsing.table import Act, Edge, Mode, Slot, Table, Trim

KEY = Run(r"[\w-]", 1, 64, "key")


def table(tools: Sequence[ToolSpec], options: Options) -> Table:
    """Write the table: the same for all tools."""
    text = Mode(Slot.TEXT, {pattern("[call:", NAME, "]"): Edge(Act.OPEN_CALL, "call")})
    call = Mode(
        Slot.GAP,
        {
            pattern("[arg:", KEY, "]"): Edge(Act.OPEN_VALUE, "value"),
            "[/call]": Edge(Act.CLOSE_CALL, "text"),
        },
    )
    close = Edge(Act.CLOSE_VALUE, "call")
    value = Mode(Slot.VALUE, {"[/arg]": close}, Trim.NEWLINE, kind=None)
    return Table("text", {"text": text, "call": call, "value": value})


SQUARE = Dialect(
    "square",
    table,
    Shape(
        call=("[call:", Hole.NAME, "]\n", Hole.PARAMS, "[/call]"),
        param=("[arg:", Hole.KEY, "]", Hole.VALUE, "[/arg]\n"),
        tall=("[arg:", Hole.KEY, "]\n", Hole.VALUE, "\n[/arg]\n"),
        bodies=("content", "diff"),
        example=True,
    ),
)


def square() -> Dialect:
    """Give the dialect when it is asked for."""
    return SQUARE

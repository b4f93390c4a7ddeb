"""Arrays of JSON objects after a mark: Granite 3, Command, Phi-4-mini, Hunyuan, Jamba and kin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parsing.marks import SPACE, Mark, OneOf, pattern
from parsing.options import Options
from parsing.pieces import (
    THINK,
    cut_at,
    envelope,
    framed,
    json_value,
    listed_first,
    name_first,
    when_agent,
)
from parsing.shape import Hole, Shape
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table

_DROP = Edge(Act.DROP, "text")


def arrays(
    name: str,
    about: str,
    *,
    opens: Sequence[str],
    closes: str = "",
    named: str = "name",
    given: Sequence[str] = ("arguments", "parameters"),
    line: str = "",
    bare: Sequence[str] | None = None,
    frame: Sequence[str] = (),
    tags: Sequence[tuple[Mark, Mark]] = THINK,
) -> Dialect:
    """Make the dialect for the marks before an array, the first is written.

    `given` are the keys of the arguments; servers read the first only.  `line` stands around each
    object.  Where arrays may be `bare`, these are the marks that may stand around them.  `frame`
    are marks of text that vanish.
    """

    def table(tools: Sequence[ToolSpec], options: Options) -> Table:
        calls: dict[Mark, Edge] = {}
        for mark in opens:
            opener = Edge(Act.GO, "list", follow=when_agent(options, "{", "]"))
            calls[pattern(mark, SPACE, "[")] = opener
        if bare is not None and tools:
            calls |= _bare(bare, tools)
        cuts = cut_at(_(closes), calls if bare is None else ())
        keys = given[:1] if options.serving else given
        close = Edge(Act.CLOSE_CALL, "list")
        modes = {
            "list": _list(closes),
            **envelope("object", end=close, cuts=cuts, names=(named,), arguments=keys),
        }
        return framed(
            tools,
            options,
            calls=calls,
            modes=modes,
            frame=dict.fromkeys(frame, _DROP),
            tags=tags,
            strays=[*_(closes), *(bare or ())],
        )

    prefix = f'{{"tool_call_id": "{{}}", "{named}": "' if False else f'{{"{named}": "'
    shape = Shape(
        call=(prefix, Hole.NAME, f'", "{given[0]}": ', Hole.ARGUMENTS, "}"),
        before=f"{opens[0]}[{line}" if opens else f"[{line}",
        after=f"{line.rstrip(' ')}]{closes}",
        between=f",{line}" if line else ", ",
    )
    return Dialect(name, table, shape, about)

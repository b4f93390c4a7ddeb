"""Functionary: a name in a tag or on a line of its own, then the arguments as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import NAME, Mark, pattern
from parsing.options import Options
from parsing.pieces import cut_at, framed, json_value, when_agent
from parsing.shape import Hole, Shape
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table

_CLOSES = "</function>"


def _v31(tools: Sequence[ToolSpec], options: Options) -> Table:
    opens = pattern("<function=", NAME, ">")
    close = Edge(Act.CLOSE_CALL, BACK)
    cuts = cut_at([_CLOSES], [opens])
    left: dict[Mark, Edge] = {_CLOSES: close, opens: Edge(Act.LEAVE_CALL, BACK)}
    modes = {
        "before": Mode(
            Slot.GAP,
            {
                "{": Edge(Act.OPEN_ARGS, "json inside", takes=True),
                _CLOSES: close,
                opens: cuts[opens],
            },
        ),
        **json_value("json", "after", last=Act.CLOSE_ARGS, cuts=cuts),
        "after": Mode(Slot.GAP, left, whole=True),
    }
    opener = Edge(Act.OPEN_CALL, "before", follow=when_agent(options, "{", _CLOSES))
    return framed(tools, options, calls={opens: opener}, modes=modes, strays=[_CLOSES])


FUNCTIONARY_V31 = Dialect(
    "functionary_v31",
    _v31,
    Shape(call=("<function=", Hole.NAME, ">", Hole.ARGUMENTS, _CLOSES)),
    "Functionary v3.1",
)


def _v32(tools: Sequence[ToolSpec], options: Options) -> Table:
    mark = pattern(">>>", NAME, "\n")
    follow = Follow(marks=("{",))
    drop = Edge(Act.DROP, "text")
    frame: dict[Mark, Edge] = {
        ">>>all\n": drop,
        "all\n": Edge(Act.DROP, "text", at_start=True),
    }
    calls: dict[Mark, Edge] = {mark: Edge(Act.OPEN_CALL, "before", follow=follow)}
    for tool in tools:  # the prompt ended with the mark: the message begins with the name
        calls[f"{tool.name}\n"] = Edge(
            Act.OPEN_CALL, "before", name=tool.name, at_start=True, follow=follow
        )
    cuts = cut_at((), [mark])
    modes = {
        "before": Mode(Slot.GAP, {"{": Edge(Act.OPEN_ARGS, "json inside", takes=True), **cuts}),
        **json_value("json", BACK, last=Act.CLOSE_CALL, cuts=cuts),
    }
    return framed(tools, options, frame=frame, calls=calls, modes=modes)


FUNCTIONARY_V32 = Dialect(
    "functionary_v32",
    _v32,
    Shape(call=(">>>", Hole.NAME, "\n", Hole.ARGUMENTS), before="", between=""),
    "Functionary v3.2",
)

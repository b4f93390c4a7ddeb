"""Mistral: a marker, then an array of JSON objects, or a name with its JSON arguments."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import SPACE, Mark, Run, pattern
from parsing.options import Options
from parsing.pieces import Thinking, envelope, framed, json_value, when_agent
from parsing.shape import Hole, Shape
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Mode, Slot, Table

_OPENS = "[TOOL_CALLS]"
_THINK = (("[THINK]", "[/THINK]"), ("<think>", "</think>"))


def _table(tools: Sequence[ToolSpec], options: Options) -> Table:
    named = pattern(Run(r"[\w.:/-]", 1, 128), SPACE, "[")
    compact = pattern(Run(r"[\w.:/-]", 1, 128), SPACE, "{")
    calls: dict[Mark, Edge] = {
        pattern(_OPENS, SPACE, "["): Edge(Act.GO, "list", follow=when_agent(options, "{", "]")),
        _OPENS: Edge(Act.OPEN_CALL, "name", follow=when_agent(options, named, compact)),
    }
    cuts: dict[Mark, Edge] = {_OPENS: Edge(Act.CUT_CALL, BACK)}
    name: dict[Mark, Edge] = {
        "[ARGS]": Edge(Act.OPEN_ARGS, "json"),
        "[CALL_ID]": Edge(Act.GO, "id"),
        "{": Edge(Act.OPEN_ARGS, "json inside", takes=True),
        **cuts,
    }
    modes = {
        "name": Mode(Slot.NAME, name),
        "id": Mode(Slot.FRAME, {"[ARGS]": Edge(Act.OPEN_ARGS, "json"), **cuts}),
        **json_value("json", BACK, last=Act.CLOSE_CALL, cuts=cuts),
        "list": Mode(
            Slot.FRAME, {"{": Edge(Act.OPEN_CALL, "object"), "]": Edge(Act.GO, BACK), **cuts}
        ),
        **envelope("object", end=Edge(Act.CLOSE_CALL, "list"), cuts={}),
    }
    return framed(tools, options, calls=calls, modes=modes, thinking=Thinking(_THINK, live=False))


_RESULT = ("[TOOL_RESULTS]", Hole.RESULT, "[/TOOL_RESULTS]")
MISTRAL = Dialect(
    "mistral",
    _table,
    Shape(
        call=('{"name": "', Hole.NAME, '", "arguments": ', Hole.ARGUMENTS, "}"),
        before=f"{_OPENS} [",
        after="]",
        between=", ",
        result=_RESULT,
    ),
    "Mistral 7B v0.3, Nemo, Large 2407, Small 2409",
)
MISTRAL_V11 = Dialect(
    "mistral_v11",
    _table,
    Shape(
        call=(_OPENS, Hole.NAME, "[ARGS]", Hole.ARGUMENTS),
        between="",
        result=_RESULT,
    ),
    "Mistral Small 3, Medium 3, Devstral, Magistral, Ministral 3",
)

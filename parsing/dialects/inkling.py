"""Inkling: every message says what it holds, and a call is a JSON object in one of its own."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import SPACE, Mark, Run, pattern
from parsing.options import Options
from parsing.pieces import Thinking, cut_at, envelope, framed
from parsing.shape import Hole, Shape
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Mode, Slot, Table

_STARTS, _ENDS = "<|message_model|>", "<|end_message|>"
_CALL = "<|content_invoke_tool_json|>"


def _table(tools: Sequence[ToolSpec], options: Options) -> Table:
    drop = Edge(Act.DROP, "text")
    frame: dict[Mark, Edge] = dict.fromkeys(
        (_STARTS, "<|content_text|>", _ENDS, "<|content_model_end_sampling|>"), drop
    )
    named = Run(r"[^\s<>]", 0, 128)
    opens = [pattern(_STARTS, named, _CALL, SPACE, "{"), pattern(_CALL, SPACE, "{")]
    cuts = cut_at([_ENDS], opens)
    after: dict[Mark, Edge] = {_ENDS: Edge(Act.CLOSE_CALL, BACK)}
    modes = {
        **envelope("json", end=Edge(Act.GO, "after"), cuts=cuts, arguments=("args",)),
        "after": Mode(
            Slot.GAP, {**after, **dict.fromkeys(opens, Edge(Act.LEAVE_CALL, BACK))}, whole=True
        ),
    }
    calls: dict[Mark, Edge] = dict.fromkeys(opens, Edge(Act.OPEN_CALL, "json"))
    first = {**calls, **frame} if options.calls else frame
    tags = [("<|content_thinking|>", _ENDS)]
    return framed(
        tools,
        options,
        frame=first,
        calls=calls,
        modes=modes,
        thinking=Thinking(tags, live=False, always=True),
    )


INKLING = Dialect(
    "inkling",
    _table,
    Shape(
        call=(
            *(f'{_STARTS}{_CALL}{{"name": "', Hole.NAME, '", "args": '),
            *(Hole.ARGUMENTS, f"}}{_ENDS}"),
        ),
        between="",
    ),
    "Inkling",
)

"""MiniMax M3: a mark before every tag, and elements named after the parameters."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import Mark, Run, pattern
from parsing.nested import MARK
from parsing.options import Options
from parsing.pieces import Thinking, cut_at, framed, when_agent
from parsing.shape import Hole, Shape, Written
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table, Trim
from parsing.values import Form

_SECTION = (f"{MARK}<tool_call>", f"{MARK}</tool_call>")
_INVOKE = pattern(f"{MARK}<invoke", Run("[^<>]", 1, 256, "attributes"), ">")
_ENDS = f"{MARK}</invoke>"
_NAME = r"""[^\s<>"'=/]"""
_OPENS = pattern(f"{MARK}<", Run(_NAME, 1, 128, "key"), ">")
_CLOSES = pattern(f"{MARK}</", Run(_NAME, 1, 128), ">")


def _table(tools: Sequence[ToolSpec], options: Options) -> Table:
    over = Edge(Act.GO, BACK)
    note = "the invocation's end was missing before {raw}"
    ends: dict[Mark, Edge] = {
        _ENDS: Edge(Act.CLOSE_CALL, "section"),
        _SECTION[1]: Edge(Act.CLOSE_CALL, BACK, note=note),
        _INVOKE: Edge(Act.LEAVE_CALL, "section"),
    }
    cuts: dict[Mark, Edge] = {
        _ENDS: Edge(Act.CUT_ARGS, "section"),
        _INVOKE: Edge(Act.CUT_CALL, "section"),
        **cut_at(_SECTION[1:]),
    }
    structure = Follow(end=True, marks=(f"{MARK}<",))
    value: dict[Mark, Edge] = {
        **cuts,
        _OPENS: Edge(Act.NEST, "nested"),
        _CLOSES: Edge(Act.CLOSE_VALUE, "params", follow=structure),
    }
    nested: dict[Mark, Edge] = {
        **cuts,
        _OPENS: Edge(Act.NEST, "nested"),
        _CLOSES: Edge(Act.UNNEST, "value"),
    }
    section: dict[Mark, Edge] = {_INVOKE: Edge(Act.OPEN_CALL, "params"), _SECTION[1]: over}
    modes = {
        "section": Mode(Slot.FRAME, section),
        "params": Mode(Slot.GAP, {**ends, _OPENS: Edge(Act.OPEN_VALUE, "value")}),
        "value": Mode(Slot.VALUE, value, Trim.NONE, kind=None, form=Form.ELEMENTS),
        "nested": Mode(Slot.INNER, nested),
    }
    opener = Edge(Act.GO, "section", follow=when_agent(options, f"{MARK}<invoke"))
    return framed(
        tools,
        options,
        calls={_SECTION[0]: opener},
        modes=modes,
        thinking=Thinking([("<mm:think>", "</mm:think>")]),
        strays=[_SECTION[1]],
    )


MINIMAX_M3 = Dialect(
    "minimax_m3",
    _table,
    Shape(
        call=(f'{MARK}<invoke name="', Hole.NAME, '">', Hole.PARAMS, _ENDS),
        param=(f"{MARK}<", Hole.KEY, ">", Hole.VALUE, f"{MARK}</", Hole.KEY, ">"),
        before=f"{_SECTION[0]}\n",
        after=f"\n{_SECTION[1]}",
        written=Written.ELEMENTS,
    ),
    "MiniMax M3",
)

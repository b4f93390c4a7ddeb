"""Gemma 4 and FunctionGemma: bare keys, strings between marks of their own."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import Mark
from parsing.options import Options
from parsing.pieces import Thinking, cut_at, framed, when_agent
from parsing.quoted import GEMMA_QUOTES
from parsing.shape import Hole, Shape, Written
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Mode, Slot, Table
from parsing.values import Form


def gemma_calls(name: str, about: str, opens: str, closes: str, quote: str) -> Dialect:
    """Make the dialect for a pair of marks; strings stand between either of two marks."""

    def table(tools: Sequence[ToolSpec], options: Options) -> Table:
        cuts = cut_at([closes], [opens])
        nested = Edge(Act.NEST, "nested")
        strings: dict[Mark, Edge] = {one: Edge(Act.NEST, one) for one in GEMMA_QUOTES}
        key: dict[Mark, Edge] = {
            ":": Edge(Act.OPEN_VALUE, "value"),
            "}": Edge(Act.GO, "after"),
            **cuts,
        }
        value: dict[Mark, Edge] = {
            **strings,
            "{": nested,
            "[": nested,
            ",": Edge(Act.CLOSE_VALUE, "key"),
            "}": Edge(Act.CLOSE_VALUE, "after"),
            **cuts,
        }
        up = Edge(Act.UNNEST, "value")
        inner: dict[Mark, Edge] = {**strings, "{": nested, "[": nested, "}": up, "]": up}
        after: dict[Mark, Edge] = {
            closes: Edge(Act.CLOSE_CALL, BACK),
            opens: Edge(Act.LEAVE_CALL, BACK),
        }
        modes = {
            "head": Mode(Slot.NAME, {"{": Edge(Act.GO, "key"), **cuts}, names=(r"(?:call:)?(.+)",)),
            "key": Mode(Slot.KEY, key),
            "value": Mode(Slot.VALUE, value, kind=None, form=Form.GEMMA),
            "nested": Mode(Slot.INNER, {**inner, **cuts}),
            **{one: Mode(Slot.INNER, {one: Edge(Act.UNNEST, one)}) for one in GEMMA_QUOTES},
            "after": Mode(Slot.GAP, after, whole=True),
        }
        opener = Edge(Act.OPEN_CALL, "head", follow=when_agent(options, "call:"))
        thought = ("<|channel>thought\n", "<channel|>")
        return framed(
            tools,
            options,
            calls={opens: opener},
            modes=modes,
            thinking=Thinking([thought], always=True),
            strays=[closes],
        )

    shape = Shape(
        call=(f"{opens}call:", Hole.NAME, "{", Hole.PARAMS, f"}}{closes}"),
        param=(Hole.KEY, ":", Hole.VALUE),
        between="",
        between_params=",",
        written=Written.GEMMA,
        quote=quote,
    )
    return Dialect(name, table, shape, about)


GEMMA4 = gemma_calls("gemma4", "Gemma 4", "<|tool_call>", "<tool_call|>", GEMMA_QUOTES[0])
FUNCTIONGEMMA = gemma_calls(
    "functiongemma",
    "functiongemma-270m",
    "<start_function_call>",
    "<end_function_call>",
    GEMMA_QUOTES[1],
)

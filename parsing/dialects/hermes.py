"""Hermes, Qwen and kin: a JSON object with the tool's name and arguments, between two tags."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import Mark
from parsing.options import Options
from parsing.pieces import cut_at, envelope, framed, when_agent
from parsing.shape import Hole, Shape
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Mode, Slot, Table


def hermes(
    name: str,
    about: str,
    *,
    opens: str = "<tool_call>",
    closes: str = "</tool_call>",
    opens_reasoning: bool = False,
) -> Dialect:
    """Make the dialect for a pair of tags."""

    def table(tools: Sequence[ToolSpec], options: Options) -> Table:
        cuts = cut_at([closes], [opens])
        keys = ("arguments",) if options.serving else ("arguments", "parameters")
        after: dict[Mark, Edge] = {
            closes: Edge(Act.CLOSE_CALL, BACK),
            "{": Edge(Act.OPEN_CALL, "json"),
            opens: Edge(Act.LEAVE_CALL, BACK),
        }
        modes = {
            "before": Mode(Slot.GAP, {"{": Edge(Act.GO, "json"), **cuts}),
            **envelope("json", end=Edge(Act.GO, "after"), cuts=cuts, arguments=keys),
            "after": Mode(Slot.GAP, after, whole=True),
        }
        opener = Edge(Act.OPEN_CALL, "before", follow=when_agent(options, "{", "["))
        return framed(
            tools,
            options,
            calls={opens: opener},
            modes=modes,
            strays=[closes],
        )

    shape = Shape(
        call=(
            f'{opens}\n{{"name": "',
            Hole.NAME,
            '", "arguments": ',
            Hole.ARGUMENTS,
            f"}}\n{closes}",
        ),
        result=("<tool_response>\n", Hole.RESULT, "\n</tool_response>"),
    )
    return Dialect(name, table, shape, about, opens_reasoning)


HERMES = hermes("hermes", "Hermes 2 and 3, Qwen2.5, QwQ, Granite 4, ERNIE 4.5")
QWEN3 = hermes("qwen3", "Qwen3 (not Coder)")
LONGCAT = hermes(
    "longcat", "LongCat-Flash", opens="<longcat_tool_call>", closes="</longcat_tool_call>"
)

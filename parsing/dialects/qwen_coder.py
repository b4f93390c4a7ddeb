"""Qwen3-Coder and kin: names and keys inside the tags, values raw between them."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import BLANKS, KEY, NAME, SPACE, Mark, Run, pattern
from parsing.options import Options
from parsing.pieces import Thinking, framed, when_agent
from parsing.shape import Hole, Shape
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table, Trim

FUNCTION = pattern("<function=", BLANKS, NAME, BLANKS, ">")
PARAMETER = pattern("<parameter=", BLANKS, KEY, BLANKS, ">")
_NAMED = pattern("<function name=", Run(r"[\"']", 0, 1), NAME, Run(r"[\"']", 0, 1), ">")
_GARBLED = (pattern("</parameter", Run(r"[\w/ ]", 1, 16), ">"), "</parameter\n")


def qwen_coder(
    name: str,
    about: str,
    *,
    opens: str = "<tool_call>",
    closes: str = "</tool_call>",
    tags: tuple[str, str] = ("<think>", "</think>"),
    trim: Trim = Trim.NEWLINE,
    opens_reasoning: bool = False,
) -> Dialect:
    """Make the dialect for a pair of outer tags."""

    def table(tools: Sequence[ToolSpec], options: Options) -> Table:
        return framed(
            tools,
            options,
            calls=_calls(options, opens),
            modes=_modes(options, opens, closes, trim),
            thinking=Thinking([tags]),
            strays=[closes],
        )

    framing = "\n" if trim is Trim.NEWLINE else ""
    shape = Shape(
        call=(f"{opens}\n<function=", Hole.NAME, ">\n", Hole.PARAMS, f"</function>\n{closes}"),
        param=(
            *("<parameter=", Hole.KEY, f">{framing}"),
            *(Hole.VALUE, f"{framing}</parameter>\n"),
        ),
        result=("<tool_response>\n", Hole.RESULT, "\n</tool_response>"),
    )
    return Dialect(name, table, shape, about, opens_reasoning)


def _calls(options: Options, opens: str) -> dict[Mark, Edge]:
    bare = Edge(
        Act.OPEN_CALL,
        "params",
        line_start=True,
        declared=True,
        note="" if options.serving else f"{opens} was missing before {{raw}}",
    )
    wrapper = Edge(Act.GO, "wrapped", follow=when_agent(options, "<function"))
    return {opens: wrapper, FUNCTION: bare}


def _modes(options: Options, opens: str, closes: str, trim: Trim) -> dict[str, Mode]:
    named = Edge(Act.OPEN_CALL, "params", note="{raw} was read as <function=…>")
    wrapped: dict[Mark, Edge] = {
        FUNCTION: Edge(Act.OPEN_CALL, "params"),
        _NAMED: named,
        closes: Edge(Act.GO, BACK),
    }
    params: dict[Mark, Edge] = {
        PARAMETER: Edge(Act.OPEN_VALUE, "value"),
        "</function>": Edge(Act.CLOSE_CALL, BACK),
        closes: Edge(Act.CLOSE_CALL, BACK, note="</function> was missing before {raw}"),
        opens: Edge(Act.LEAVE_CALL, BACK),
        FUNCTION: Edge(Act.LEAVE_CALL, BACK, line_start=True),
        "<parameter=": Edge(Act.SPOIL, "params", note="a parameter without a name"),
    }
    ends: tuple[Mark, ...] = ("<parameter", "</function>", closes, opens, "<function=")
    structure = Follow(end=True, marks=ends)
    note = "{raw} was read as </parameter>"
    garbled = Edge(Act.CLOSE_VALUE, "params", line_start=True, follow=structure, note=note)
    note = "</parameter> was missing before {raw}"
    value: dict[Mark, Edge] = {
        "</parameter>": Edge(Act.CLOSE_VALUE, "params", follow=structure),
        PARAMETER: Edge(Act.STEP_VALUE, "value", line_start=True, fresh=True),
        pattern("</function>", SPACE, closes): Edge(
            *(Act.CLOSE_CALL, BACK),
            line_start=True,
            follow=Follow(stop=True),
            without="<function=",
            note=note,
        ),
    }
    if not options.serving:
        value |= dict.fromkeys(_GARBLED, garbled)
    return {
        "wrapped": Mode(Slot.FRAME, wrapped),
        "params": Mode(Slot.GAP, params),
        "value": Mode(Slot.VALUE, value, trim, kind=None),
    }


QWEN3_CODER = qwen_coder(
    "qwen3_coder", "Qwen3-Coder, Qwen3.5 to 3.8, Step-3.5 and 5, Nemotron-3, Nanbeige, Granite 4.2"
)
SEED_OSS = qwen_coder(
    "seed_oss",
    "ByteDance Seed-OSS",
    opens="<seed:tool_call>",
    closes="</seed:tool_call>",
    tags=("<seed:think>", "</seed:think>"),
)
MIMO = qwen_coder("mimo", "Xiaomi MiMo", trim=Trim.NONE)

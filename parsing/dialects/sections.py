"""Sections of calls whose arguments are JSON: Kimi K2 and DeepSeek V3 and V3.1."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import Mark
from parsing.options import Options
from parsing.pieces import THINK, Thinking, copied, framed, json_value
from parsing.shape import Hole, Shape
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Mode, Slot, Table


def _table(
    tools: Sequence[ToolSpec],
    options: Options,
    *,
    section: Sequence[tuple[str, str]],
    call: tuple[str, str],
    head: dict[str, Mode],
    frame: Sequence[str] = (),
    bare: bool = False,
    tags: Sequence[tuple[Mark, Mark]] = THINK,
) -> Table:
    """Read sections that hold calls; `head` reads a call from its opener to its arguments.

    `frame` are marks of no meaning after the arguments.  With `bare` an agent also reads a call
    whose section was not opened.
    """
    ends: dict[Mark, Edge] = dict.fromkeys((closes for _, closes in section), Edge(Act.GO, BACK))
    note = "the call's end was missing before {raw}"
    left: dict[Mark, Edge] = dict.fromkeys(ends, Edge(Act.CLOSE_CALL, BACK, note=note))
    cuts: dict[Mark, Edge] = {
        call[1]: Edge(Act.CUT_ARGS, "section"),
        call[0]: Edge(Act.CUT_CALL, "section"),
    }
    cuts |= dict.fromkeys(ends, Edge(Act.CUT_ARGS, BACK))
    opened: dict[Mark, Edge] = {call[0]: Edge(Act.OPEN_CALL, "head")}
    closed: dict[Mark, Edge] = {call[1]: Edge(Act.CLOSE_CALL, "section")}
    framing: dict[Mark, Edge] = dict.fromkeys(frame, Edge(Act.GO, "after"))
    modes: dict[str, Mode] = {
        "section": Mode(Slot.FRAME, {**opened, **ends}),
        **head,
        **json_value("json", "after", last=Act.CLOSE_ARGS, cuts=cuts, ends={**closed, **left}),
        "after": Mode(Slot.GAP, {**closed, **opened, **left, **framing}, whole=True),
    }
    openers: dict[Mark, Edge] = {opens: Edge(Act.GO, "section") for opens, _ in section}
    if bare and not options.serving:
        note = f"{section[0][0]} was missing before {{raw}}"
        openers[call[0]] = Edge(Act.OPEN_CALL, "bare head", note=note)
        modes |= copied(modes, "bare ", {"section": BACK})
    strays = [closes for _, closes in section]
    return framed(
        tools, options, calls=openers, modes=modes, thinking=Thinking(tags), strays=strays
    )


_KIMI_IDS = (r"(?:functions\.)?(.+?)(?::\d+)?", r"functions[._]?(.+?)[:_]?\d*", r"(.+?)[:_]?\d+")


def _kimi(tools: Sequence[ToolSpec], options: Options) -> Table:
    argument, ends = "<|tool_call_argument_begin|>", "<|tool_call_end|>"
    named: dict[Mark, Edge] = {
        argument: Edge(Act.OPEN_ARGS, "json"),
        ends: Edge(Act.CLOSE_CALL, "section"),
    }
    return _table(
        tools,
        options,
        section=[
            ("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
            ("<|tool_call_section_begin|>", "<|tool_call_section_end|>"),
        ],
        call=("<|tool_call_begin|>", ends),
        bare=True,
        head={"head": Mode(Slot.NAME, named, names=_KIMI_IDS)},
    )


KIMI_K2 = Dialect(
    "kimi_k2",
    _kimi,
    Shape(
        call=(
            *("<|tool_call_begin|>functions.", Hole.NAME, ":", Hole.INDEX),
            *("<|tool_call_argument_begin|>", Hole.ARGUMENTS, "<|tool_call_end|>"),
        ),
        before="<|tool_calls_section_begin|>",
        after="<|tool_calls_section_end|>",
        between="",
        result=("## Return of ", Hole.NAME, "\n", Hole.RESULT),
    ),
    "Kimi K2, K2-Thinking, K2.5, K2.6",
)

_CALLS = ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>")
_CALL = ("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>")
_SEP = "<｜tool▁sep｜>"
_RESULT = ("<｜tool▁output▁begin｜>", Hole.RESULT, "<｜tool▁output▁end｜>")


def _v31(tools: Sequence[ToolSpec], options: Options) -> Table:
    named: dict[Mark, Edge] = {
        _SEP: Edge(Act.OPEN_ARGS, "json"),
        _CALL[1]: Edge(Act.CLOSE_CALL, "section"),
    }
    head = {"head": Mode(Slot.NAME, named)}
    return _table(tools, options, section=[_CALLS], call=_CALL, bare=True, head=head)


def _v3(tools: Sequence[ToolSpec], options: Options) -> Table:
    ended: dict[Mark, Edge] = {_CALL[1]: Edge(Act.CLOSE_CALL, "section")}
    head = {
        "head": Mode(Slot.FRAME, {_SEP: Edge(Act.GO, "name"), **ended}),
        "name": Mode(
            Slot.NAME,
            {
                "```json": Edge(Act.OPEN_ARGS, "json"),
                "```": Edge(Act.OPEN_ARGS, "json"),
                "{": Edge(Act.OPEN_ARGS, "json inside", takes=True),
                **ended,
            },
        ),
    }
    return _table(tools, options, section=[_CALLS], call=_CALL, bare=True, head=head, frame=["```"])


DEEPSEEK_V31 = Dialect(
    "deepseek_v31",
    _v31,
    Shape(
        call=(_CALL[0], Hole.NAME, _SEP, Hole.ARGUMENTS, _CALL[1]),
        before=_CALLS[0],
        after=_CALLS[1],
        between="",
        result=_RESULT,
    ),
    "DeepSeek V3.1",
)
_V3_SHAPE = Shape(
    call=(
        f"{_CALL[0]}function{_SEP}",
        Hole.NAME,
        "\n```json\n",
        Hole.ARGUMENTS,
        f"\n```{_CALL[1]}",
    ),
    before=_CALLS[0],
    after=_CALLS[1],
    result=_RESULT,
)
DEEPSEEK_V3 = Dialect("deepseek_v3", _v3, _V3_SHAPE, "DeepSeek V3, V3-0324, R1-0528")


DEEPSEEK_R1 = Dialect("deepseek_r1", _v3, _V3_SHAPE, "DeepSeek R1", opens_reasoning=True)


def _plamo_tags(words: str) -> tuple[str, str]:
    return f"<|plamo:begin_{words}:plamo|>", f"<|plamo:end_{words}:plamo|>"


_REQUESTS, _REQUEST = _plamo_tags("tool_requests"), _plamo_tags("tool_request")
_NAME, _ARGUMENTS = _plamo_tags("tool_name"), _plamo_tags("tool_arguments")
_MESSAGE = "<|plamo:msg|>"


def _plamo(tools: Sequence[ToolSpec], options: Options) -> Table:
    ended: dict[Mark, Edge] = {_REQUEST[1]: Edge(Act.CLOSE_CALL, "section")}
    opened: dict[Mark, Edge] = {_MESSAGE: Edge(Act.OPEN_ARGS, "json"), **ended}
    head = {
        "head": Mode(Slot.FRAME, {_NAME[0]: Edge(Act.GO, "name"), **ended}),
        "name": Mode(Slot.NAME, {_NAME[1]: Edge(Act.GO, "named"), **ended}),
        "named": Mode(Slot.FRAME, {**opened, "{": Edge(Act.OPEN_ARGS, "json inside", takes=True)}),
    }
    return _table(
        tools,
        options,
        section=[_REQUESTS],
        call=_REQUEST,
        head=head,
        frame=[_ARGUMENTS[1]],
        tags=[_plamo_tags("think")],
    )


PLAMO3 = Dialect(
    "plamo3",
    _plamo,
    Shape(
        call=(
            *(_REQUEST[0] + _NAME[0], Hole.NAME, f"{_NAME[1]}{_ARGUMENTS[0]}"),
            *(f"<|plamo:constrain|>json{_MESSAGE}", Hole.ARGUMENTS, _ARGUMENTS[1] + _REQUEST[1]),
        ),
        before=_REQUESTS[0],
        after=_REQUESTS[1],
        between="",
    ),
    "PLaMo 3",
)

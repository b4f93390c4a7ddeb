"""OpenAI's Harmony: every message names its channel, and a call names its tool in the header."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import Mark, OneOf, Run, pattern
from parsing.options import Options
from parsing.pieces import Thinking, framed, json_value
from parsing.shape import Hole, Shape
from parsing.spec import ToolSpec
from parsing.table import Act, Dialect, Edge, Follow, Mode, Slot, Table

_ENDS = ("<|end|>", "<|return|>", "<|call|>")
_CHANNEL = pattern(
    OneOf(("analysis", "commentary", "final")),
    Run("[^<>]", 0, 128),
    OneOf(("<|message|>", "<|constrain|>")),
)
_NAMES = (r"(?:functions\.)?(.+?)", r"(?:functions\.)?(.+?)(?:json|code)")


def _table(tools: Sequence[ToolSpec], options: Options) -> Table:
    to_header = Edge(Act.GO, "header")
    to_channel = Edge(Act.GO, "channel")
    again: dict[Mark, Edge] = {"<|start|>": to_header, "<|channel|>": to_channel}
    over = Edge(Act.GO, "text", follow=Follow(end=True, marks=("<|start|>", "<|channel|>")))
    told: dict[Mark, Edge] = {
        pattern("<|channel|>"): Edge(Act.GO, "channel", at_start=True),
        **{pattern(end): Edge(Act.GO, "text", after_call=True) for end in _ENDS},
        **dict.fromkeys(_ENDS, over),
        "<|start|>": Edge(Act.GO, "header", follow=Follow(marks=("assistant", "functions"))),
        "<|channel|>": Edge(Act.GO, "channel", follow=Follow(marks=(_CHANNEL,))),
    }
    to_call = Edge(Act.OPEN_CALL, "recipient") if options.calls else Edge(Act.GO, "header")
    cuts: dict[Mark, Edge] = {end: Edge(Act.CUT_ARGS, "text") for end in _ENDS}
    cuts["<|start|>"] = Edge(Act.CUT_ARGS, "header")
    ends: dict[Mark, Edge] = {end: Edge(Act.CLOSE_CALL, "text") for end in _ENDS}
    headed: dict[Mark, Edge] = {"<|message|>": Edge(Act.OPEN_ARGS, "json")}
    reasoning = Slot.TEXT if options.reasoning_as_text else Slot.REASONING
    modes = {
        "header": Mode(
            Slot.FRAME,
            {
                "to=": to_call,
                "<|channel|>": to_channel,
                "<|message|>": Edge(Act.GO, "text"),
                "<|start|>": to_header,
            },
        ),
        "channel": Mode(
            Slot.FRAME,
            {
                "analysis": Edge(Act.GO, "thinking"),
                "to=": to_call,
                "<|message|>": Edge(Act.GO, "text"),
                **again,
            },
        ),
        "thinking": Mode(
            Slot.FRAME, {"to=": to_call, "<|message|>": Edge(Act.GO, "analysis"), **again}
        ),
        "analysis": Mode(reasoning, told),
        "recipient": Mode(
            Slot.NAME,
            {" ": Edge(Act.GO, "call"), "<|channel|>": Edge(Act.GO, "call"), **headed}
            | {"<|constrain|>": Edge(Act.GO, "call"), "<|start|>": Edge(Act.CUT_ARGS, "header")},
            names=_NAMES,
        ),
        "call": Mode(Slot.FRAME, {**headed, **cuts}),
        **json_value("json", "text", last=Act.CLOSE_CALL, cuts=cuts, ends=ends),
    }
    calls: dict[Mark, Edge] = {"to=functions.": _bare_recipient()}
    return framed(tools, options, frame=told, calls=calls, modes=modes, thinking=Thinking(()))


def _bare_recipient() -> Edge:
    """The prompt ended with the role: the message begins with the recipient."""
    return Edge(Act.OPEN_CALL, "recipient", at_start=True)


HARMONY = Dialect(
    "harmony",
    _table,
    Shape(
        call=(
            *("<|start|>assistant<|channel|>commentary to=functions.", Hole.NAME),
            *(" <|constrain|>json<|message|>", Hole.ARGUMENTS, "<|call|>"),
        ),
        between="",
        result=(
            *("<|start|>functions.", Hole.NAME, " to=assistant<|channel|>commentary<|message|>"),
            *(Hole.RESULT, "<|end|>"),
        ),
    ),
    "gpt-oss-20b and 120b",
)

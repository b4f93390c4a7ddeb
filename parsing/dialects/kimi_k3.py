"""Kimi K3: elements between `<|open|>` and `<|close|>`, whose attributes say what a value is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from parsing.marks import Mark, Run, pattern
from parsing.options import Options
from parsing.pieces import Thinking, framed, when_agent
from parsing.shape import Hole, Shape
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table, Trim

_ATTRIBUTES = Run("[^<]", 0, 256, "attributes")
_RESPONSE = "<|open|>response<|sep|>"
_CALL = pattern("<|open|>call", _ATTRIBUTES, "<|sep|>")
_ARGUMENT = pattern("<|open|>argument", _ATTRIBUTES, "<|sep|>")


def _closes(word: str) -> str:
    return f"<|close|>{word}<|sep|>"


def _table(tools: Sequence[ToolSpec], options: Options) -> Table:
    drop = Edge(Act.DROP, "text")
    frame: dict[Mark, Edge] = {
        pattern("<|open|>message", Run("[^<]", 0, 128), "<|sep|>"): drop,
        _RESPONSE: drop,
        _closes("response"): drop,
        _closes("message"): drop,
    }
    over = Edge(Act.GO, BACK)
    section: dict[Mark, Edge] = {_closes("tools"): over, _closes("message"): over}
    note = "the call's end was missing before {raw}"
    left = dict.fromkeys(section, Edge(Act.CLOSE_CALL, BACK, note=note))
    structure = Follow(
        end=True,
        marks=("<|open|>argument", "<|open|>call", *map(_closes, ("call", "tools", "message"))),
    )
    modes = {
        "section": Mode(Slot.FRAME, {_CALL: Edge(Act.OPEN_CALL, "call"), **section}),
        "call": Mode(
            Slot.GAP,
            {
                _ARGUMENT: Edge(Act.OPEN_VALUE, "value"),
                _closes("call"): Edge(Act.CLOSE_CALL, "section"),
                _CALL: Edge(Act.LEAVE_CALL, "section"),
                **left,
            },
        ),
        "value": Mode(
            Slot.VALUE,
            {_closes("argument"): Edge(Act.CLOSE_VALUE, "call", follow=structure)},
            Trim.NONE,
            kind=None,
        ),
    }
    opener = Edge(Act.GO, "section", follow=when_agent(options, "<|open|>call"))
    found = framed(
        tools,
        options,
        frame=frame,
        calls={"<|open|>tools<|sep|>": opener},
        modes=modes,
        thinking=Thinking([("<|open|>think<|sep|>", _closes("think"))]),
        strays=[_closes("tools")],
    )
    return _answered(found)


def _answered(table: Table) -> Table:
    """Let a reasoning also end where the response begins, or the message ends."""
    reasoning = table.modes.get("reasoning")
    if reasoning is None:
        return table
    over = Edge(Act.CLOSE_REASONING, "text")
    ends: dict[Mark, Edge] = {_RESPONSE: over, _closes("message"): over}
    ending = replace(reasoning, edges={**ends, **reasoning.edges})
    return replace(table, modes={**table.modes, "reasoning": ending})


KIMI_K3 = Dialect(
    "kimi_k3",
    _table,
    Shape(
        call=(
            *('<|open|>call tool="', Hole.NAME, '" index="', Hole.COUNT, '"<|sep|>'),
            *(Hole.PARAMS, _closes("call")),
        ),
        param=(
            *('<|open|>argument key="', Hole.KEY, '" type="', Hole.TYPE, '"<|sep|>'),
            *(Hole.VALUE, _closes("argument")),
        ),
        before="<|open|>tools<|sep|>",
        after=_closes("tools"),
        between="",
    ),
    "Kimi K3",
    opens_reasoning=True,
)

"""GLM and kin: the name stands bare after the tag, keys and values come in pairs of tags."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import SPACE, OneOf, Run, pattern
from parsing.options import Options
from parsing.pieces import cut_at, framed, when_agent
from parsing.shape import Hole, Shape
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table, Trim


def glm(
    name: str,
    about: str,
    *,
    opens: str = "<tool_call>",
    closes: str = "</tool_call>",
    key: tuple[str, str] = ("<arg_key>", "</arg_key>"),
    value: tuple[str, str] = ("<arg_value>", "</arg_value>"),
    line: str = "",
    before: str = "",
    after: str = "",
    after_name: str = "",
    tags: tuple[str, str] = ("<think>", "</think>"),
    opens_reasoning: bool = False,
) -> Dialect:
    """Make the dialect: `line` stands between the parts as its models write them."""

    def table(tools: Sequence[ToolSpec], options: Options) -> Table:
        named = pattern(Run(r"[\w.:/-]", 1, 128), SPACE, OneOf((key[0], closes, *_(after_name))))
        opener = Edge(Act.OPEN_CALL, "name", follow=when_agent(options, named))
        section = [before.strip(), after.strip()]
        return framed(
            tools,
            options,
            calls={opens: opener},
            modes=_modes(opens, closes, key, value, after_name),
            tags=[tags],
            opens_reasoning=opens_reasoning,
            strays=[closes, *(mark for mark in section if mark)],
        )

    shape = Shape(
        call=(opens, Hole.NAME, after_name + line, Hole.PARAMS, closes),
        param=(
            *(key[0], Hole.KEY, f"{key[1]}{line}"),
            *(value[0], Hole.VALUE, f"{value[1]}{line}"),
        ),
        before=before,
        after=after,
        between=line,
        result=("<tool_response>\n", Hole.RESULT, "\n</tool_response>"),
    )
    return Dialect(name, table, shape, about, opens_reasoning)


def _(mark: str) -> tuple[str, ...]:
    return (mark,) if mark else ()


def _modes(
    opens: str, closes: str, key: tuple[str, str], value: tuple[str, str], after_name: str
) -> dict[str, Mode]:
    close = Edge(Act.CLOSE_CALL, BACK)
    to_key = Edge(Act.GO, "key")
    structure = Follow(end=True, marks=(key[0], closes, opens))
    name = {key[0]: to_key, closes: close, **cut_at([], [opens])}
    if after_name:
        name[after_name] = Edge(Act.GO, "params")
    return {
        "name": Mode(Slot.NAME, name),
        "params": Mode(
            Slot.GAP, {key[0]: to_key, closes: close, opens: Edge(Act.LEAVE_CALL, BACK)}
        ),
        "key": Mode(Slot.KEY, {key[1]: Edge(Act.GO, "pair"), **cut_at([closes], [opens])}),
        "pair": Mode(
            Slot.FRAME,
            {value[0]: Edge(Act.OPEN_VALUE, "value"), key[0]: to_key, closes: close}
            | cut_at([], [opens]),
        ),
        "value": Mode(
            Slot.VALUE,
            {
                value[1]: Edge(Act.CLOSE_VALUE, "params", follow=structure),
                closes: Edge(
                    Act.CLOSE_CALL,
                    BACK,
                    follow=Follow(stop=True),
                    note=f"{value[1]} was missing before {{raw}}",
                ),
            },
            Trim.NONE,
            kind=None,
        ),
    }


GLM45 = glm("glm45", "GLM-4.5 and 4.6", line="\n")
GLM47 = glm("glm47", "GLM-4.7, GLM-5, Ling-3")

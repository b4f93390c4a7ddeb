"""Arrays of JSON objects after a mark: Granite 3, Command, Phi-4-mini, Hunyuan, Jamba and kin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from parsing.marks import SPACE, Mark, OneOf, parts_of, pattern
from parsing.options import Options
from parsing.pieces import (
    THINK,
    Thinking,
    cut_at,
    envelope,
    framed,
    json_value,
    name_first,
    when_agent,
)
from parsing.shape import Hole, Shape, Spelling
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table


@dataclass(frozen=True, slots=True)
class Words:
    """The marks before an array and after it, the first ones are written, and what is in it.

    With `fences` an array may stand bare or after one of them, and is written bare.  `named` is
    the key of the name, `given` are those of the arguments: servers read the first only.  `head`
    begins an object.
    """

    opens: Sequence[str]
    closes: Sequence[str] = ()
    fences: Sequence[str] | None = None
    named: str = "name"
    given: Sequence[str] = ("arguments", "parameters")
    indented: bool = False
    head: Spelling = ("{",)


def arrays(
    name: str,
    about: str,
    words: Words,
    *,
    frame: Sequence[Mark] = (),
    tags: Sequence[tuple[Mark, Mark]] = THINK,
) -> Dialect:
    """Make the dialect for its words; `frame` are marks of text that vanish."""

    def table(tools: Sequence[ToolSpec], options: Options) -> Table:
        first = ("{", "]") if words.closes else ("{",)  # no calls are a list too
        opener = Edge(Act.GO, "list", follow=when_agent(options, *first))
        calls: dict[Mark, Edge] = {pattern(mark, SPACE, "["): opener for mark in words.opens}
        cuts = cut_at(words.closes, calls)
        if words.fences is not None and tools:
            calls |= _bare(words.fences, tools)
        keys = words.given[:1] if options.serving else words.given
        close = Edge(Act.CLOSE_CALL, "list")
        modes = {
            "list": _list("{", "object", words.closes),
            **envelope("object", end=close, cuts=cuts, names=(words.named,), arguments=keys),
        }
        return framed(
            tools,
            options,
            calls=calls,
            modes=modes,
            frame=dict.fromkeys(frame, Edge(Act.DROP, "text")),
            thinking=Thinking(tags),
            strays=words.closes if words.fences is None else (),
        )

    return Dialect(name, table, _shape(words), about)


def _shape(words: Words) -> Shape:
    line, last = ("\n    ", "\n") if words.indented else ("", "")
    start, end = words.opens[0], "".join(words.closes[:1])
    if words.fences is not None:
        start = end = ""
    return Shape(
        call=(
            *(*words.head, f'"{words.named}": "', Hole.NAME),
            *(f'", "{words.given[0]}": ', Hole.ARGUMENTS, "}"),
        ),
        before=f"{start}[{line}",
        after=f"{last}]{end}",
        between=f",{line or ' '}",
    )


def _list(opens: str, to: str, closes: Sequence[str]) -> Mode:
    """Read what stands between the objects; a mark that closes the array belongs to its end."""
    over = Edge(Act.GO, BACK)
    ends: dict[Mark, Edge] = {pattern("]", SPACE, mark): over for mark in closes}
    ends |= {"]": over, **dict.fromkeys(closes, over)}
    return Mode(Slot.FRAME, {opens: Edge(Act.OPEN_CALL, to), **ends})


def _bare(fences: Sequence[str], tools: Sequence[ToolSpec]) -> dict[Mark, Edge]:
    first = tuple(pattern("{", SPACE, *parts_of(mark)) for mark in name_first(tools))
    opener = Edge(Act.GO, "list", line_start=True, follow=Follow(marks=first))
    return {**{pattern(fence, SPACE, "["): opener for fence in fences}, "[": opener}


_HERE = ("Here", OneOf((" is", "'s")))
GRANITE = arrays(
    "granite",
    "Granite 3.0 to 3.3",
    Words(opens=("<|tool_call|>", "<tool_call>")),
    tags=(
        (pattern(*_HERE, " my thought process:"), pattern(*_HERE, " my response:")),
        *THINK,
    ),
)
COHERE = arrays(
    "cohere",
    "Command R7B, Command A",
    Words(
        opens=("<|START_ACTION|>",),
        closes=("<|END_ACTION|>",),
        named="tool_name",
        given=("parameters",),
        indented=True,
        head=('{"tool_call_id": "', Hole.INDEX, '", '),
    ),
    frame=("<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>"),
    tags=(("<|START_THINKING|>", "<|END_THINKING|>"),),
)
PHI4_MINI = arrays("phi4_mini", "Phi-4-mini", Words(opens=("functools",)))
FIREFUNCTION = arrays("firefunction", "FireFunction v2", Words(opens=("functools", " functools")))
_TOOL_CALLS = Words(opens=("<tool_calls>",), closes=("</tool_calls>",))
HUNYUAN_A13B = arrays(
    "hunyuan_a13b",
    "Hunyuan-A13B",
    _TOOL_CALLS,
    frame=("<answer>\n", "<answer>", "\n</answer>", "</answer>"),
)
JAMBA = arrays("jamba", "AI21 Jamba 1.5 and 1.6", replace(_TOOL_CALLS, indented=True))
NEMOTRON_DECI = arrays(
    "nemotron_deci",
    "Llama-Nemotron",
    Words(opens=("<TOOLCALL>",), closes=("</TOOLCALL>",)),
)
XLAM = arrays(
    "xlam",
    "xLAM 2",
    Words(
        opens=("[TOOL_CALLS]", "<tool_call>"),
        closes=("</tool_call>", "```"),
        fences=("```json", "```"),
    ),
)


def _apertus(tools: Sequence[ToolSpec], options: Options) -> Table:
    starts, closes = "<|tools_prefix|>", "<|tools_suffix|>"
    opens = pattern(starts, SPACE, "[")
    cuts = cut_at([closes], [opens])
    close = Edge(Act.CLOSE_CALL, "list")
    modes = {
        "list": _list("{", "object", [closes]),
        "object": Mode(Slot.FRAME, {'"': Edge(Act.GO, "name"), "}": close, **cuts}),
        "name": Mode(Slot.NAME, {'"': Edge(Act.GO, "named")}, escape="\\", quoted=True),
        "named": Mode(Slot.FRAME, {":": Edge(Act.OPEN_ARGS, "json"), "}": close, **cuts}),
        **json_value("json", "after", last=Act.CLOSE_ARGS, cuts=cuts, ends={"}": close, **cuts}),
        "after": Mode(Slot.GAP, {"}": close, **cuts}, whole=True),
    }
    opener = Edge(Act.GO, "list", follow=when_agent(options, "{", "]"))
    tags = [("<|inner_prefix|>", "<|inner_suffix|>")]
    return framed(
        tools, options, calls={opens: opener}, modes=modes, thinking=Thinking(tags), strays=[closes]
    )


APERTUS = Dialect(
    "apertus",
    _apertus,
    Shape(
        call=('{"', Hole.NAME, '": ', Hole.ARGUMENTS, "}"),
        before="<|tools_prefix|>[",
        after="]<|tools_suffix|>",
        between=", ",
    ),
    "Apertus-2509",
)

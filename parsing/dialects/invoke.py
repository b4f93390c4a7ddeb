"""Invocations with parameters as elements: Claude's XML, MiniMax, DeepSeek's DSML and their kin."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import SPACE, Mark, Run, pattern
from parsing.options import Options
from parsing.pieces import framed, json_value, when_agent
from parsing.shape import Hole, Shape, Spelling
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table, Trim

_ATTRIBUTES = Run("[^<>]", 1, 256, "attributes")


def invoke(
    name: str,
    about: str,
    *,
    sections: Sequence[tuple[str, str]],
    prefixes: Sequence[str] = ("",),
    param: str = "parameter",
    typed: str = "",
    bare: bool = False,
    paragraph: bool = False,
    trim: Trim = Trim.NONE,
    cdata: bool = False,
    result: Spelling = (Hole.RESULT,),
) -> Dialect:
    """Make the dialect: `prefixes` stand before the words in a tag, the first is written.

    `typed` is the attribute that says how a value is written ("string" or nothing); with `bare`
    an invocation needs no section; with `paragraph` two line breaks belong to its opener.
    """

    def table(tools: Sequence[ToolSpec], options: Options) -> Table:
        opens = [pattern(f"<{prefix}invoke", _ATTRIBUTES, ">") for prefix in prefixes]
        openers = tuple(f"<{prefix}invoke" for prefix in prefixes)
        calls: dict[Mark, Edge] = {}
        for start, _ in sections:
            section = Edge(Act.GO, "section", follow=when_agent(options, *openers))
            calls[start] = section
            if paragraph:
                calls[f"\n\n{start}"] = section
        if bare:
            call = Edge(Act.OPEN_CALL, "bare params", line_start=True, declared=True)
            calls |= dict.fromkeys(opens, call)
        strays = [closes for _, closes in sections] + [f"</{prefix}invoke>" for prefix in prefixes]
        modes = _modes(prefixes, [closes for _, closes in sections], param, trim, bare=bare)
        return framed(tools, options, calls=calls, modes=modes, strays=strays)

    first, (before, after) = prefixes[0], sections[0]
    attribute = (f' {typed}="', Hole.IS_STRING, '"') if typed else ()
    shape = Shape(
        call=(f'<{first}invoke name="', Hole.NAME, '">\n', Hole.PARAMS, f"</{first}invoke>"),
        param=(
            *(f'<{first}{param} name="', Hole.KEY, '"', *attribute, ">"),
            *(Hole.VALUE, f"</{first}{param}>\n"),
        ),
        before=f"{before}\n",
        after=f"\n{after}",
        result=result,
    )
    return Dialect(name, table, shape, about)


def _modes(
    prefixes: Sequence[str], closes: Sequence[str], param: str, trim: Trim, *, bare: bool
) -> dict[str, Mode]:
    section: dict[Mark, Edge] = {}
    for prefix in prefixes:
        section[pattern(f"<{prefix}invoke", _ATTRIBUTES, "/>")] = Edge(Act.WHOLE_CALL, "section")
        section[pattern(f"<{prefix}invoke", _ATTRIBUTES, ">")] = Edge(Act.OPEN_CALL, "params")
    section |= dict.fromkeys(closes, Edge(Act.GO, BACK))
    modes = {"section": Mode(Slot.FRAME, section)}
    modes |= _params("", "section", prefixes, closes, param, trim)
    return modes | (_params("bare ", BACK, prefixes, closes, param, trim) if bare else {})


def _params(
    kind: str,
    to: str,
    prefixes: Sequence[str],
    closes: Sequence[str],
    param: str,
    trim: Trim,
) -> dict[str, Mode]:
    ends = [f"</{prefix}invoke>" for prefix in prefixes]
    missing = Edge(Act.CLOSE_CALL, BACK, note="the invocation's end was missing before {raw}")
    left: dict[Mark, Edge] = dict.fromkeys(closes, missing)
    params: dict[Mark, Edge] = dict.fromkeys(ends, Edge(Act.CLOSE_CALL, to))
    value: dict[Mark, Edge] = {}
    openers = tuple(f"<{prefix}{param}" for prefix in prefixes)
    others = tuple(f"<{prefix}invoke" for prefix in prefixes)
    structure = Follow(end=True, marks=(*openers, *ends, *closes, *others))
    for prefix in prefixes:
        params[pattern(f"<{prefix}{param}", _ATTRIBUTES, ">")] = Edge(
            Act.OPEN_VALUE, f"{kind}value"
        )
        params[pattern(f"<{prefix}invoke", _ATTRIBUTES, ">")] = Edge(Act.OPEN_CALL, f"{kind}params")
        value[f"</{prefix}{param}>"] = Edge(Act.CLOSE_VALUE, f"{kind}params", follow=structure)
        value[pattern(f"</{prefix}invoke>", SPACE, closes[0])] = Edge(
            Act.CLOSE_CALL,
            BACK,
            follow=Follow(stop=True),
            note=f"</{param}> was missing before {{raw}}",
        )
    cuts: dict[Mark, Edge] = dict.fromkeys(ends, Edge(Act.CUT_ARGS, to))
    body = Edge(Act.OPEN_ARGS, f"{kind}json inside", takes=True, at_start=True)
    return {
        f"{kind}params": Mode(Slot.GAP, {**params, **left, "{": body}),
        f"{kind}value": Mode(Slot.VALUE, value, trim, kind=None),
        f"{kind}after": Mode(Slot.GAP, {**params, **left}, whole=True),
        **json_value(f"{kind}json", f"{kind}after", last=Act.CLOSE_ARGS, cuts=cuts),
    }


_ANT = "antml:"
CLAUDE_XML = invoke(
    "claude_xml",
    "Claude, and what imitates it",
    sections=[(f"<{mark}function_calls>", f"</{mark}function_calls>") for mark in ("", _ANT)],
    prefixes=("", _ANT),
    bare=True,
    result=(
        *("<function_results>\n<result>\n<tool_name>", Hole.NAME, "</tool_name>\n<stdout>"),
        *(Hole.RESULT, "</stdout>\n</result>\n</function_results>"),
    ),
)
MINIMAX_M2 = invoke(
    "minimax_m2",
    "MiniMax M2, M2.1, M2.5",
    sections=[("<minimax:tool_call>", "</minimax:tool_call>")],
)
_D = "｜DSML｜"
_V32 = (f"<{_D}function_calls>", f"</{_D}function_calls>")
_V4 = (f"<{_D}tool_calls>", f"</{_D}tool_calls>")
_V41 = (f"<{_D} calls>", f"</{_D} calls>")
_OTHERS = tuple((f"<{_D}{word}>", f"</{_D}{word}>") for word in ("toolcalls", "tool"))
_RESULT: Spelling = ("<function_results>\n<result>", Hole.RESULT, "</result>\n</function_results>")


def _dsml(name: str, about: str, first: tuple[str, str], *, spaced: bool = False) -> Dialect:
    sections = [first, *(one for one in (_V32, _V4, _V41, *_OTHERS) if one != first)]
    prefixes = (f"{_D} ", _D) if spaced else (_D, f"{_D} ")
    return invoke(
        name,
        about,
        sections=sections,
        prefixes=prefixes,
        typed="string",
        paragraph=True,
        result=_RESULT,
    )


DSML = _dsml("dsml", "DeepSeek V3.2, V4, V4.1", _V32)
DEEPSEEK_V32 = _dsml("deepseek_v32", "DeepSeek V3.2", _V32)
DEEPSEEK_V4 = _dsml("deepseek_v4", "DeepSeek V4", _V4)
DEEPSEEK_V41 = _dsml("deepseek_v41", "DeepSeek V4.1", _V41, spaced=True)

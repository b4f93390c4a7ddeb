"""Invocations with parameters as elements: Claude's XML, MiniMax, DeepSeek's DSML and their kin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from parsing.marks import SPACE, Mark, Run, pattern
from parsing.options import Options
from parsing.pieces import THINK, Thinking, cut_at, envelope, framed, json_value, when_agent
from parsing.shape import Hole, Shape, Spelling
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table, Trim

_BLANK = Run(r"\s", 1, 8)
_ATTRIBUTES = Run("[^<>]", 1, 256, "attributes")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a dialect: `prefixes` stand before those in a tag, the first is written.

    An invocation without a section is `bare` (an agent reads it in any case); where there is one
    it then needs a line and a declared name.  `around` are marks around each invocation, `typed`
    is the attribute that says how a value is written ("string" or nothing).  With `paragraph` two
    line breaks belong to a section's opener, with `objects` JSON objects may stand in it, with
    `cdata` a value may be enclosed as XML has it; `line` stands between the parts.
    """

    sections: Sequence[tuple[str, str]] = ()
    prefixes: Sequence[str] = ("",)
    call: str = "invoke"
    param: str = "parameter"
    around: tuple[str, str] = ("", "")
    typed: str = ""
    line: str = "\n"
    bare: bool = False
    paragraph: bool = False
    objects: bool = False
    cdata: bool = False

    @property
    def calls(self) -> tuple[str, ...]:
        """The beginnings of invocations."""
        return tuple(f"<{prefix}{self.call}" for prefix in self.prefixes)

    @property
    def ends(self) -> tuple[str, ...]:
        """The marks that close invocations."""
        return tuple(f"</{prefix}{self.call}>" for prefix in self.prefixes)

    @property
    def closes(self) -> tuple[str, ...]:
        """The marks that close sections."""
        return tuple(closes for _, closes in self.sections)


def invoke(
    name: str,
    about: str,
    words: Words,
    *,
    frame: Mapping[Mark, Edge] = MappingProxyType({}),
    tags: Sequence[tuple[Mark, Mark]] = THINK,
    result: Spelling = (Hole.RESULT,),
) -> Dialect:
    """Make the dialect for its words; `frame` are marks of text, `tags` those of reasoning."""

    def table(tools: Sequence[ToolSpec], options: Options) -> Table:
        return framed(
            tools,
            options,
            frame=frame,
            calls=_calls(words, options),
            modes=_modes(words),
            thinking=Thinking(tags, always=tags is not THINK),
            strays=words.closes or words.ends,
        )

    first, line = words.prefixes[0], words.line
    before, after = words.sections[0] if words.sections else ("", "")
    attribute = (f' {words.typed}="', Hole.IS_STRING, '"') if words.typed else ()
    shape = Shape(
        call=(
            *(f'{words.around[0]}<{first}{words.call} name="', Hole.NAME, f'">{line}'),
            *(Hole.PARAMS, f"</{first}{words.call}>{words.around[1]}"),
        ),
        param=(
            *(f'<{first}{words.param} name="', Hole.KEY, '"', *attribute, ">"),
            *(Hole.VALUE, f"</{first}{words.param}>{line}"),
        ),
        before=f"{before}{line}",
        after=f"{line}{after}",
        between=line,
        result=result,
    )
    return Dialect(name, table, shape, about)


def _calls(words: Words, options: Options) -> dict[Mark, Edge]:
    calls: dict[Mark, Edge] = {}
    firsts = [*words.calls, *filter(None, words.around[:1]), *(("{",) if words.objects else ())]
    section = Edge(Act.GO, "section", follow=when_agent(options, *firsts))
    for start, _ in words.sections:
        calls[start] = section
        if words.paragraph:
            calls[f"\n\n{start}"] = section
    if words.bare or not options.serving:
        inside = (f"<{words.prefixes[0]}{words.param}", *words.ends)
        one = Edge(Act.OPEN_CALL, "bare params", follow=when_agent(options, *inside))
        if words.sections:
            note = "" if words.bare else f"{words.sections[0][0]} was missing before {{raw}}"
            one = Edge(Act.OPEN_CALL, "bare params", line_start=True, declared=True, note=note)
        calls |= {pattern(call, _BLANK, _ATTRIBUTES, ">"): one for call in words.calls}
    return calls


def _modes(words: Words) -> dict[str, Mode]:
    section: dict[Mark, Edge] = {}
    for call in words.calls:
        section[pattern(call, _BLANK, _ATTRIBUTES, "/>")] = Edge(Act.WHOLE_CALL, "section")
        section[pattern(call, _BLANK, _ATTRIBUTES, ">")] = Edge(Act.OPEN_CALL, "params")
    section |= dict.fromkeys(words.closes, Edge(Act.GO, BACK))
    modes: dict[str, Mode] = {}
    if words.objects:
        section["{"] = Edge(Act.OPEN_CALL, "object")
        modes = envelope(
            "object",
            end=Edge(Act.CLOSE_CALL, "section"),
            cuts=cut_at(words.closes),
            arguments=("arguments", "parameters"),
        )
    if words.sections:
        modes |= {"section": Mode(Slot.FRAME, section), **_params(words, "", "section")}
    return modes | _params(words, "bare ", BACK)


def _params(words: Words, kind: str, to: str) -> dict[str, Mode]:
    missing = Edge(Act.CLOSE_CALL, BACK, note="the invocation's end was missing before {raw}")
    left: dict[Mark, Edge] = dict.fromkeys(words.closes, missing)
    if words.around[1]:
        left[words.around[1]] = replace(missing, to=to)
    over: dict[Mark, Edge] = dict.fromkeys(words.ends, Edge(Act.CLOSE_CALL, to))
    params: dict[Mark, Edge] = {}
    value: dict[Mark, Edge] = {}
    openers = tuple(f"<{prefix}{words.param}" for prefix in words.prefixes)
    around = tuple(filter(None, words.around))
    marks = (*openers, *words.ends, *words.closes, *words.calls, *around)
    structure = Follow(end=True, marks=marks)
    for opener, end, call in zip(openers, words.ends, words.calls, strict=True):
        opens, closes = pattern(opener, _BLANK, _ATTRIBUTES, ">"), f"</{opener[1:]}>"
        if words.cdata:
            enclosed = pattern(opener, _BLANK, _ATTRIBUTES, ">", SPACE, "<![CDATA[")
            params[enclosed] = Edge(Act.OPEN_VALUE, f"{kind}cdata")
        params[opens] = Edge(Act.OPEN_VALUE, f"{kind}value")
        over[pattern(call, _BLANK, _ATTRIBUTES, ">")] = Edge(Act.OPEN_CALL, f"{kind}params")
        value[closes] = Edge(Act.CLOSE_VALUE, f"{kind}more", follow=structure)
        last = pattern(end, SPACE, words.closes[0]) if words.closes else end
        value[last] = Edge(
            Act.CLOSE_CALL,
            BACK,
            follow=Follow(stop=True),
            without=call,
            note=f"</{words.param}> was missing before {{raw}}",
        )
    cuts: dict[Mark, Edge] = dict.fromkeys(words.ends, Edge(Act.CUT_ARGS, to))
    body = Edge(Act.OPEN_ARGS, f"{kind}json inside", takes=True, at_start=True)
    modes = {
        f"{kind}params": Mode(Slot.GAP, {**params, **over, **left, "{": body}),
        f"{kind}more": Mode(Slot.GAP, {**params, **over, **left}),
        f"{kind}value": Mode(Slot.VALUE, value, Trim.NONE, kind=None),
        f"{kind}after": Mode(Slot.GAP, {**over, **left}, whole=True),
        **json_value(f"{kind}json", f"{kind}after", last=Act.CLOSE_ARGS, cuts=cuts),
    }
    if words.cdata:
        ends: dict[Mark, Edge] = {
            pattern("]]>", SPACE, f"</{opener[1:]}>"): Edge(Act.CLOSE_VALUE, f"{kind}more")
            for opener in openers
        }
        modes[f"{kind}cdata"] = Mode(Slot.VALUE, ends, Trim.NONE, kind=None)
    return modes


_ANT = "antml:"
CLAUDE_XML = invoke(
    "claude_xml",
    "Claude, and what imitates it",
    Words(
        sections=[(f"<{mark}function_calls>", f"</{mark}function_calls>") for mark in ("", _ANT)],
        prefixes=("", _ANT),
        bare=True,
    ),
    result=(
        *("<function_results>\n<result>\n<tool_name>", Hole.NAME, "</tool_name>\n<stdout>"),
        *(Hole.RESULT, "</stdout>\n</result>\n</function_results>"),
    ),
)
MINIMAX_M2 = invoke(
    "minimax_m2",
    "MiniMax M2, M2.1, M2.5",
    Words(sections=[("<minimax:tool_call>", "</minimax:tool_call>")]),
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
    words = Words(sections=sections, prefixes=prefixes, typed="string", paragraph=True)
    return invoke(name, about, words, result=_RESULT)


DSML = _dsml("dsml", "DeepSeek V3.2, V4, V4.1", _V32)
DEEPSEEK_V32 = _dsml("deepseek_v32", "DeepSeek V3.2", _V32)
DEEPSEEK_V4 = _dsml("deepseek_v4", "DeepSeek V4", _V4)
DEEPSEEK_V41 = _dsml("deepseek_v41", "DeepSeek V4.1", _V41, spaced=True)

"""GLM and kin: the name stands bare after the tag, keys and values come in pairs of tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parsing.marks import SPACE, Mark, OneOf, Run, parts_of, pattern
from parsing.options import Options
from parsing.pieces import Thinking, cut_at, envelope, framed, when_agent
from parsing.shape import Hole, Shape
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table, Trim

_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")


@dataclass(frozen=True, slots=True)
class Words:
    """The words in a dialect's tags, and where its models break the line.

    `after_name` is a tag of its own after the name, `typed` one that holds a value's type.  Every
    tag may have a `suffix`.  With `objects` a call may be a JSON object too.
    """

    call: str = "tool_call"
    key: str = "arg_key"
    value: str = "arg_value"
    section: str = ""
    after_name: str = ""
    typed: str = ""
    suffix: Run | None = None
    objects: bool = False
    line: str = ""  # between the parts
    joint: str | None = None  # between a key and its value, where that is another

    def opens(self, word: str) -> Mark:
        """Give the mark that begins what the word names."""
        return pattern(f"<{word}", self.suffix, ">") if self.suffix else f"<{word}>"

    def closes(self, word: str) -> Mark:
        """Give the mark that ends it."""
        return self.opens(f"/{word}")


def glm(
    name: str,
    about: str,
    words: Words,
    *,
    tags: tuple[Mark, Mark] = ("<think>", "</think>"),
    opens_reasoning: bool = False,
) -> Dialect:
    """Make the dialect for its words."""

    def table(tools: Sequence[ToolSpec], options: Options) -> Table:
        closes = words.closes(words.call)
        section = [words.closes(words.section)] if words.section else []
        return framed(
            tools,
            options,
            calls=_calls(words, options),
            modes={**_modes(words), **_section(words), **_objects(words, options)},
            thinking=Thinking([tags]),
            strays=[closes, *section],
        )

    return Dialect(name, table, _shape(words), about, opens_reasoning)


def _shape(words: Words) -> Shape:
    line, section = words.line, words.section
    joint = line if words.joint is None else words.joint
    named = f"<{words.after_name}>{line}" if words.after_name else line
    return Shape(
        call=(f"<{words.call}>", Hole.NAME, named, Hole.PARAMS, f"</{words.call}>"),
        param=(
            *(f"<{words.key}>", Hole.KEY, f"</{words.key}>{joint}"),
            *(f"<{words.value}>", Hole.VALUE, f"</{words.value}>{line}"),
        ),
        before=f"<{section}>{line}" if section else "",
        after=f"{line}</{section}>" if section else "",
        between=line,
        result=("<tool_response>\n", Hole.RESULT, "\n</tool_response>"),
    )


def _calls(words: Words, options: Options) -> dict[Mark, Edge]:
    opens = words.opens(words.call)
    after = [f"<{words.key}", f"</{words.call}"]
    if words.after_name:
        after.append(f"<{words.after_name}")
    named = pattern(Run(r"[\w.:/-]", 1, 128), SPACE, OneOf(tuple(after)))
    opener = Edge(Act.OPEN_CALL, "name", follow=when_agent(options, named))
    calls: dict[Mark, Edge] = {}
    if words.section:
        begun = parts_of(opens)[:1]
        section = Edge(Act.GO, "section", follow=when_agent(options, pattern(*begun)))
        calls[words.opens(words.section)] = section
    if words.objects:
        calls[pattern(*parts_of(opens), SPACE, "{")] = Edge(Act.OPEN_CALL, "json")
    return {**calls, opens: opener}


def _modes(words: Words) -> dict[str, Mode]:
    opens, closes = words.opens(words.call), words.closes(words.call)
    key, value = words.opens(words.key), words.opens(words.value)
    close, to_key = Edge(Act.CLOSE_CALL, BACK), Edge(Act.GO, "key")
    cuts = cut_at([], [opens])
    name: dict[Mark, Edge] = {key: to_key, closes: close, **cuts}
    if words.after_name:
        name[words.opens(words.after_name)] = Edge(Act.GO, "params")
    params: dict[Mark, Edge] = {key: to_key, closes: close, opens: Edge(Act.LEAVE_CALL, BACK)}
    again = Edge(Act.SPOIL, "key", note="a key has no value")
    pair: dict[Mark, Edge] = {value: Edge(Act.OPEN_VALUE, "value"), key: again, closes: close}
    if words.typed:
        head = (*parts_of(words.opens(words.typed)), OneOf(_TYPES, "type"))
        tail = (*parts_of(words.closes(words.typed)), SPACE, *parts_of(value))
        pair = {pattern(*head, *tail): Edge(Act.OPEN_VALUE, "value"), **pair}
    structure = [key, closes, opens]
    if words.section:
        over = words.closes(words.section)
        note = "the call's end was missing before {raw}"
        params[over] = Edge(Act.CLOSE_CALL, BACK, note=note)
        structure.append(over)
    key_ends: dict[Mark, Edge] = {words.closes(words.key): Edge(Act.GO, "pair")}
    value_ends: dict[Mark, Edge] = {
        words.closes(words.value): Edge(
            Act.CLOSE_VALUE, "params", follow=Follow(end=True, marks=tuple(structure))
        ),
        closes: Edge(
            Act.CLOSE_CALL,
            BACK,
            follow=Follow(stop=True),
            without=f"<{words.call}",
            note=f"</{words.value}> was missing before {{raw}}",
        ),
    }
    return {
        "name": Mode(Slot.NAME, name),
        "params": Mode(Slot.GAP, params),
        "key": Mode(Slot.KEY, {**key_ends, **cut_at([closes], [opens])}),
        "pair": Mode(Slot.FRAME, {**pair, **cuts}),
        "value": Mode(Slot.VALUE, value_ends, Trim.NONE, kind=None),
    }


def _section(words: Words) -> dict[str, Mode]:
    if not words.section:
        return {}
    opens = words.opens(words.call)
    section: dict[Mark, Edge] = {
        opens: Edge(Act.OPEN_CALL, "name"),
        words.closes(words.section): Edge(Act.GO, BACK),
    }
    if words.objects:
        section = {pattern(*parts_of(opens), SPACE, "{"): Edge(Act.OPEN_CALL, "json"), **section}
    return {"section": Mode(Slot.FRAME, section)}


def _objects(words: Words, options: Options) -> dict[str, Mode]:
    if not words.objects:
        return {}
    opens, closes = words.opens(words.call), words.closes(words.call)
    keys = ("arguments",) if options.serving else ("arguments", "parameters")
    after: dict[Mark, Edge] = {
        closes: Edge(Act.CLOSE_CALL, BACK),
        opens: Edge(Act.LEAVE_CALL, BACK),
    }
    cuts = cut_at([closes], [opens])
    return {
        **envelope("json", end=Edge(Act.GO, "after"), cuts=cuts, arguments=keys),
        "after": Mode(Slot.GAP, after, whole=True),
    }


GLM45 = glm("glm45", "GLM-4.5 and 4.6", Words(line="\n"))
GLM47 = glm("glm47", "GLM-4.7, GLM-5, Ling-3", Words())
POOLSIDE_V1 = glm("poolside_v1", "Poolside Laguna", Words(line="\n"))
SPARK25 = glm("spark25", "iFlytek Spark2.5", Words(line="\n", joint=""))
IQUEST_Q1 = glm("iquest_q1", "IQuest-Q1", Words(call="iquest_tool_call"))
_SUFFIX = Run("[:0-9a-f]", 0, 17)  # of a checkpoint: <tool_call:6124c78e>
HY_V3 = glm(
    "hy_v3",
    "Hunyuan Hy3",
    Words(section="tool_calls", after_name="tool_sep", suffix=_SUFFIX, line="\n"),
    tags=(pattern("<think", _SUFFIX, ">"), pattern("</think", _SUFFIX, ">")),
)
_THINK = Run("[_a-z]", 0, 7)  # think, think_fast, think_faster
K2_HORIZON = glm(
    "k2_horizon",
    "K2-Horizon",
    Words(
        call="ifm|tool_call",
        key="ifm|arg_key",
        value="ifm|arg_value",
        section="ifm|tool_calls",
        typed="ifm|arg_type",
        objects=True,
    ),
    tags=(pattern("<ifm|think", _THINK, ">"), pattern("</ifm|think", _THINK, ">")),
    opens_reasoning=True,
)

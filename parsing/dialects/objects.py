"""JSON objects that stand by themselves or after a mark: Llama 3, InternLM, fences and arrays."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import SPACE, Mark, pattern
from parsing.options import Options
from parsing.pieces import THINK, Thinking, cut_at, envelope, framed, name_first, when_agent
from parsing.shape import Hole, Shape
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Dialect, Edge, Follow, Mode, Slot, Table

_TAG = "<|python_tag|>"


def _llama(
    tools: Sequence[ToolSpec], options: Options, *, bare: bool, keys: Sequence[str]
) -> Table:
    calls: dict[Mark, Edge] = {pattern(_TAG, SPACE, "{"): Edge(Act.OPEN_CALL, "json")}
    calls[pattern(";", SPACE, "{")] = Edge(Act.OPEN_CALL, "json", after_call=True)
    if bare and tools:
        first = Follow(marks=name_first(tools))
        calls["{"] = Edge(Act.OPEN_CALL, "json", line_start=True, follow=first)
    modes = envelope("json", end=Edge(Act.CLOSE_CALL, BACK), cuts={}, arguments=keys)
    return framed(tools, options, calls=calls, modes=modes)


def _llama3_json(tools: Sequence[ToolSpec], options: Options) -> Table:
    return _llama(tools, options, bare=True, keys=("parameters", "arguments"))


def _llama3(tools: Sequence[ToolSpec], options: Options) -> Table:
    return _llama(tools, options, bare=False, keys=("parameters",))


_LLAMA = Shape(
    call=('{"name": "', Hole.NAME, '", "parameters": ', Hole.ARGUMENTS, "}"),
    before=_TAG,
    between="; ",
)
LLAMA3_JSON = Dialect("llama3_json", _llama3_json, _LLAMA, "Llama 3.1 to 3.3, Llama 4 (JSON)")
_TAGGED = Shape(call=(f'{_TAG}{{"name": "', Hole.NAME, '", "parameters": ', Hole.ARGUMENTS, "}"))
LLAMA3 = Dialect("llama3", _llama3, _TAGGED, "Llama 3, as LMDeploy reads it")


def _internlm(tools: Sequence[ToolSpec], options: Options) -> Table:
    closes, starts = "<|action_end|>", "<|action_start|>"
    opens = pattern(starts, SPACE, "<|plugin|>")
    cuts = cut_at([closes], [opens])
    keys = ("parameters",) if options.serving else ("parameters", "arguments")
    modes = {
        "before": Mode(Slot.GAP, {"{": Edge(Act.GO, "json"), **cuts}),
        **envelope("json", end=Edge(Act.GO, "after"), cuts=cuts, arguments=keys),
        "after": Mode(
            Slot.GAP,
            {closes: Edge(Act.CLOSE_CALL, BACK), opens: Edge(Act.LEAVE_CALL, BACK)},
            whole=True,
        ),
    }
    opener = Edge(Act.OPEN_CALL, "before", follow=when_agent(options, "{"))
    return framed(tools, options, calls={opens: opener}, modes=modes, strays=[closes])


INTERNLM = Dialect(
    "internlm",
    _internlm,
    Shape(
        call=(
            '<|action_start|><|plugin|>\n{"name": "',
            *(Hole.NAME, '", "parameters": ', Hole.ARGUMENTS, "}<|action_end|>"),
        ),
    ),
    "InternLM 2 and 2.5, Intern-S1",
)


def _marked(
    name: str, about: str, opens: Sequence[str], spelled: str, frame: Sequence[Mark] = ()
) -> Dialect:
    """Make the dialect for the marks before an object, which nothing closes."""

    def table(tools: Sequence[ToolSpec], options: Options) -> Table:
        marks = [pattern(mark, SPACE, "{") for mark in opens]
        calls: dict[Mark, Edge] = dict.fromkeys(marks, Edge(Act.OPEN_CALL, "json"))
        keys = ("arguments",) if options.serving else ("arguments", "parameters")
        close = Edge(Act.CLOSE_CALL, BACK)
        modes = envelope("json", end=close, cuts=cut_at((), marks), arguments=keys)
        dropped = dict.fromkeys(frame, Edge(Act.DROP, "text"))
        return framed(
            tools,
            options,
            frame={**calls, **dropped} if options.calls else dropped,
            calls=calls,
            modes=modes,
        )

    call = (f'{spelled}{{"name": "', Hole.NAME, '", "arguments": ', Hole.ARGUMENTS, "}")
    return Dialect(name, table, Shape(call=call), about)


GRANITE_20B_FC = _marked(
    "granite_20b_fc", "Granite 20B FC", ["<function_call>"], "<function_call> "
)
_OVER = "<|message_sep|>"
GIGACHAT3 = _marked(
    "gigachat3",
    "GigaChat 3, 3.1",
    ["<|function_call|>", "function call<|role_sep|>"],
    "<|function_call|>",
    [_OVER],
)


def _fenced(tools: Sequence[ToolSpec], options: Options) -> Table:
    return _fenced_table(tools, options, THINK)


def _gemma(tools: Sequence[ToolSpec], options: Options) -> Table:
    return _fenced_table(tools, options, (("<thought>", "</thought>"),))


def _fenced_table(
    tools: Sequence[ToolSpec], options: Options, tags: Sequence[tuple[Mark, Mark]]
) -> Table:
    calls: dict[Mark, Edge] = {}
    if tools:
        keys = ("name", "tool", "tool_name", "function")
        first = Follow(marks=name_first(tools, keys))
        listed = Follow(marks=tuple(pattern("{", SPACE, *m.parts) for m in name_first(tools, keys)))
        for fence in ("```json", "```tool_call", "```"):
            calls[pattern(fence, SPACE, "{")] = Edge(
                Act.OPEN_CALL, "fenced", line_start=True, follow=first
            )
            calls[pattern(fence, SPACE, "[")] = Edge(
                Act.GO, "fenced list", line_start=True, follow=listed
            )
        calls["{"] = Edge(Act.OPEN_CALL, "json", line_start=True, follow=first)
        calls["["] = Edge(Act.GO, "list", line_start=True, follow=listed)
    names = ("name", "tool", "tool_name", "function")
    keys = ("arguments", "parameters", "input", "args")
    close = Edge(Act.CLOSE_CALL, "list")
    fenced_list: dict[Mark, Edge] = {
        "{": Edge(Act.OPEN_CALL, "fenced item"),
        "]": Edge(Act.GO, "fence end"),
    }
    modes = {
        "list": Mode(Slot.FRAME, {"{": Edge(Act.OPEN_CALL, "item"), "]": Edge(Act.GO, BACK)}),
        "fenced list": Mode(Slot.FRAME, fenced_list),
        "fence end": Mode(Slot.FRAME, {"```": Edge(Act.GO, BACK)}),
        "after": Mode(
            Slot.GAP,
            {"```": Edge(Act.CLOSE_CALL, BACK), "{": Edge(Act.OPEN_CALL, "fenced")},
            whole=True,
        ),
        **_object("fenced", Edge(Act.GO, "after"), names, keys),
        **_object("fenced item", Edge(Act.CLOSE_CALL, "fenced list"), names, keys),
        **_object("json", Edge(Act.CLOSE_CALL, BACK), names, keys),
        **_object("item", close, names, keys),
    }
    return framed(tools, options, calls=calls, modes=modes, thinking=Thinking(tags))


def _object(name: str, end: Edge, names: Sequence[str], keys: Sequence[str]) -> dict[str, Mode]:
    return envelope(name, end=end, cuts={}, names=names, arguments=keys)


_FENCED = Shape(
    call=('```json\n{"name": "', Hole.NAME, '", "arguments": ', Hole.ARGUMENTS, "}\n```"),
    example=True,
)
FENCED_JSON = Dialect("fenced_json", _fenced, _FENCED, "models that follow no format")
GEMMA = Dialect("gemma", _gemma, _FENCED, "Gemma 3 and before")

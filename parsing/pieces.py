"""What many dialects are made of: reasoning, JSON, and the marks around calls.

Each function gives modes by name, for a table to take up among its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from parsing.marks import SPACE, Mark, OneOf, Pattern, parts_of, pattern
from parsing.options import Options
from parsing.spec import ToolSpec
from parsing.table import BACK, Act, Edge, Follow, Mode, Slot, Table

THINK = (("<think>", "</think>"),)
THINKS = (*THINK, ("<thinking>", "</thinking>"), ("<thought>", "</thought>"))

Edges = Mapping[Mark, Edge]


@dataclass(frozen=True, slots=True)
class Thinking:
    """How a family of models reasons: in `tags` that open and close it.

    An agent reads the common spellings besides.  `live` says that the models call tools from
    within their reasoning (serving), `always` that the tags are read also when a request asks for
    no reasoning.
    """

    tags: Sequence[tuple[Mark, Mark]] = THINK
    live: bool = True
    always: bool = False

    def read(self, options: Options) -> tuple[tuple[Mark, Mark], ...]:
        """Give the tags that are read for a request."""
        if options.serving:
            return tuple(self.tags) if options.reasoning or self.always else ()
        return tuple(dict.fromkeys([*self.tags, *THINKS]))


THINKING = Thinking()


def framed(
    tools: Sequence[ToolSpec],
    options: Options,
    *,
    calls: Edges,
    modes: Mapping[str, Mode],
    frame: Edges = MappingProxyType({}),
    thinking: Thinking = THINKING,
    strays: Sequence[Mark] = (),
) -> Table:
    """Put text and reasoning around the modes of calls.

    `frame` are marks of text that are no calls, `strays` closing marks that vanish after a call.
    """
    calls = calls if options.calls else {}
    strays = strays if options.calls else ()
    tags = thinking.read(options)
    made = dict(modes)
    for place, (opens, closes) in enumerate(tags):
        inner: dict[Mark, Edge] = dict(calls) if options.serving and thinking.live else {}
        for stray in strays if inner else ():
            inner |= _stray(stray, _named(place), serving=True)
        inner[closes] = Edge(Act.CLOSE_REASONING, "text", unquoted=not options.serving)
        inner[opens] = Edge(Act.DROP, _named(place), at_start=True)
        slot = Slot.TEXT if options.reasoning_as_text else Slot.REASONING
        made[_named(place)] = Mode(slot, inner)
    made["text"] = Mode(Slot.TEXT, _text(options, {**frame, **calls}, strays, tags))
    start = "reasoning" if options.starts_in_reasoning and tags else "text"
    return Table(start, made, required_of(tools))


def _named(place: int) -> str:
    return f"reasoning {place}" if place else "reasoning"


def _text(
    options: Options,
    marks: Edges,
    strays: Sequence[Mark],
    tags: Sequence[tuple[Mark, Mark]],
) -> dict[Mark, Edge]:
    """Give the marks of text."""
    text: dict[Mark, Edge] = dict(marks)
    for stray in strays:
        text |= _stray(stray, "text", serving=options.serving)
    for place, (opens, closes) in enumerate(tags):
        text[opens] = Edge(Act.OPEN_REASONING, _named(place), line_start=not options.serving)
        if not options.serving:
            text.setdefault(closes, Edge(Act.DROP, "text", line_start=True))
    return text


def required_of(tools: Sequence[ToolSpec]) -> dict[str, frozenset[str]]:
    """Give each tool's required parameters."""
    return {
        tool.name: frozenset(name for name, param in tool.params.items() if param.required)
        for tool in tools
    }


def _stray(mark: Mark, to: str, *, serving: bool) -> dict[Mark, Edge]:
    if not serving:
        return {mark: Edge(Act.DROP, to, line_start=True)}
    after = Edge(Act.DROP, to, after_call=True)
    return {mark: after, pattern("\n", SPACE, *parts_of(mark)): after}


def when_agent(options: Options, *marks: Mark) -> Follow | None:
    """Let an opener count in the agent's profile only where one of these follows."""
    return None if options.serving else Follow(marks=marks)


STRING = {"string": Mode(Slot.INNER, {'"': Edge(Act.UNNEST, "string")}, escape="\\")}
"""Inside a JSON string no mark counts, and a backslash takes the next character along."""


def json_value(
    name: str, to: str, *, last: Act, cuts: Edges, ends: Edges | None = None
) -> dict[str, Mode]:
    """Read all arguments of a call as one JSON value, lexically.

    An object or an array ends with its own bracket, and does `last` there; anything else ends at
    one of `ends`.  `cuts` are the marks that end the call wherever they stand outside a string.
    """
    inside = f"{name} inside"
    quote = Edge(Act.NEST, "string")
    deeper, up = Edge(Act.NEST, inside), Edge(Act.UNNEST, to, takes=True, last=last)
    return {
        name: Mode(
            Slot.ARGS,
            {"{": Edge(Act.GO, inside), "[": Edge(Act.GO, inside), '"': quote, **(ends or cuts)},
        ),
        inside: Mode(Slot.INNER, {'"': quote, "{": deeper, "[": deeper, "}": up, "]": up, **cuts}),
        **STRING,
    }


def envelope(
    name: str,
    *,
    end: Edge,
    cuts: Edges,
    names: Sequence[str] = ("name",),
    arguments: Sequence[str] = ("arguments",),
) -> dict[str, Mode]:
    """Read a JSON object that names its tool and holds its arguments, after its `{`.

    `end` is what the object's `}` does.  Both may also stand one level deeper, as `function`;
    other members are passed over.
    """
    deeper = f"{name} function"
    function: Edges = {pattern('"function"', SPACE, ":", SPACE, "{"): Edge(Act.GO, deeper)}
    closing = end if end.act is Act.CLOSE_CALL else Edge(Act.CLOSE_ARGS, end.to)
    outer = _object(name, names, arguments, end, closing, {**function, **cuts})
    up, ended = Edge(Act.GO, name), Edge(Act.CLOSE_ARGS, name)
    return {**outer, **_object(deeper, names, arguments, up, ended, cuts)}


def _object(
    name: str,
    names: Sequence[str],
    arguments: Sequence[str],
    end: Edge,
    closing: Edge,
    others: Edges,
) -> dict[str, Mode]:
    """Read an object's members; `closing` is what `}` does that also ends the arguments."""
    inside, args = f"{name} other", f"{name} arguments"
    quote = Edge(Act.NEST, "string")
    deeper, up = Edge(Act.NEST, inside), Edge(Act.UNNEST, name)
    edges: dict[Mark, Edge] = {}
    for key in names:
        edges[pattern(f'"{key}"', SPACE, ":", SPACE, '"')] = Edge(Act.GO, f"{name} name")
    for key in arguments:
        edges[pattern(f'"{key}"', SPACE, ":")] = Edge(Act.OPEN_ARGS, args)
    edges |= {**others, '"': quote, "{": deeper, "[": deeper, "}": end}
    cuts: Edges = {mark: edge for mark, edge in others.items() if edge.act is not Act.GO}
    scalar_ends = {",": Edge(Act.CLOSE_ARGS, name), "}": closing, **cuts}
    return {
        name: Mode(Slot.FRAME, edges),
        f"{name} name": Mode(Slot.NAME, {'"': Edge(Act.GO, name)}, escape="\\", quoted=True),
        inside: Mode(Slot.INNER, {'"': quote, "{": deeper, "[": deeper, "}": up, "]": up, **cuts}),
        **json_value(args, name, last=Act.CLOSE_ARGS, cuts=cuts, ends=scalar_ends),
    }


def name_first(tools: Sequence[ToolSpec], keys: Sequence[str] = ("name",)) -> tuple[Pattern, ...]:
    """Give what follows the `{` of an envelope that names a declared tool first."""
    names = OneOf(tuple(tool.name for tool in tools))
    kind = ('"type"', SPACE, ":", SPACE, '"function"', SPACE, ",", SPACE)
    heads = [(f'"{key}"', SPACE, ":", SPACE, '"', names, '"') for key in keys]
    return tuple(pattern(*head) for head in heads) + tuple(pattern(*kind, *h) for h in heads)


def copied(modes: Mapping[str, Mode], prefix: str, instead: Mapping[str, str]) -> dict[str, Mode]:
    """Copy modes under names of their own; what leads to one of `instead` leads elsewhere."""
    to = {name: instead.get(name, prefix + name) for name in modes}
    return {
        prefix + name: replace(
            mode,
            edges={m: replace(edge, to=to.get(edge.to, edge.to)) for m, edge in mode.edges.items()},
        )
        for name, mode in modes.items()
    }


def cut_at(closes: Iterable[Mark], opens: Iterable[Mark] = ()) -> dict[Mark, Edge]:
    """Give what ends a call that is not whole: its closing marks, and another call's opener."""
    edges = {mark: Edge(Act.CUT_ARGS, BACK) for mark in closes}
    return edges | {mark: Edge(Act.CUT_CALL, BACK) for mark in opens}

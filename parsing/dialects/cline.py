"""Cline's protocol as we read it: `<tool><param>value</param></tool>` in plain text."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.marks import Mark
from parsing.options import Options
from parsing.shape import Hole, Shape
from parsing.spec import Extent, Parameter, ToolSpec
from parsing.table import Act, Dialect, Edge, Follow, GrammarError, Mode, Slot, Table, Trim, When

REASONING = ("think", "thinking", "thought")

_TAG = Follow(any_tag=True)
_TAG_OR_END = Follow(any_tag=True, end=True)


def table(tools: Sequence[ToolSpec], options: Options) -> Table:
    """Write the table; raises GrammarError for a tool that is named like a reasoning tag."""
    if taken := [tool.name for tool in tools if tool.name in REASONING]:
        raise GrammarError(f"cline: {taken[0]!r} is the name of a reasoning tag; rename the tool")
    modes = {"text": _text(tools)}
    for name in REASONING:
        close = Edge(Act.CLOSE_REASONING, "text", unquoted=True)
        modes[name] = Mode(Slot.REASONING, {f"</{name}>": close})
    for tool in tools:
        modes[f"call {tool.name}"] = _call(tool, tools)
        for param in tool.params.values():
            modes[f"value {tool.name} {param.name}"] = _value(tool, param, tools)
            if param.extent is Extent.BODY:
                modes[f"nested {tool.name} {param.name}"] = _nested(tool, param)
    required = {
        tool.name: frozenset(name for name, param in tool.params.items() if param.required)
        for tool in tools
    }
    return Table(REASONING[0] if options.starts_in_reasoning else "text", modes, required)


def _text(tools: Sequence[ToolSpec]) -> Mode:
    edges: dict[Mark, Edge] = {}
    for name in REASONING:
        edges[f"<{name}>"] = Edge(Act.OPEN_REASONING, name, line_start=True)
        edges[f"</{name}>"] = Edge(Act.DROP, "text", line_start=True)
    for tool in tools:
        edges[f"<{tool.name}>"] = Edge(Act.OPEN_CALL, f"call {tool.name}", tool.name, follow=_TAG)
    return Mode(Slot.TEXT, edges, inert=True)


def _others(act: Act, tools: Sequence[ToolSpec]) -> dict[Mark, Edge]:
    edge = Edge(act, "text", line_start=True, follow=_TAG)
    return {f"<{tool.name}>": edge for tool in tools}


def _call(tool: ToolSpec, tools: Sequence[ToolSpec]) -> Mode:
    edges = _others(Act.LEAVE_CALL, tools)
    for name in tool.params:
        edges[f"<{name}>"] = Edge(Act.OPEN_VALUE, f"value {tool.name} {name}", name)
    edges[f"</{tool.name}>"] = Edge(Act.CLOSE_CALL, "text")
    return Mode(Slot.GAP, edges)


def _value(tool: ToolSpec, param: Parameter, tools: Sequence[ToolSpec]) -> Mode:
    back = f"call {tool.name}"
    close = f"</{param.name}>"
    edges: dict[Mark, Edge]
    match param.extent:
        case Extent.LINE:
            edges = _others(Act.CUT_CALL, tools)
            edges[f"</{tool.name}>"] = Edge(Act.CUT_VALUE, "text")
            edges[close] = Edge(Act.CLOSE_VALUE, back)
        case Extent.FREE:
            edges = _others(Act.CUT_CALL, tools)
            edges[close] = Edge(Act.CLOSE_VALUE, back, follow=_TAG_OR_END)
        case Extent.BODY:
            nest = Edge(Act.NEST, f"nested {tool.name} {param.name}", line_start=True)
            edges = {
                f"<{tool.name}>": nest,
                close: Edge(Act.CLOSE_VALUE, back, follow=_after_body(tool, tools)),
            }
            return Mode(Slot.VALUE, edges, Trim.NEWLINE, param.kind)
    return Mode(Slot.VALUE, edges, Trim.SPACE, param.kind)


def _after_body(tool: ToolSpec, tools: Sequence[ToolSpec]) -> Follow:
    tags = {f"<{other.name}>": When.LINE_START for other in tools}
    tags |= {f"<{name}>": When.NOT_GIVEN for name in tool.params}
    tags[f"</{tool.name}>"] = When.ALWAYS
    return Follow(end=True, tags=tags)


def _nested(tool: ToolSpec, param: Parameter) -> Mode:
    here = f"nested {tool.name} {param.name}"
    edges: dict[Mark, Edge] = {
        f"<{tool.name}>": Edge(Act.NEST, here, line_start=True),
        f"</{tool.name}>": Edge(Act.UNNEST, f"value {tool.name} {param.name}"),
    }
    return Mode(Slot.VALUE, edges, Trim.NEWLINE, param.kind)


_PARAM = ("<", Hole.KEY, ">", Hole.VALUE, "</", Hole.KEY, ">\n")
_TALL = ("<", Hole.KEY, ">\n", Hole.VALUE, "\n</", Hole.KEY, ">\n")

SHAPE = Shape(
    call=("<", Hole.NAME, ">\n", Hole.PARAMS, "</", Hole.NAME, ">"),
    param=_PARAM,
    tall=_TALL,
    bodies=("content", "diff"),
    example=True,
)

CLINE = Dialect("cline", table, SHAPE, about="any model that can write text", tags_only=True)

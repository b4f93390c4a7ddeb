"""The constraint as XGrammar's structural tag: free text until a trigger, then a tag with content.

vLLM, SGLang and LMDeploy take it as JSON.  Arguments that are JSON are held by their schema, those
of other dialects by rules in EBNF.  Text is free here, and may also stand after a call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parsing.constraint.calls import Calls, Piece
from parsing.constraint.edges import head, leads_away
from parsing.constraint.nodes import Node
from parsing.constraint.printing import printed
from parsing.shape import Hole
from parsing.spec import ToolSpec
from parsing.values import is_list, is_object

Format = dict[str, Any]


def structural(calls: Calls) -> Format:
    """Give the structural tag."""
    shape, bounds = calls.shape, calls.bounds
    if not (shape.before or shape.after):
        tags = [_tag(calls, tool) for tool in calls.tools]
        row = _row(calls, tags, at_least_one=bounds.required)
        return _whole(_after_text(calls, tags, once=calls.most == 1) if bounds.text else row)
    section = {
        "type": "tag",
        "begin": shape.before,
        "content": _inside(calls),
        "end": shape.after,
    }
    if bounds.text:
        return _whole(_after_text(calls, [section], once=True))
    return _whole(section if bounds.required else {"type": "optional", "content": section})


def _after_text(calls: Calls, tags: list[Format], *, once: bool) -> Format:
    """Let text come first: with `required` only such as holds no trigger, then a tag at once."""
    triggers = list(dict.fromkeys(_trigger(calls, str(tag["begin"])) for tag in tags))
    found: Format = {
        "type": "triggered_tags",
        "triggers": triggers,
        "tags": tags,
        "at_least_one": calls.bounds.required,
        "stop_after_first": once,
    }
    if not calls.bounds.required:
        return found
    return {"type": "sequence", "elements": [{"type": "any_text", "excludes": triggers}, found]}


def _row(calls: Calls, tags: list[Format], *, at_least_one: bool) -> Format:
    return {
        "type": "tags_with_separator",
        "tags": tags,
        "separator": calls.shape.between,
        "at_least_one": at_least_one,
        "stop_after_first": calls.most == 1,
    }


def _inside(calls: Calls) -> Format:
    """Give a section's content; where no mark ends it, only rules of our own know its end."""
    if not calls.shape.after:
        return _rules(calls, calls.row())
    return _row(calls, [_tag(calls, tool) for tool in calls.tools], at_least_one=True)


def _whole(found: Format) -> Format:
    return {"type": "structural_tag", "format": found}


def _tag(calls: Calls, tool: ToolSpec) -> Format:
    first, *rest = calls.pieces(tool)
    begin = first if isinstance(first, str) else ""
    end = rest.pop() if isinstance(rest[-1], str) else ""
    inside = [_content(calls, tool, piece) for piece in rest]
    content = inside[0] if len(inside) == 1 else {"type": "sequence", "elements": inside}
    return {"type": "tag", "begin": begin, "content": content, "end": end}


def _content(calls: Calls, tool: ToolSpec, piece: Piece) -> Format:
    match piece:
        case str():
            return {"type": "const_string", "value": piece}
        case Hole.ARGUMENTS:
            return {"type": "json_schema", "json_schema": _unbounded(arguments_schema(tool))}
        case _:
            return _rules(calls, calls.inside(tool, piece))


def _unbounded(schema: object) -> Any:
    """Leave out how long strings are: XGrammar knows no escapes in those whose length is told."""
    if is_list(schema):
        return [_unbounded(one) for one in schema]
    if not is_object(schema):
        return schema
    return {
        key: _unbounded(inner)
        for key, inner in schema.items()
        if key not in ("minLength", "maxLength") or not isinstance(inner, int)
    }


def _rules(calls: Calls, node: Node) -> Format:
    return {"type": "grammar", "grammar": printed(calls.rules.grammar(node))}


def arguments_schema(tool: ToolSpec) -> Mapping[str, Any]:
    """Give the schema of a tool's arguments, an object in any case."""
    if not tool.params:
        return {"type": "object", "properties": {}, "additionalProperties": False}
    return {"type": "object", **tool.parameters}


def _trigger(calls: Calls, begin: str) -> str:
    """Give what, once it is written, makes what follows a call.

    It is the mark alone, except where that may also begin something else.
    """
    edges = calls.table.modes[calls.table.text].edges
    sure = [
        head(mark)
        for mark, edge in edges.items()
        if begin.startswith(head(mark))
        and not edge.line_start
        and not leads_away(calls.table, mark)
    ]
    return max(sure, key=len, default=calls.opener)

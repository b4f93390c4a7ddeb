"""The constraint as one JSON schema, for dialects whose call is a JSON object.

It holds what stands between the dialect's marks: a call object, or an array of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from parsing.constraint.bounds import NoConstraint
from parsing.constraint.calls import Calls
from parsing.constraint.structural import arguments_schema
from parsing.shape import Shape
from parsing.spec import ToolSpec
from parsing.values import is_list, is_object

_NAME = "name of the tool"
_ARGUMENTS = {"arguments of the tool": 0}


def schema_of_calls(calls: Calls) -> dict[str, Any]:
    """Give the schema; raises NoConstraint where a call is more than one JSON object."""
    sample = _sample(calls.shape)
    if sample is None:
        raise NoConstraint(
            f"{calls.dialect.name}: its calls are no JSON objects; it has no form `schema`"
        )
    listed = calls.shape.before.rstrip().endswith("[")
    root = "#/items" if listed else "#"
    if len(calls.tools) == 1:
        call = _call(calls.tools[0], sample, root)
    else:
        told = [_call(tool, sample, f"{root}/anyOf/{n}") for n, tool in enumerate(calls.tools)]
        call = {"anyOf": told}
    if not listed:
        return call
    array: dict[str, Any] = {"type": "array", "items": call}
    if calls.bounds.required:
        array["minItems"] = 1
    return array if calls.most is None else {**array, "maxItems": calls.most}


def _sample(shape: Shape) -> Mapping[str, Any] | None:
    """Give a call as the JSON object that it is, if it is one that names its tool."""
    text = shape.spell(_NAME, _ARGUMENTS)
    start = text.find("{")
    try:
        found: object = json.JSONDecoder().raw_decode(text, max(start, 0))[0]
    except ValueError:
        return None
    named = is_object(found) and (_NAME in found or _NAME in found.values())
    return found if is_object(found) and named else None


def _call(tool: ToolSpec, sample: Mapping[str, Any], root: str) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in sample.items():
        name = tool.name if key == _NAME else key
        if value == _NAME:
            members[name] = {"const": tool.name}
        elif value == _ARGUMENTS:
            place = f"{root}/properties/{name}"
            members[name] = _moved(arguments_schema(tool), place)
        else:
            members[name] = {"type": "string"}
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _moved(schema: object, place: str) -> Any:
    """Let references into a schema's own root lead to where it stands now."""
    if is_list(schema):
        return [_moved(one, place) for one in schema]
    if not is_object(schema):
        return schema
    return {
        key: place + inner[1:]
        if key == "$ref" and isinstance(inner, str) and inner.startswith("#")
        else _moved(inner, place)
        for key, inner in schema.items()
    }

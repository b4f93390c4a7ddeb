"""The constraint as one JSON schema, for dialects whose call is a JSON object.

It holds what stands between the dialect's marks: a call object, or an array of them.
"""

from __future__ import annotations

import re
from typing import Any

from parsing.constraint.bounds import NoConstraint
from parsing.constraint.calls import Calls
from parsing.constraint.structural import arguments_schema
from parsing.shape import Hole
from parsing.spec import ToolSpec

_OPENS = re.compile(r'\{"(\w+)": "\Z')
_BETWEEN = re.compile(r'", "(\w+)": \Z')


def schema_of_calls(calls: Calls) -> dict[str, Any]:
    """Give the schema; raises NoConstraint where a call is more than one JSON object."""
    names = _keys(calls)
    if names is None:
        raise NoConstraint(
            f"{calls.dialect.name}: its calls are no JSON objects; it has no form `schema`"
        )
    told = [_call(tool, *names) for tool in calls.tools]
    call = told[0] if len(told) == 1 else {"anyOf": told}
    if not calls.shape.before.endswith("["):
        return call
    array: dict[str, Any] = {"type": "array", "items": call}
    if calls.bounds.required:
        array["minItems"] = 1
    return array if calls.most is None else {**array, "maxItems": calls.most}


def _keys(calls: Calls) -> tuple[str, str] | None:
    """Give the keys under which the name and the arguments stand."""
    match calls.shape.call:
        case (str() as before, Hole.NAME, str() as between, Hole.ARGUMENTS, str() as after):
            name, arguments = _OPENS.search(before), _BETWEEN.fullmatch(between)
            found = name is not None and arguments is not None and after.startswith("}")
            return (name[1], arguments[1]) if found and name and arguments else None
        case _:
            return None


def _call(tool: ToolSpec, name: str, arguments: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"const": tool.name}, arguments: arguments_schema(tool)},
        "required": [name, arguments],
        "additionalProperties": False,
    }

"""A call's arguments as a tool gets them, and what the model is told when they do not fit.

Empty or null arguments are none; one level of string encoding is undone at the top, and below
it only where the schema wants an array or an object; anything else is an error, never `{}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeGuard

from parsing import Parameter, ToolSpec, ToolUse
from parsing.values import Kind, typed
from tools.errors import BadArguments

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_LONGEST = 60
_EXPECTED = {
    "string": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "list": "a JSON array",
    "dict": "a JSON object",
}


def read_arguments(use: ToolUse, spec: ToolSpec) -> dict[str, Any]:
    """Give the arguments of a call; raises BadArguments.

    What says nothing (null, or an empty text where no text is wanted) counts as left out,
    unless the parameter is required.
    """
    read = use.values or (use.raw is not None and use.fault is None)
    given = dict(use.params) if read else arguments_of(use.arguments)
    found: dict[str, Any] = {}
    for name, value in given.items():
        parameter = spec.params.get(name)
        if not _left_out(value, parameter):
            found[name] = _unwrapped(value, parameter)
    return found


def _left_out(value: Any, parameter: Parameter | None) -> bool:
    if parameter is None or parameter.required:
        return False
    return value is None or (value == "" and Kind.STRING not in parameter.kind)


def arguments_of(text: str) -> Mapping[str, Any]:
    """Read the JSON text of arguments; raises BadArguments."""
    value: Any = text
    for _ in range(2):
        if isinstance(value, str):
            value = _json(value)
    if value is None:
        return {}
    if _is_object(value):
        return value
    raise BadArguments(f"The arguments are {_shown(value)}; expected a JSON object.")


def _is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _json(text: str) -> Any:
    if not text.strip():
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadArguments(
            f"The arguments are not valid JSON ({error}): {_shown(text)}; expected a JSON object."
        ) from None


def _unwrapped(value: Any, parameter: Parameter | None) -> Any:
    if parameter is None or Kind.STRING in parameter.kind or not isinstance(value, str):
        return value
    return typed(value, parameter.kind)


def unknown(arguments: Mapping[str, Any], spec: ToolSpec) -> list[str]:
    """Give the names of arguments that the tool does not have."""
    return [name for name in arguments if name not in spec.params]


def misfit(spec: ToolSpec, arguments: Mapping[str, Any], error: ValidationError) -> BadArguments:
    """Tell which parameters do not fit: what was found, what was expected, what there is."""
    lines = [f"{spec.name} was not run:"]
    lines += [f"- {_told(each)}" for each in error.errors(include_url=False)]
    lines += [f"- {each}" for each in _meant(spec, arguments)]
    takes = [f"{p.name}{' (required)' if p.required else ''}" for p in spec.params.values()]
    lines.append(f"It takes: {', '.join(takes)}. Send the call again with all it needs.")
    return BadArguments("\n".join(lines))


def _told(error: ErrorDetails) -> str:
    name = ".".join(str(part) for part in error["loc"]) or "arguments"
    if error["type"] == "missing":
        return f"{name}: missing"
    said = error["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    kind, _, rest = error["type"].partition("_")
    expected = _EXPECTED.get(kind, said) if rest in ("type", "parsing") else said
    return f"{name}: found {_shown(error['input'])}, expected {expected}"


def _meant(spec: ToolSpec, arguments: Mapping[str, Any]) -> Iterator[str]:
    for name in unknown(arguments, spec):
        near = get_close_matches(name, spec.params, n=1, cutoff=0.5)
        yield f"{name}: no such parameter{f'; did you mean {near[0]}?' if near else ''}"


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"

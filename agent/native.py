"""Native calls of a provider, read as the tool uses that every other call is.

Law: what runs a tool does not know where the call came from.  Whatever a model sent as arguments,
what goes back is a JSON object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agent.accumulator import NativeCall
from agent.providers.base import SentCall
from parsing import ToolSpec, ToolUse, Value
from parsing.values import Kind, exact_json, is_object

_UNNAMEABLE = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class NativeUse(ToolUse):
    """A call that came natively: its values are exact, byte for byte.

    `given` is the text of the arguments as it came.
    """

    call_id: str = ""
    given: str = ""


def native_use(call: NativeCall, tools: Sequence[ToolSpec], *, ended: bool) -> NativeUse:
    """Read a native call; `ended` says that the stream came to its normal end.

    Empty and null arguments are no arguments, one level of string encoding is undone (rule R10);
    anything else that is not an object is a fault.
    """
    given = call.arguments
    if not ended and not whole(given):
        return NativeUse(call.name, partial=True, call_id=call.key, given=given)
    try:
        arguments = _arguments(given)
    except ValueError as error:
        fault = f"The arguments of {call.name} are not usable: {error}"
        return NativeUse(call.name, fault=fault, call_id=call.key, given=given)
    spec = _spec(call.name, tools)
    values = tuple(_value(key, value, spec) for key, value in arguments.items())
    return NativeUse(call.name, values, call_id=call.key, given=given)


def growing_use(call: NativeCall, tools: Sequence[ToolSpec]) -> NativeUse:
    """Read as much of a native call as has come, to be shown; its last value may be open."""
    spec, given = _spec(call.name, tools), call.arguments
    read = list(_members(given, strings="trailing-strings").items())
    closed = len(_members(given, strings=True))
    if read and not isinstance(read[-1][1], str):
        closed = len(read) - 1  # a number or a list that may go on
    values = [_value(key, value, spec, closed=at < closed) for at, (key, value) in enumerate(read)]
    return NativeUse(call.name, tuple(values), partial=True, call_id=call.key, given=given)


def sent(use: NativeUse) -> SentCall:
    """Write a call as it goes back: under a name that servers take, with what was usable of it."""
    name = _UNNAMEABLE.sub("_", use.name)[:64] or "unknown"
    return SentCall(use.call_id, name, _sendable(use.given))


def whole(text: str) -> bool:
    """Say whether arguments are an object that has come to its end."""
    try:
        return text.rstrip().endswith("}") and is_object(exact_json(text, strict=True))
    except ValueError:
        return False


def _arguments(text: str) -> Mapping[str, Any]:
    if not text.strip():
        return {}
    value: Any = exact_json(text, strict=True)
    if isinstance(value, str):
        value = exact_json(value, strict=True) if value.strip() else {}
    if value is None:
        return {}
    if not is_object(value):
        raise ValueError(f"found {type(value).__name__}, expected a JSON object")
    return value


def _sendable(text: str) -> str:
    if whole(text):
        return text
    try:
        return json.dumps(_arguments(text))
    except ValueError:
        return json.dumps(_members(text, strings=True))


def _members(text: str, *, strings: Literal[True, "trailing-strings"]) -> Mapping[str, Any]:
    """Read the members of an object that may be cut off."""
    from pydantic_core import from_json

    try:
        value: object = from_json(text, allow_inf_nan=False, allow_partial=strings)
    except ValueError:
        return {}
    return value if is_object(value) else {}


def _spec(name: str, tools: Sequence[ToolSpec]) -> ToolSpec | None:
    return next((tool for tool in tools if tool.name == name), None)


def _value(key: str, value: object, spec: ToolSpec | None, *, closed: bool = True) -> Value:
    declared = spec.params.get(key) if spec else None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if declared is not None:
        return Value(key, text, closed, declared.kind)
    return Value(key, text, closed, Kind.STRING if isinstance(value, str) else ~Kind.STRING)

"""Native calls of a provider, read as the tool uses that every other call is.

Law: what runs a tool does not know where the call came from.  In the history a native call is
written in the dialect's own spelling, so that it can never lack its answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from agent.accumulator import NativeCall
from parsing import ToolSpec, ToolUse, Value
from parsing.values import Kind


class NativeUse(ToolUse):
    """A call that came natively: its values are exact, byte for byte."""

    __slots__ = ()


def native_use(call: NativeCall, tools: Sequence[ToolSpec], *, ended: bool) -> NativeUse:
    """Read a native call; `ended` says that the stream came to its normal end.

    Empty and null arguments are no arguments, one level of string encoding is undone (rule R10);
    anything else that is not an object is a fault.
    """
    if not ended and not _whole(call.arguments):
        return NativeUse(call.name, partial=True)
    try:
        arguments = _arguments(call.arguments)
    except ValueError as error:
        return NativeUse(call.name, fault=f"The arguments of {call.name} are not usable: {error}")
    spec = next((tool for tool in tools if tool.name == call.name), None)
    return NativeUse(call.name, tuple(_value(key, v, spec) for key, v in arguments.items()))


def _arguments(text: str) -> Mapping[str, Any]:
    if not text.strip():
        return {}
    value: Any = json.loads(text)
    if isinstance(value, str):
        value = json.loads(value) if value.strip() else {}
    if value is None:
        return {}
    if not _is_object(value):
        raise ValueError(f"found {type(value).__name__}, expected a JSON object")
    return value


def _is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, dict)


def _whole(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _value(key: str, value: object, spec: ToolSpec | None) -> Value:
    declared = spec.params.get(key) if spec else None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if declared is not None:
        return Value(key, text, True, declared.kind)
    return Value(key, text, True, Kind.STRING if isinstance(value, str) else ~Kind.STRING)

"""Pieces of native calls as servers send them, brought to one numbering.

Law: a call is known by its new id, then by its index, then by being the last; id and name are
set, never concatenated. Servers differ: Ollama gives every call index 0, Gemini gives none, some
repeat id and name in every piece, or make a new id for each piece.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from agent.providers.base import CallPiece
from agent.providers.jsons import as_count, as_word, is_object


@dataclass(slots=True)
class _Call:
    number: int
    index: int | None
    id: str | None = None
    name: str | None = None
    arguments: list[str] = field(default_factory=list[str])

    def complete(self) -> bool:
        try:
            return isinstance(json.loads("".join(self.arguments)), dict)
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class _Key:
    id: str | None
    index: int | None
    name: str | None


class Calls:
    """The calls of one message so far."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []

    def piece(self, raw: Any) -> CallPiece | None:
        """Take one element of `tool_calls` (or a `function_call`), None when it is no object."""
        if not is_object(raw):
            return None
        function = raw.get("function")
        if not is_object(function):
            function = raw
        arguments = _arguments(function.get("arguments"))
        key = _Key(_id(raw.get("id")), _index(raw.get("index")), as_word(function.get("name")))
        call = self._known(key, arguments) or self._new(key.index)
        told_id = key.id if call.id is None else None
        told_name = key.name if key.name != call.name else None
        call.id = call.id or key.id
        call.name = key.name or call.name
        if arguments:
            call.arguments.append(arguments)
        return CallPiece(call.number, told_id, told_name, arguments)

    def _new(self, index: int | None) -> _Call:
        call = _Call(len(self._calls), index)
        self._calls.append(call)
        return call

    def _known(self, key: _Key, arguments: str) -> _Call | None:
        same = [call for call in self._calls if key.id is not None and call.id == key.id]
        if same:
            return same[-1]
        if key.index is not None:
            at = [call for call in self._calls if call.index == key.index]
            return self._continued(at[-1], key, arguments) if at else None
        if key.id is not None or key.name is not None or not self._calls:
            return None
        return self._calls[-1]

    @staticmethod
    def _continued(call: _Call, key: _Key, arguments: str) -> _Call | None:
        if key.name is None or (call.id is None and call.name is None):
            return call
        if key.id is not None and call.id is not None:
            return None
        # No id to tell by: an object that is complete cannot go on with another one.
        begins = arguments.lstrip().startswith("{")
        return None if begins and call.arguments and call.complete() else call


def _id(value: Any) -> str | None:
    return as_word(value) if as_count(value) is None else str(value)


def _index(value: Any) -> int | None:
    return int(value) if isinstance(value, str) and value.isdecimal() else as_count(value)


def _arguments(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case _:
            return json.dumps(value, ensure_ascii=False)

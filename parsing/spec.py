"""What a parser and a prompt need to know of a tool: its name and its parameters' schema."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from parsing.values import Kind, is_list, is_object, kind_of

_BODIES = frozenset({"content", "diff", "patch", "input"})


class Extent(Enum):
    """How far a value may reach, for dialects that close values with a tag."""

    LINE = "line"
    FREE = "free"
    BODY = "body"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a tool, as its schema declares it."""

    name: str
    kind: Kind
    extent: Extent
    required: bool
    description: str


@dataclass(frozen=True)
class ToolSpec:
    """A tool's name, description and parameters (a JSON schema of an object)."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @cached_property
    def params(self) -> Mapping[str, Parameter]:
        """The declared parameters by name, in the schema's order."""
        told: object = self.parameters.get("required")
        required = {str(name) for name in told} if is_list(told) else set[str]()
        properties: object = self.parameters.get("properties")
        return {
            name: self._parameter(name, schema, required=name in required)
            for name, schema in (properties.items() if is_object(properties) else ())
        }

    def _parameter(self, name: str, schema: object, *, required: bool) -> Parameter:
        known: Mapping[str, Any] = schema if is_object(schema) else {}
        kind = kind_of(known, self.parameters)
        described = str(known.get("description", ""))
        return Parameter(name, kind, _extent(name, known, kind), required, described)


def _extent(name: str, schema: Mapping[str, Any], kind: Kind) -> Extent:
    if (told := schema.get("x-kind")) in ("line", "free", "body"):
        return Extent(told)
    if Kind.STRING not in kind:
        return Extent.LINE
    if name in _BODIES:
        return Extent.BODY
    if name in ("path", "url") or name.endswith("_path"):
        return Extent.LINE
    return Extent.FREE


def specs_from_openai(functions: Sequence[Mapping[str, Any]]) -> tuple[ToolSpec, ...]:
    """Read OpenAI function tools; raises ValueError naming the entry that is not one."""
    return tuple(_from_openai(place, entry) for place, entry in enumerate(functions))


def _from_openai(place: int, entry: object) -> ToolSpec:
    function: object = entry.get("function", entry) if is_object(entry) else None
    name: object = function.get("name") if is_object(function) else None
    if not is_object(function) or not isinstance(name, str):
        raise ValueError(
            f"tool {place}: found {_shown(entry)}, expected an object like "
            '{"type": "function", "function": {"name": …, "parameters": …}}'
        )
    parameters: object = function.get("parameters") or {}
    if not is_object(parameters):
        raise ValueError(f"tool {name}: its parameters must be a JSON schema object")
    return ToolSpec(name, str(function.get("description") or ""), parameters)


def _shown(entry: object) -> str:
    """Show the beginning of a JSON value."""
    text = json.dumps(entry, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else f"{text[:80]}…"

"""What a parser and a prompt need to know of a tool: its name and its parameters' schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from parsing.values import Kind, kind_of

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
        required = set(self.parameters.get("required", ()))
        return {
            name: self._parameter(name, schema, required=name in required)
            for name, schema in self.parameters.get("properties", {}).items()
        }

    def _parameter(self, name: str, schema: Any, *, required: bool) -> Parameter:
        schema = schema if isinstance(schema, Mapping) else {}
        kind = kind_of(schema, self.parameters)
        return Parameter(
            name, kind, _extent(name, schema, kind), required, str(schema.get("description", ""))
        )


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


def _from_openai(place: int, entry: Any) -> ToolSpec:
    function = entry.get("function", entry) if isinstance(entry, Mapping) else None
    name = function.get("name") if isinstance(function, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(name, str):
        raise ValueError(
            f"tool {place}: found {type(entry).__name__}, expected an object like "
            '{"type": "function", "function": {"name": …, "parameters": …}}'
        )
    parameters = function.get("parameters") or {}
    if not isinstance(parameters, Mapping):
        raise ValueError(f"tool {name}: its parameters must be a JSON schema object")
    return ToolSpec(name, str(function.get("description") or ""), parameters)

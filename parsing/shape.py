"""How a dialect spells: a call, several, a call's result, and the tools in a prompt.

A shape is data, and what a decoder can be held to is made from the same data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, assert_never

from parsing import nested
from parsing.gemma_values import gemma_text
from parsing.quoted import GEMMA_QUOTES
from parsing.spec import ToolSpec


class Hole(Enum):
    """What a spelling leaves open."""

    NAME = auto()  # of the tool
    ARGUMENTS = auto()  # all of them, as one JSON object
    PARAMS = auto()  # each as `param` spells it
    KEY = auto()
    VALUE = auto()
    IS_STRING = auto()  # "true" or "false"
    TYPE = auto()  # the JSON type's name
    INDEX = auto()  # the call's place in the message, from 0
    COUNT = auto()  # the same, from 1
    RESULT = auto()


class Written(Enum):
    """How a value is written into its hole."""

    RAW = auto()  # strings as they are, everything else as JSON
    JSON = auto()
    PYTHON = auto()
    GEMMA = auto()
    ELEMENTS = auto()


Spelling = tuple[str | Hole, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """The spelling of calls.

    `tall` is how a parameter is spelled whose value spans lines, or that is in `bodies`.
    `example` says that the tools are described in words and by calls, as for a model that was
    never trained on the dialect; else they are given as JSON schemas.
    """

    call: Spelling
    param: Spelling = ()
    tall: Spelling = ()
    bodies: tuple[str, ...] = ()
    before: str = ""  # opens a section of calls
    after: str = ""  # closes it
    between: str = "\n"  # two calls
    between_params: str = ""
    written: Written = Written.RAW
    quote: str = GEMMA_QUOTES[0]
    result: Spelling = (Hole.RESULT,)
    example: bool = False

    def spell(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Write one call with the section around it."""
        return self.spell_all([(name, arguments)])

    def spell_all(self, calls: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
        """Write several calls."""
        told = [self._call(name, args, place) for place, (name, args) in enumerate(calls)]
        return f"{self.before}{self.between.join(told)}{self.after}"

    def spell_result(self, name: str, text: str) -> str:
        """Write what a call gave."""
        filled = {Hole.NAME: name, Hole.RESULT: text}
        return "".join(part if isinstance(part, str) else filled[part] for part in self.result)

    def describe(self, tools: Sequence[ToolSpec]) -> str:
        """Write the tools' part of a prompt."""
        if self.example:
            return "\n\n".join(self._described(tool) for tool in tools)
        rows = "\n".join(json.dumps(_schema(tool), ensure_ascii=False) for tool in tools)
        sample = tools[0] if tools else ToolSpec("name_of_the_tool")
        return (
            f"<tools>\n{rows}\n</tools>\n\nCall a tool by writing exactly this, with the tool's "
            f"own name and arguments:\n\n{self.spell(sample.name, _sample(sample))}"
        )

    def _described(self, tool: ToolSpec) -> str:
        rows = [f"## {tool.name}", tool.description.strip()]
        for param in tool.params.values():
            need = "" if param.required else " (optional)"
            rows.append(f"- {param.name}{need}: {param.description}".rstrip(": "))
        rows.append(self.spell(tool.name, _sample(tool)))
        return "\n".join(row for row in rows if row)

    def _call(self, name: str, arguments: Mapping[str, Any], place: int) -> str:
        out: list[str] = []
        for part in self.call:
            match part:
                case str():
                    out.append(part)
                case Hole.NAME:
                    out.append(name)
                case Hole.INDEX:
                    out.append(str(place))
                case Hole.COUNT:
                    out.append(str(place + 1))
                case Hole.ARGUMENTS:
                    out.append(json.dumps(arguments, ensure_ascii=False))
                case _:
                    params = [self._param(key, value) for key, value in arguments.items()]
                    out.append(self.between_params.join(params))
        return "".join(out)

    def _param(self, key: str, value: Any) -> str:
        tall = self.tall and (key in self.bodies or "\n" in str(value))
        filled = {
            Hole.KEY: key,
            Hole.VALUE: written(value, self.written, self.quote),
            Hole.IS_STRING: "true" if isinstance(value, str) else "false",
            Hole.TYPE: _type_name(value),
        }
        parts = self.tall if tall else self.param
        return "".join(part if isinstance(part, str) else filled[part] for part in parts)


def written(value: Any, how: Written, quote: str = GEMMA_QUOTES[0]) -> str:
    """Write a value; `quote` stands around a string in Gemma's notation."""
    match how:
        case Written.RAW:
            return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        case Written.JSON:
            return json.dumps(value, ensure_ascii=False)
        case Written.PYTHON:
            return repr(value)
        case Written.GEMMA:
            return gemma_text(value, quote)
        case Written.ELEMENTS:
            return nested.spelled(value)
        case _:
            assert_never(how)


def _type_name(value: Any) -> str:
    match value:
        case bool():
            return "boolean"
        case str():
            return "string"
        case int() | float():
            return "number"
        case list():
            return "array"
        case dict():
            return "object"
        case _:
            return "null"


def _schema(tool: ToolSpec) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters) or {"type": "object", "properties": {}},
    }
    return {"type": "function", "function": function}


def _sample(tool: ToolSpec) -> dict[str, Any]:
    return {param.name: "…" for param in tool.params.values() if param.required}

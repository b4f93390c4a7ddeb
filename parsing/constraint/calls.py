"""A dialect's calls as a grammar, made from its shape, its table and the tools."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from parsing.blocks import ToolUse
from parsing.constraint.bounds import Bounds, NoConstraint
from parsing.constraint.edges import (
    prose,
    reasoning_tags,
    reasons_in_frames,
    value_words,
)
from parsing.constraint.nodes import (
    EMPTY,
    Chars,
    Grammar,
    Literal,
    Node,
    Repeat,
    Rules,
    alt,
    listed,
    maybe,
    none_of,
    seq,
)
from parsing.constraint.notation import Gemma, Json, Notation, Python
from parsing.constraint.schemas import Schemas, of_type
from parsing.constraint.without import lines, without
from parsing.options import Options
from parsing.registry import parse
from parsing.shape import Hole, Spelling, Written, written
from parsing.spec import Extent, Parameter, ToolSpec
from parsing.table import Dialect
from parsing.values import Kind, is_list, is_object

OPTIONS = Options(starts_in_reasoning=False)
COUNT = seq(Chars((("1", "9"),)), Repeat(Chars((("0", "9"),)), 0, 2))
INDEX = alt([Literal("0"), COUNT])
_LINE = 200  # characters of a value that is a line
_WIDTH = 80

Piece = str | Hole


@dataclass(frozen=True, slots=True)
class _Way:
    """One way in which a value may be written: its JSON type, and its text."""

    type: str
    node: Node


class Calls:
    """The rules of a dialect's calls; raises NoConstraint for one that no table says."""

    def __init__(self, protocol: Dialect, tools: Sequence[ToolSpec], bounds: Bounds) -> None:
        if not tools:
            raise NoConstraint("a grammar of calls needs at least one tool")
        if protocol.readers is not None or not protocol.shape.call:
            raise NoConstraint(f"{protocol.name}: there is no constraint for this dialect")
        if protocol.shape.written is Written.ELEMENTS:
            raise NoConstraint(f"{protocol.name}: there is no constraint for nested elements")
        self.dialect = protocol
        self.shape = protocol.shape
        self.tools = [_pinned(tool, bounds.fixed) for tool in tools]
        self.bounds = bounds
        self.table = protocol.table(self.tools, OPTIONS)
        self.rules = Rules()
        self.prose = prose(self.table, self.opener)
        self.most = bounds.max_calls if self._several() else 1

    @property
    def opener(self) -> str:
        """What is written first, up to the tool's name."""
        first = self.shape.call[0]
        return self.shape.before or (first if isinstance(first, str) else "")

    def grammar(self) -> Grammar:
        """Give text, then calls."""
        calls = seq(Literal(self.shape.before), self.row(), Literal(self.shape.after))
        text = self._text() if self.bounds.text else EMPTY
        line = Literal("\n") if self.prose.on_a_line and text != EMPTY else EMPTY
        root = seq(maybe(seq(text, line)), calls)
        root = root if self.bounds.required else alt([root, maybe(text)])
        return self.rules.grammar(seq(self._reasoning(), root) if self.bounds.reasoning else root)

    def row(self) -> Node:
        """Give one call or more, without the section around them."""
        call = self.rules.add("call", alt([self.call(tool) for tool in self.tools]))
        most = None if self.most is None else self.most - 1
        more = EMPTY if most == 0 else Repeat(seq(Literal(self.shape.between), call), 0, most)
        return seq(call, more)

    def call(self, tool: ToolSpec) -> Node:
        """Give one call of a tool, without the section around it."""
        parts = [
            Literal(piece) if isinstance(piece, str) else self.inside(tool, piece)
            for piece in self.pieces(tool)
        ]
        return self.rules.add("call-" + re.sub("[^0-9A-Za-z]+", "-", tool.name), seq(*parts))

    def pieces(self, tool: ToolSpec) -> list[Piece]:
        """Give a call's text, and what it leaves open besides the name."""
        found: list[Piece] = []
        for part in self.shape.call:
            piece = tool.name if part is Hole.NAME else part
            if found and isinstance(piece, str) and isinstance(last := found[-1], str):
                found[-1] = last + piece
            else:
                found.append(piece)
        return found

    def inside(self, tool: ToolSpec, hole: Hole) -> Node:
        """Give what stands where a call leaves something open."""
        match hole:
            case Hole.INDEX:
                return INDEX
            case Hole.COUNT:
                return COUNT
            case Hole.ARGUMENTS:
                return self._schemas(tool, Json()).properties(tool.parameters)
            case _:
                told = [(self._param(tool, one), one.required) for one in tool.params.values()]
                return listed(self.rules, "params", told, Literal(self.shape.between_params))

    def _several(self) -> bool:
        """Say whether two calls as they are spelled read as two."""
        name = self.tools[0].name
        text = self.shape.spell_all([(name, {}), (name, {})])
        blocks = parse(text, self.dialect, self.tools, options=OPTIONS)
        return len(blocks) == 2 and all(isinstance(block, ToolUse) for block in blocks)

    def _text(self) -> Node:
        first = none_of(self.prose.excluded | self.prose.first)
        rest = none_of(self.prose.excluded)
        return self.rules.add("text", seq(first, Repeat(rest, 0, self.bounds.max_text)))

    def _reasoning(self) -> Node:
        """Give reasoning, which must be there where the template has opened it."""
        if reasons_in_frames(self.table):
            raise NoConstraint(f"{self.dialect.name}: there is no constraint for its reasoning")
        opened = self.dialect.opens_reasoning
        return alt(
            [
                *(() if opened else (EMPTY,)),
                *(
                    seq(
                        Literal("" if opened else opens),
                        without(self.rules, [closes], closes, loose=self.dialect.tags_only),
                        Literal(f"{closes}\n"),
                        maybe(Literal("\n")),
                    )
                    for opens, closes in reasoning_tags(self.table)
                ),
            ]
        )

    def _schemas(self, tool: ToolSpec, notation: Notation) -> Schemas:
        most = self.bounds.max_lines
        longest = None if most is None else most * _WIDTH
        return Schemas(self.rules, notation, tool.parameters, longest=longest)

    def _param(self, tool: ToolSpec, param: Parameter) -> Node:
        tall = self.shape.tall and param.name in self.shape.bodies
        spelling = self.shape.tall if tall else self.shape.param
        value = spelling.index(Hole.VALUE)
        after = "".join(_named(part, param.name) for part in spelling[value + 1 :])
        ways = self._ways(tool, param, after, typed=_tells_type(spelling))
        return alt(seq(*_filled(spelling, param.name, way)) for way in ways)

    def _ways(self, tool: ToolSpec, param: Parameter, after: str, *, typed: bool) -> Sequence[_Way]:
        schema = _schema(tool, param.name)
        if self.shape.written is not Written.RAW:
            return [_Way("", self._schemas(tool, self._notation()).value(schema))]
        if constants := _constants(schema):
            return [_Way(_type(one), Literal(written(one, Written.RAW))) for one in constants]
        words = value_words(self.table, tool.name, param.name, loose=self.dialect.tags_only)
        schemas = self._schemas(tool, Json(tuple(sorted({word[0] for word in words}))))
        others = [kind for kind in Kind if kind in param.kind and kind is not Kind.STRING]
        if Kind.STRING not in param.kind and (len(others) == 1 or not typed):
            return [_Way(_name(others[0]), schemas.value(schema))]
        rest = [_Way(name, schemas.value(of_type(schema, name))) for name in map(_name, others)]
        if Kind.STRING not in param.kind:
            return rest
        text = _Way("string", self._string(param, schema, words, after))
        return [text, *rest] if typed else [text]

    def _string(
        self, param: Parameter, schema: Mapping[str, Any], words: frozenset[str], after: str
    ) -> Node:
        leads = {word[0] for word in words}
        if param.extent is Extent.LINE:
            line = Repeat(none_of({"\n", *leads}), 1, _LINE)
            return self.rules.shared(line, "line", lambda: line)
        if self.bounds.max_lines is not None:
            return lines(self.rules, leads, self.bounds.max_lines)
        filled = bool(schema.get("minLength"))
        return without(self.rules, words, after, filled=filled, loose=self.dialect.tags_only)

    def _notation(self) -> Notation:
        match self.shape.written:
            case Written.PYTHON:
                return Python()
            case Written.GEMMA:
                return Gemma(self.shape.quote)
            case _:
                return Json()


def _pinned(tool: ToolSpec, fixed: Mapping[str, str]) -> ToolSpec:
    found = tool.parameters.get("properties")
    if not is_object(found) or not fixed.keys() & found.keys():
        return tool
    pinned = {
        name: {**inner, "const": fixed[name]} if name in fixed and is_object(inner) else inner
        for name, inner in found.items()
    }
    return replace(tool, parameters={**tool.parameters, "properties": pinned})


def _schema(tool: ToolSpec, name: str) -> Mapping[str, Any]:
    found = tool.parameters.get("properties")
    inner: object = found.get(name) if is_object(found) else None
    return inner if is_object(inner) else {}


def _constants(schema: Mapping[str, Any]) -> list[Any]:
    if "const" in schema:
        return [schema["const"]]
    told: object = schema.get("enum")
    return list(told) if is_list(told) else []


def _tells_type(spelling: Spelling) -> bool:
    return Hole.IS_STRING in spelling or Hole.TYPE in spelling


def _filled(spelling: Spelling, key: str, way: _Way) -> list[Node]:
    told = {
        Hole.KEY: Literal(key),
        Hole.VALUE: way.node,
        Hole.IS_STRING: Literal("true" if way.type == "string" else "false"),
        Hole.TYPE: Literal("number" if way.type == "integer" else way.type),
    }
    return [Literal(part) if isinstance(part, str) else told[part] for part in spelling]


def _named(part: str | Hole, key: str) -> str:
    return part if isinstance(part, str) else key if part is Hole.KEY else ""


def _name(kind: Kind) -> str:
    return (kind.name or "").lower()


def _type(value: object) -> str:
    match value:
        case str():
            return "string"
        case bool():
            return "boolean"
        case None:
            return "null"
        case dict():
            return "object"
        case list():
            return "array"
        case _:
            return "number"

"""A JSON schema as rules for the values that fit it, in any notation.

Understood are `type`, `enum`, `const`, `anyOf`, `oneOf`, local `$ref`s, `nullable`, `properties`
(in their order, those of `required` always there), `items`, `minItems`, `maxItems`, `minLength`,
`maxLength`, and that a number is not negative.  Of the rest more is let through than fits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from parsing.constraint.nodes import (
    EMPTY,
    Chars,
    Literal,
    Node,
    Ref,
    Repeat,
    Rules,
    alt,
    listed,
    maybe,
    one_of,
    seq,
)
from parsing.constraint.notation import Notation
from parsing.values import is_list, is_object

Schema = Mapping[str, Any]
_DEEPEST = 12
_LONGEST = 256  # bounds beyond it are left to the tool
_DIGIT = Chars((("0", "9"),))


class Schemas:
    """Makes rules of the schemas of one tool, whose `$ref`s lead into `root`."""

    def __init__(
        self, rules: Rules, notation: Notation, root: Schema, *, longest: int | None = None
    ) -> None:
        self._rules = rules
        self._notation = notation
        self._root = root
        self._longest = longest
        self._makers: dict[str, Callable[[Schema, int], Node]] = {
            "string": lambda schema, _: self.string(schema),
            "integer": lambda schema, _: _integer(signed=not _is_positive(schema)),
            "number": lambda schema, _: _number(signed=not _is_positive(schema)),
            "boolean": lambda _schema, _: self._word(0, 1),
            "null": lambda _schema, _: self._word(2),
            "array": self._array,
            "object": self._object,
        }

    def value(self, schema: object, depth: int = 0) -> Node:
        """Let the values through that fit the schema."""
        if not is_object(schema) or depth > _DEEPEST:
            return self.anything()
        found = self._value(schema, depth + 1)
        return alt([found, self._word(2)]) if schema.get("nullable") is True else found

    def _value(self, schema: Schema, depth: int) -> Node:
        if "const" in schema:
            return Literal(self._notation.constant(schema["const"]))
        if is_list(told := schema.get("enum")) and told:
            return alt(Literal(self._notation.constant(one)) for one in told)
        if isinstance(ref := schema.get("$ref"), str):
            key = ("ref", ref, self._notation, id(self._root), self._longest)
            return self._rules.shared(key, "ref", lambda: self.value(self._resolved(ref), depth))
        for branches in (schema.get("anyOf"), schema.get("oneOf"), _single(schema.get("allOf"))):
            if is_list(branches) and branches:
                return alt(self.value(branch, depth) for branch in branches)
        names = _types(schema)
        return alt(self._makers[n](schema, depth) for n in names) if names else self.anything()

    def anything(self) -> Ref:
        """Let any value through."""
        return self._rules.shared(("any", self._notation, self._longest), "value", self._any)

    def _any(self) -> Node:
        makers = (make for name, make in self._makers.items() if name != "integer")
        return alt(make({}, 0) for make in makers)

    def string(self, schema: Schema) -> Node:
        """Let the strings through that fit the schema."""
        least, most = _count(schema, "minLength") or 0, _count(schema, "maxLength")
        least = min(least, _LONGEST)
        most = None if most is None or most > _LONGEST else max(most, least)
        if self._longest is not None:
            most = max(least, self._longest if most is None else min(most, self._longest))
        key = ("string", self._notation, least, most)
        make = self._notation.string
        return self._rules.shared(key, "string", lambda: make(self._rules, least, most))

    def members(self, schema: Schema, *, depth: int = 0) -> list[tuple[str, Node, bool]]:
        """Give the properties in their order: name, value, and whether it must be there."""
        told = schema.get("required")
        needed = {str(name) for name in told} if is_list(told) else set[str]()
        found = schema.get("properties")
        return [
            (name, self.value(inner, depth + 1), name in needed)
            for name, inner in (found.items() if is_object(found) else ())
        ]

    def properties(self, schema: Schema) -> Node:
        """Let an object with these properties through, and no others."""
        return self._braced(schema, 0)

    def _object(self, schema: Schema, depth: int) -> Node:
        if is_object(schema.get("properties")):
            return self._braced(schema, depth)
        more = schema.get("additionalProperties")
        if is_object(more) and more:
            return self._map(self.value(more, depth + 1))
        key = ("object", self._notation, self._longest)
        return self._rules.shared(key, "object", lambda: self._map(self.anything()))

    def _braced(self, schema: Schema, depth: int) -> Node:
        told = [
            (seq(Literal(self._notation.key(name)), self._notation.colon, value), needed)
            for name, value, needed in self.members(schema, depth=depth)
        ]
        inside = listed(self._rules, "members", told, self._notation.comma)
        return seq(Literal("{"), inside, Literal("}"))

    def _map(self, value: Node) -> Node:
        key = self._notation.any_key(self._rules)
        member = self._rules.add("member", seq(key, self._notation.colon, value))
        more = Repeat(seq(self._notation.comma, member))
        return seq(Literal("{"), maybe(seq(member, more)), Literal("}"))

    def _array(self, schema: Schema, depth: int) -> Node:
        items = schema.get("items")
        if not is_object(items) or not items:
            item: Node = self.anything()
        else:
            item = self._rules.add("item", self.value(items, depth + 1))
        least, most = _count(schema, "minItems") or 0, _count(schema, "maxItems")
        least = min(least, _LONGEST)
        if most is not None and most <= 0:
            return Literal("[]")
        most = None if most is None or most > _LONGEST else max(most, least, 1) - 1
        more = Repeat(seq(self._notation.comma, item), max(least - 1, 0), most)
        inside = seq(item, EMPTY if most == 0 else more)
        return seq(Literal("["), inside if least else maybe(inside), Literal("]"))

    def _word(self, *places: int) -> Node:
        return alt(Literal(self._notation.words[place]) for place in places)

    def _resolved(self, ref: str) -> object:
        node: object = self._root
        for part in ref.removeprefix("#").strip("/").split("/"):
            node = node.get(part) if is_object(node) and part else node
        return node


def of_type(schema: Schema, name: str) -> Schema:
    """Narrow a schema to one of the types it allows."""
    for key in ("anyOf", "oneOf"):
        if is_list(told := schema.get(key)):
            fitting = [one for one in told if is_object(one) and _types(one) == [name]]
            return {key: fitting} if fitting else {"type": name}
    return {**schema, "type": name} if is_list(schema.get("type")) else {"type": name}


def _single(branches: object) -> object:
    return branches if is_list(branches) and len(branches) == 1 else None


def _types(schema: Schema) -> list[str]:
    told = schema.get("type")
    known = ("string", "integer", "number", "boolean", "null", "array", "object")
    names = [str(name) for name in (told if is_list(told) else [told] if told else [])]
    if not names and "properties" in schema:
        return ["object"]
    if not names and "items" in schema:
        return ["array"]
    return [name if name in known else "string" for name in names]


def _count(schema: Schema, name: str) -> int | None:
    told = schema.get(name)
    return told if isinstance(told, int) else None


def _is_positive(schema: Schema) -> bool:
    told = [schema.get("minimum"), schema.get("exclusiveMinimum")]
    return any(isinstance(least, int | float) and least >= 0 for least in told)


def _integer(*, signed: bool) -> Node:
    digits = seq(Chars((("1", "9"),)), Repeat(_DIGIT, 0, 15))
    return seq(maybe(Literal("-")) if signed else EMPTY, alt([Literal("0"), digits]))


def _number(*, signed: bool) -> Node:
    part = seq(Literal("."), Repeat(_DIGIT, 1, 15))
    power = seq(one_of("eE"), maybe(one_of("+-")), Repeat(_DIGIT, 1, 2))
    return seq(_integer(signed=signed), maybe(part), maybe(power))

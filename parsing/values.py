"""How the text of one value is typed, and how arguments are written as JSON.

A value is typed once, from the tool's schema alone; text that does not fit stays text, and
nothing is ever evaluated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import Enum, Flag, auto
from json.encoder import encode_basestring
from math import isfinite
from typing import Any, TypeGuard


class Kind(Flag):
    """The JSON types that a schema allows for a value."""

    STRING = auto()
    INTEGER = auto()
    NUMBER = auto()
    BOOLEAN = auto()
    ARRAY = auto()
    OBJECT = auto()
    NULL = auto()


class Form(Enum):
    """How a value is written between its marks."""

    TEXT = auto()  # as it is; the tool's schema says what it means
    JSON = auto()
    PYTHON = auto()  # a Python literal
    GEMMA = auto()  # bare keys, strings between marks of their own
    ELEMENTS = auto()  # as text, or as elements within elements


STRING = Kind.STRING  # asking a flag what it holds is dear, and most values are plain strings

_NAMES = {kind.name.lower(): kind for kind in Kind if kind.name}


def kind_of(schema: Mapping[str, Any], root: Mapping[str, Any] | None = None) -> Kind:
    """Give the types that a property's JSON schema allows; a silent schema means a string.

    Understands `type` (name or list), `nullable`, `enum`, `const`, `anyOf`, `oneOf` and local
    `$ref`s into `root`.  An unknown type name is read as a string.
    """
    found = _allowed(schema, root or {}, 0)
    return found if found else Kind.STRING


def _allowed(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Kind:
    found = Kind(0)
    if depth > 8:
        return found
    told: object = schema.get("type")
    for name in told if is_list(told) else [told] if isinstance(told, str) else []:
        found |= _NAMES.get(str(name), Kind.STRING)
    if not found:
        values = [*_listed(schema, "enum"), *([schema["const"]] if "const" in schema else [])]
        for value in values:
            found |= _kind(value)
    for branch in (*_listed(schema, "anyOf"), *_listed(schema, "oneOf")):
        if is_object(branch):
            found |= _allowed(branch, root, depth + 1)
    if isinstance(ref := schema.get("$ref"), str):
        found |= _allowed(_resolved(ref, root), root, depth + 1)
    return found | Kind.NULL if found and schema.get("nullable") is True else found


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Say whether a JSON value is an object."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Say whether a JSON value is an array."""
    return isinstance(value, list)


def _listed(schema: Mapping[str, Any], key: str) -> list[Any]:
    found: object = schema.get(key)
    return found if is_list(found) else []


def _resolved(ref: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    node: object = root
    for part in ref.removeprefix("#/").split("/"):
        node = node.get(part) if is_object(node) else None
    return node if is_object(node) else {}


def _kind(value: object) -> Kind:
    match value:
        case None:
            return Kind.NULL
        case bool():
            return Kind.BOOLEAN
        case int():
            return Kind.INTEGER
        case float():
            return Kind.NUMBER
        case list():
            return Kind.ARRAY
        case dict():
            return Kind.OBJECT
        case _:
            return Kind.STRING


def typed(text: str, kind: Kind) -> Any:
    """Read a closed value's text as one of the types `kind` allows, else leave it text."""
    if kind is STRING:
        return text
    if Kind.STRING in kind:
        return None if Kind.NULL in kind and text == "null" else text
    bare = text.strip()
    if Kind.BOOLEAN in kind and bare.lower() in ("true", "false"):
        return bare.lower() == "true"
    try:
        value = exact_json(bare, strict=True)
    except ValueError:
        return text
    found = _kind(value)
    if found is Kind.INTEGER and Kind.NUMBER in kind:
        return value
    return value if found in kind else text


def exact_json(text: str, *, strict: bool = False) -> Any:
    """Read JSON without NaN, infinities or loss; raises ValueError.

    Unless `strict`, raw control characters in a string stand for themselves.
    """
    try:
        return json.loads(text, strict=strict, parse_constant=_refuse, parse_float=_exact)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _exact(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is too large for a number")
    return number


def json_text(text: str, kind: Kind) -> str:
    """Write a closed value as JSON: as the model wrote it where that is JSON, else a string."""
    if kind is STRING:
        return string(text)
    value = typed(text, kind)
    if isinstance(value, str):
        return string(value)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return text.strip()


string: Callable[[str], str] = encode_basestring
"""Write a string as JSON, with its quotes."""


def string_piece(text: str) -> str:
    """Escape part of a JSON string; pieces can be joined."""
    return string(text)[1:-1]

"""How the text of one value is typed, and how arguments are written as JSON.

A value is typed once, from the tool's schema alone; text that does not fit stays text, and
nothing is ever evaluated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from enum import Flag, auto
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


def streams(kind: Kind) -> bool:
    """Say whether a value of this kind can be told before it is closed."""
    return kind is STRING or Kind.STRING in kind


def shown(text: str, kind: Kind, *, closed: bool) -> bool:
    """Say whether a value counts among the values so far.

    A value that is not a string waits for its end, and so does one that may still turn out to
    be the null that its schema allows.
    """
    if closed or kind is STRING:
        return True
    if Kind.STRING not in kind:
        return False
    return Kind.NULL not in kind or not "null".startswith(text)


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
        value = json.loads(bare, parse_constant=_refuse, parse_float=_exact)
    except (ValueError, RecursionError):
        return text
    found = _kind(value)
    if found is Kind.INTEGER and Kind.NUMBER in kind:
        return value
    return value if found in kind else text


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


def arguments_text(values: Iterable[tuple[str, str, Kind, bool]], *, open_ended: bool) -> str:
    """Write (key, text, kind, closed) rows as one JSON object, duplicates kept.

    With `open_ended` the result is a prefix of what the finished call will give.
    """
    parts: list[str] = []
    for key, text, kind, closed in values:
        if not shown(text, kind, closed=closed):
            break
        head = f"{', ' if parts else '{'}{string(key)}: "
        parts.append(head + (json_text(text, kind) if closed else '"' + string_piece(text)))
    joined = "".join(parts)
    if open_ended:
        return joined
    return joined + "}" if joined else "{}"

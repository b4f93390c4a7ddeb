"""The members of a request, looked at before they are used.

Law: a member that is null is as one that is missing; one of another kind is a BadRequest that says
what was found and what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any, NoReturn

from agent.providers.base import JsonObject
from agent.providers.jsons import is_array, is_object
from ui.gateway.asked import BadRequest

_KINDS = {
    "dict": "an object",
    "list": "an array",
    "str": "a string",
    "bool": "true or false",
    "int": "a number",
    "float": "a number",
    "NoneType": "null",
}


def read_json(data: str | bytes | bytearray) -> object:
    """Read JSON without NaN and infinities; raises ValueError, and RecursionError."""
    return json.loads(data, parse_constant=_no_constant, parse_float=_finite)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text[:20]} is too large for a number")
    return number


def kind_of(value: object) -> str:
    """Name the kind of a JSON value."""
    return _KINDS.get(type(value).__name__, type(value).__name__)


def unlike(value: object, expected: str, place: str) -> BadRequest:
    """Make the error for a value of another kind than expected."""
    return BadRequest(f"{place}: found {kind_of(value)}, expected {expected}", place)


def word(holder: JsonObject, name: str, place: str = "") -> str | None:
    """Take a string; None where there is none."""
    value = holder.get(name)
    if value is None or isinstance(value, str):
        return value
    raise unlike(value, "a string", within(place, name))


def needed_word(holder: JsonObject, name: str, place: str = "") -> str:
    """Take a string that must be there and not empty."""
    if value := word(holder, name, place):
        return value
    where = within(place, name)
    found = "an empty string" if name in holder and holder[name] == "" else "nothing"
    raise BadRequest(f"{where}: found {found}, expected a string", where)


def truth(holder: JsonObject, name: str, place: str = "") -> bool | None:
    """Take true or false; None where there is neither."""
    value = holder.get(name)
    if value is None or isinstance(value, bool):
        return value
    raise unlike(value, "true or false", within(place, name))


def whole_number(holder: JsonObject, name: str, place: str = "") -> int | None:
    """Take a whole number; None where there is none."""
    value = holder.get(name)
    if isinstance(value, bool) or not (value is None or isinstance(value, int)):
        raise unlike(value, "a whole number", within(place, name))
    return value


def number(holder: JsonObject, name: str, place: str = "") -> float | None:
    """Take a number; None where there is none."""
    value = holder.get(name)
    if isinstance(value, bool) or not (value is None or isinstance(value, int | float)):
        raise unlike(value, "a number", within(place, name))
    return value


def an_object(value: object, place: str) -> dict[str, Any]:
    """Take a value that must be an object."""
    if is_object(value):
        return value
    raise unlike(value, "an object", place)


def an_array(value: object, place: str) -> list[Any]:
    """Take a value that must be an array."""
    if is_array(value):
        return value
    raise unlike(value, "an array", place)


def objects(value: object, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Go over an array of objects, each with its place."""
    for at, entry in enumerate(an_array(value, place)):
        where = f"{place}[{at}]"
        yield where, an_object(entry, where)


def within(place: str, name: str) -> str:
    """Give the place of a member."""
    return f"{place}.{name}" if place else name

"""JSON values told apart, so that everything a server sends is looked at before it is used."""

from typing import Any, TypeGuard

from agent.providers.base import JsonObject


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Say whether a JSON value is an object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Say whether a JSON value is an array."""
    return isinstance(value, list)


def as_object(value: object) -> JsonObject:
    """Take an object as it is, and whatever else (null, missing) as an empty one."""
    return value if is_object(value) else {}


def as_array(value: object) -> list[Any]:
    """Take an array as it is, and whatever else as an empty one."""
    return value if is_array(value) else []


def as_count(value: object) -> int | None:
    """Take a whole number; true and false are none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def as_word(value: object) -> str | None:
    """Take a string that is not empty."""
    return value if isinstance(value, str) and value else None

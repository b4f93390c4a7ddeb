"""What a JSON value is, told to the type checker."""

from __future__ import annotations

from typing import TypeGuard


def is_array(value: object) -> TypeGuard[list[object]]:
    """Claim that the value is an array."""
    return isinstance(value, list)


def is_object(value: object) -> TypeGuard[dict[str, object]]:
    """Claim that the value is an object."""
    return isinstance(value, dict)


def is_texts(value: object) -> TypeGuard[list[str]]:
    """Claim that the value is an array of strings."""
    return is_array(value) and all(isinstance(item, str) for item in value)

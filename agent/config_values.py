"""Plain values of a configuration, checked by hand: pydantic is imported only for the others.

Law: what is taken here, pydantic takes with the same result; what is wrong is left to its words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeGuard

from agent.providers.secret import Secret

_COUNT = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?", re.ASCII)


class NotPlain(Exception):
    """A value that must be read, or refused, by pydantic."""


def plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Give the values as the configuration holds them; raises NotPlain."""
    return {name: _READERS[name](value) for name, value in values.items()}


def _word(value: object) -> str:
    if isinstance(value, str):
        return value.strip()
    raise NotPlain


def _count(value: object) -> int:
    match value:
        case bool():
            raise NotPlain
        case int():
            return value
        case str() if _COUNT.fullmatch(value):
            return int(value)
        case _:
            raise NotPlain


def _number(value: object) -> float:
    match value:
        case bool():
            raise NotPlain
        case int() | float():
            return float(value)
        case str() if _NUMBER.fullmatch(value):
            return float(value)
        case _:
            raise NotPlain


def _place(value: object) -> Path:
    match value:
        case Path():
            return value
        case str() if value and value == value.strip():
            return Path(value)
        case _:
            raise NotPlain


def _key(value: object) -> Secret:
    match value:
        case Secret():
            return value
        case str():
            return Secret(value)
        case _:
            raise NotPlain


def _one_of(*known: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if isinstance(value, str) and value in known:
            return value
        raise NotPlain

    return read


def _effects(value: object) -> tuple[str, ...]:
    if not _listed(value):
        raise NotPlain
    return tuple(_effect(item) for item in value)


def _headers(value: object) -> dict[str, str]:
    if not _mapped(value):
        raise NotPlain
    return {_word(name): _word(text) for name, text in value.items()}


def _listed(value: object) -> TypeGuard[list[object] | tuple[object, ...]]:
    return isinstance(value, list | tuple)


def _mapped(value: object) -> TypeGuard[dict[object, object]]:
    return isinstance(value, dict)


_effect = _one_of("read", "edit", "run")
_READERS: Mapping[str, Callable[[object], object]] = {
    **dict.fromkeys(("provider", "model", "base_url", "dialect"), _word),
    **dict.fromkeys(
        ("context_window", "max_tokens", "thinking_tokens", "max_turns", "max_mistakes"), _count
    ),
    **dict.fromkeys(
        (
            *("speed", "temperature", "connect_timeout", "first_token_timeout"),
            *("idle_timeout", "command_timeout"),
        ),
        _number,
    ),
    "api_key": _key,
    "headers": _headers,
    "script": _place,
    "protocol": _one_of("text", "native"),
    "mode": _one_of("reparse", "incremental", "both"),
    "tools_per_message": _one_of("one", "several"),
    "foreign_calls": _one_of("offer", "accept", "refuse"),
    "constrain": _one_of("auto", "on", "off"),
    "prompt": _one_of("auto", "full", "compact"),
    "allow": _effects,
}

"""What is wrong with a configured value, in words: the place, the key, what was expected.

Law: a value that may hold a key is never quoted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard, get_args, get_type_hints

from agent.errors import ConfigError

_EFFECTS = {"read": "read", "edit": "edit", "edits": "edit", "run": "run"}
_SECRET = frozenset({"api_key", "headers"})
_COUNTS = ("context_window", "max_tokens", "max_turns", "max_mistakes")
_TIMES = ("connect_timeout", "first_token_timeout", "idle_timeout", "command_timeout")


def effects(value: object, place: str) -> tuple[str, ...]:
    """Read what is allowed without asking: words or a list of them; reading always is.

    Raises ConfigError at a word that is none of the effects.
    """
    words = value.replace(",", " ").split() if isinstance(value, str) else value
    if not _listed(words) or any(str(word).strip() not in _EFFECTS for word in words):
        raise ConfigError(
            f"allow in {place}: found {value!r}, expected any of read, edit and run, as in "
            'allow = "edit, run". Reading inside the folder is always allowed.'
        )
    told = {_EFFECTS[str(word).strip()] for word in words} | {"read"}
    return tuple(effect for effect in ("read", "edit", "run") if effect in told)


def check_sizes(values: Mapping[str, Any], places: Mapping[str, str]) -> None:
    """Refuse numbers that cannot be meant; raises ConfigError."""
    for name in (*_COUNTS, *_TIMES):
        number = values.get(name)
        if isinstance(number, int | float) and not number > 0:
            expected = "a whole number from 1 on" if name in _COUNTS else "seconds, more than 0"
            raise ConfigError(f"{name} in {places[name]}: found {number}, expected {expected}.")


def misfit(name: str, value: object, kind: str, owner: type) -> str:
    """Say what was found and what was expected; `kind` is pydantic's word for the fault."""
    found = "a value of another kind" if name in _SECRET else repr(value)[:80]
    return f"found {found}, expected {_expected(name, kind, owner)}"


def _expected(name: str, kind: str, owner: type) -> str:
    match kind.partition("_")[0]:
        case "int":
            return "a whole number"
        case "float" | "finite":
            return "a number"
        case "string" if name not in _SECRET:
            return "a text in quotes"
        case "literal":
            return f"one of {', '.join(map(str, get_args(get_type_hints(owner)[name])))}"
        case "path":
            return "the path of a file"
        case _:
            return "names with texts" if name == "headers" else "a text in quotes"


def _listed(value: object) -> TypeGuard[list[object] | tuple[object, ...]]:
    return isinstance(value, list | tuple)

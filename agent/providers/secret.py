"""Keys that cannot be seen: masked in every repr, and taken out of what servers say back."""

import re
from collections.abc import Iterable
from typing import Any

MASK = "****"
_SHORTEST = 8  # shorter values ("none", "ollama") are no secrets, and masking them hides words
_SHAPES = re.compile(
    r"\b(?:sk|gsk|xai|nvapi|glpat)-[-_A-Za-z0-9]{16,}|\b(?:hf|ghp|gsk)_[A-Za-z0-9]{16,}"
    r"|\bAIza[-_A-Za-z0-9]{20,}"
    r"|(?<=Bearer )[-._~+/A-Za-z0-9]{8,}=*"
    r"|(?<=://)[^/@\s]+(?=@)"
    r"|(?<=[?&]key=)[^&\s\"']+|(?<=[?&]api_key=)[^&\s\"']+|(?<=[?&]token=)[^&\s\"']+"
)
_TELLING = re.compile(r"(?i)auth|key|token|secret|cookie")


class Secret:
    """A value that only `reveal` shows."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return f"Secret({MASK})"

    def __str__(self) -> str:
        return MASK

    def __bool__(self) -> bool:
        return bool(self._value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> str:
        raise TypeError("a Secret is not pickled: it would be written down in the clear")

    @classmethod
    def of(cls, value: object) -> "Secret":
        match value:
            case Secret():
                return value
            case str():
                return cls(value)
            case _:
                raise ValueError(f"a key must be a string, not {type(value).__name__}")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        """Let a pydantic model hold it: read from a string, written as the mask."""
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(
            cls.of, serialization=core_schema.to_string_ser_schema()
        )


class Redactor:
    """What takes known keys, and whatever has a key's shape, out of a text."""

    def __init__(self, values: Iterable[str]) -> None:
        known = {value for value in values if len(value) >= _SHORTEST}
        self._known = sorted(known, key=len, reverse=True)

    def clean(self, text: str) -> str:
        for value in self._known:
            text = text.replace(value, MASK)
        return _SHAPES.sub(MASK, text)


def telling(name: str) -> bool:
    """Say whether a header or query name announces a secret."""
    return _TELLING.search(name) is not None

"""Gemma's own notation: bare keys, strings between marks, nested braces and brackets."""

from __future__ import annotations

import json
import re
from typing import Any

from parsing.quoted import GEMMA_QUOTES as QUOTES
from parsing.values import exact_json, is_list, is_object

_DEEPEST = 200
_KEY = re.compile(r"\s*([^:{}\[\],]*?)\s*:")
_BARE = re.compile(r"[^,{}\[\]]*")


def gemma_value(text: str) -> Any:
    """Read a value; raises ValueError when it is not well-formed."""
    reading = _Reading(text.strip())
    value = reading.value(0)
    if reading.rest():
        raise ValueError(f"not expected after a value: {reading.rest()[:40]!r}")
    return value


def gemma_text(value: Any, quote: str) -> str:
    """Write a JSON value; strings stand between `quote`s."""
    if isinstance(value, str):
        return f"{quote}{value}{quote}"
    if is_object(value):
        rows = (f"{key}:{gemma_text(one, quote)}" for key, one in value.items())
        return "{" + ",".join(rows) + "}"
    if is_list(value):
        return "[" + ",".join(gemma_text(one, quote) for one in value) + "]"
    return json.dumps(value)


class _Reading:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def rest(self) -> str:
        return self._text[self._at :].strip()

    def value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("nested too deep")
        self._space()
        for quote in QUOTES:
            if self._text.startswith(quote, self._at):
                return self._string(quote)
        match self._text[self._at : self._at + 1]:
            case "{":
                return self._object(depth)
            case "[":
                return self._array(depth)
            case _:
                return self._bare()

    def _string(self, quote: str) -> str:
        start = self._at + len(quote)
        end = self._text.find(quote, start)
        if end < 0:
            raise ValueError(f"a string without its closing {quote}")
        self._at = end + len(quote)
        return self._text[start:end]

    def _object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self._at += 1
        while not self._closes("}"):
            key = self._key()
            found[key] = self.value(depth + 1)
            self._comma("}")
        return found

    def _key(self) -> str:
        self._space()
        for quote in (*QUOTES, '"'):
            if self._text.startswith(quote, self._at):
                key = self._string(quote)
                self._space()
                if self._text[self._at : self._at + 1] != ":":
                    raise ValueError(f"no colon after the key {key!r}")
                self._at += 1
                return key
        named = _KEY.match(self._text, self._at)
        if named is None:
            raise ValueError(f"a key was expected at {self.rest()[:40]!r}")
        self._at = named.end()
        return named[1]

    def _array(self, depth: int) -> list[Any]:
        found: list[Any] = []
        self._at += 1
        while not self._closes("]"):
            found.append(self.value(depth + 1))
            self._comma("]")
        return found

    def _bare(self) -> Any:
        bare = _BARE.match(self._text, self._at)
        text = bare[0] if bare else ""
        self._at += len(text)
        word = text.strip()
        if not word:
            raise ValueError(f"a value was expected at {self.rest()[:40]!r}")
        try:
            return exact_json(word)
        except ValueError:
            return word

    def _closes(self, mark: str) -> bool:
        self._space()
        if self._at >= len(self._text):
            raise ValueError(f"no closing {mark}")
        if self._text[self._at] != mark:
            return False
        self._at += 1
        return True

    def _comma(self, mark: str) -> None:
        self._space()
        found = self._text[self._at : self._at + 1]
        if found == ",":
            self._at += 1
        elif found != mark:
            raise ValueError(f"a comma or {mark} was expected at {self.rest()[:40]!r}")

    def _space(self) -> None:
        while self._text[self._at : self._at + 1].isspace():
            self._at += 1

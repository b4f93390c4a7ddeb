"""How values are written in JSON, as Python literals, and in Gemma's notation."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Protocol

from parsing.constraint.nodes import (
    Chars,
    Literal,
    Node,
    Repeat,
    Rules,
    alt,
    maybe,
    none_of,
    one_of,
    seq,
)
from parsing.constraint.without import without
from parsing.values import is_list, is_object

_BARE_COMMA, _BARE_COLON = Literal(","), Literal(":")
_WIDE_COMMA, _WIDE_COLON = Literal(", "), Literal(": ")
_COMMA, _COLON = (seq(mark, maybe(Literal(" "))) for mark in (_BARE_COMMA, _BARE_COLON))
_CONTROL = ("\x00", "\x1f")
_HEX = Chars((("0", "9"), ("A", "F"), ("a", "f")))
_KEY = seq(
    Chars((("A", "Z"), ("_", "_"), ("a", "z"))),
    Repeat(Chars((("0", "9"), ("A", "Z"), ("_", "_"), ("a", "z"))), 0, 40),
)


class Notation(Protocol):
    """A way to write values; what it makes is the same for equal ones."""

    @property
    def words(self) -> tuple[str, str, str]:
        """How true, false and null are written."""
        ...

    @property
    def comma(self) -> Node: ...

    @property
    def colon(self) -> Node: ...

    def string(self, rules: Rules, least: int, most: int | None) -> Node:
        """Let any string of so many characters through."""
        ...

    def key(self, name: str) -> str:
        """Write a member's name."""
        ...

    def any_key(self, rules: Rules) -> Node: ...

    def constant(self, value: Any) -> str:
        """Write a value."""
        ...


@dataclass(frozen=True, slots=True)
class Json:
    """JSON; the characters of `avoided` stand in no string but escaped."""

    avoided: tuple[str, ...] = ()
    words: tuple[str, str, str] = ("true", "false", "null")
    comma: Node = _COMMA
    colon: Node = _COLON

    def string(self, rules: Rules, least: int, most: int | None) -> Node:
        bare = Chars(tuple(sorted((_CONTROL, *((c, c) for c in ('"', "\\", *self.avoided))))), True)
        code = seq(Literal("u"), _low_code(), _HEX, _HEX, _HEX)
        escaped = seq(Literal("\\"), alt([one_of('"\\/bfnrt'), code]))
        char = rules.shared(("character", self), "character", lambda: alt([bare, escaped]))
        return seq(Literal('"'), Repeat(char, least, most), Literal('"'))

    def key(self, name: str) -> str:
        return self.constant(name)

    def any_key(self, rules: Rules) -> Node:
        return seq(Literal('"'), _KEY, Literal('"'))

    def constant(self, value: Any) -> str:
        text = json.dumps(value, ensure_ascii=False)
        for char in self.avoided:
            text = text.replace(char, f"\\u{ord(char):04x}")
        return text


@dataclass(frozen=True, slots=True)
class Python:
    """Python literals."""

    words: tuple[str, str, str] = ("True", "False", "None")
    comma: Node = _WIDE_COMMA
    colon: Node = _WIDE_COLON

    def string(self, rules: Rules, least: int, most: int | None) -> Node:
        return alt(self._quoted(rules, quote, least, most) for quote in "'\"")

    def _quoted(self, rules: Rules, quote: str, least: int, most: int | None) -> Node:
        bare = Chars(tuple(sorted((_CONTROL, (quote, quote), ("\\", "\\")))), True)
        code = seq(Literal("x"), one_of("01234567"), _HEX)
        wide = seq(Literal("u"), _low_code(), _HEX, _HEX, _HEX)
        escaped = seq(Literal("\\"), alt([one_of("\\'\"nrt"), code, wide]))
        key = ("character", self, quote)
        char = rules.shared(key, "character", lambda: alt([bare, escaped]))
        return seq(Literal(quote), Repeat(char, least, most), Literal(quote))

    def key(self, name: str) -> str:
        return repr(name)

    def any_key(self, rules: Rules) -> Node:
        return seq(Literal("'"), _KEY, Literal("'"))

    def constant(self, value: Any) -> str:
        return repr(value)


@dataclass(frozen=True, slots=True)
class Gemma:
    """Gemma's notation: keys are bare, strings stand between marks and know no escapes."""

    quote: str
    words: tuple[str, str, str] = ("true", "false", "null")
    comma: Node = _BARE_COMMA
    colon: Node = _BARE_COLON

    def string(self, rules: Rules, least: int, most: int | None) -> Node:
        if most is None:
            inside: Node = without(rules, [self.quote], self.quote, filled=least > 0)
        else:
            inside = Repeat(none_of(self.quote[0]), least, most)
        return seq(Literal(self.quote), inside, Literal(self.quote))

    def key(self, name: str) -> str:
        return name

    def any_key(self, rules: Rules) -> Node:
        return _KEY

    def constant(self, value: Any) -> str:
        if isinstance(value, str):
            return f"{self.quote}{value}{self.quote}"
        if is_object(value):
            rows = [f"{key}:{self.constant(one)}" for key, one in value.items()]
            return "{" + ",".join(rows) + "}"
        if is_list(value):
            return "[" + ",".join(map(self.constant, value)) + "]"
        return json.dumps(value)


def _low_code() -> Node:
    """Give the first digit of an escape that is no half of a pair."""
    return Chars((("0", "9"), ("A", "C"), ("a", "c")))

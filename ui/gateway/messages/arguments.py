"""A call's arguments, told so that what was told is always the beginning of one JSON object.

Law: whatever the model wrote and wherever it was cut, the pieces join to one JSON object that
every JSON reader takes, and nothing told is unsent.  Arguments that are none are told up to where
they cease to be; what is open is closed, and the member `INVALID_JSON` says what was found there.
No arguments, and null, are no members; one level of string encoding is undone.  Half a surrogate
pair is U+FFFD.

Each character is looked at a bounded number of times.  What could not be closed if it broke off
(a key before its value, a number, half an escape, the last bracket) waits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import isfinite
from typing import TypeAlias

from parsing.values import string, string_piece

INVALID = "INVALID_JSON"  # Anthropic's own word for arguments that are no JSON
_DEEPEST = 200  # the official client's reader goes no deeper
_LONGEST = 4300  # digits of a number; neither that reader nor Python's takes more

_SPACE = re.compile(r"[ \t\n\r]*")
_PLAIN = re.compile(r'[^"\\\x00-\x1f]*')
_WORD = re.compile(r"[-+.0-9A-Za-z]*")
_SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?", re.ASCII)
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_HALF_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?")
_FIRST_HALF = re.compile(r"\\u[dD][89abAB]..")
_SECOND_HALF = re.compile(r"\\u[dD][c-fC-F]..")
_LOST = r"\ufffd"
_CLOSER = {"{": "}", "[": "]"}

_State: TypeAlias = Callable[["Arguments", str, int], int]


class Arguments:
    """One call's arguments, as they come."""

    def __init__(self, *, encoded: bool = True) -> None:
        self._encoded = encoded  # a JSON string may hold them
        self._state: _State = Arguments._start
        self._out: list[str] = []
        self._waits: list[str] = []  # read, and not yet told
        self._rest: list[str] = []  # from where it is no JSON
        self._open: list[str] = []  # brackets to be closed, of what was told
        self._told = 0  # how often something that can be closed was told
        self._quoted = False  # a string's value is open
        self._first = False  # the open object has no member yet
        self._key = False  # the string being read is a key
        self._half = ""  # an escape that may be the first half of a pair
        self._escape = ""

    def take(self, text: str) -> str:
        """Take what was added; give what can be told."""
        if self._quoted and not self._half and self._state is Arguments._string:
            found = _PLAIN.match(text)
            if found and found.end() == len(text):
                return text
        at = 0
        while at < len(text):
            at = self._state(self, text, at)
        return self._given()

    def end(self, *, closed: bool) -> str:
        """End them; `closed` says that the call was."""
        if self._state is Arguments._done:
            return "}"
        if self._state is Arguments._start:
            return "" if closed else self._invalid("")
        rest = "".join(self._rest)
        if self._state is Arguments._odd and closed and (inner := self._inside(rest)) is not None:
            return inner
        broken = self._state in (Arguments._broken, Arguments._odd)
        if not broken:
            rest = "".join(self._waits) + self._half + self._escape
        return self._invalid(rest, broken=broken)

    def _inside(self, text: str) -> str | None:
        """Read arguments that are no object; None when they cannot be meant as one."""
        try:
            value: object = json.loads(text)
        except (ValueError, RecursionError):
            return None
        if value is None:
            return ""
        if not isinstance(value, str) or not self._encoded:
            return None
        inner = Arguments(encoded=False)
        return inner.take(value) + inner.end(closed=True)

    def _invalid(self, rest: str, *, broken: bool = False) -> str:
        why = "from here on it is no JSON object" if broken else "the arguments were cut off here"
        why = f"{why}: {rest}" if rest else why
        begun = "" if self._told else "{"
        comma = ", " if self._told > 1 else ""
        closers = '"' * self._quoted + "".join(reversed(self._open[1:]))
        return f"{begun}{closers}{comma}{string(INVALID)}: {string(why)}}}"

    def _given(self) -> str:
        given = "".join(self._out)
        self._out.clear()
        return given

    def _tell(self, text: str) -> None:
        """Tell what waited, and this, after which everything open can be closed."""
        self._out += self._waits
        self._out.append(text)
        self._waits.clear()
        self._told += 1

    def _say(self, text: str) -> None:
        """Say part of a string."""
        (self._waits if self._key else self._out).append(text)

    def _wait(self, text: str, start: int, end: int) -> int:
        if end > start:
            self._waits.append(text[start:end])
        return end

    def _breaks(self, text: str, at: int) -> int:
        self._rest += [*self._waits, self._half, self._escape, text[at:]]
        self._state = Arguments._broken
        return len(text)

    def _broken(self, text: str, at: int) -> int:
        self._rest.append(text[at:])
        return len(text)

    def _start(self, text: str, at: int) -> int:
        at = _end(_SPACE, text, at)
        if at == len(text):
            return at
        if text[at] == "{":
            return self._bracket(text, at)
        self._state = Arguments._odd
        return at

    def _odd(self, text: str, at: int) -> int:
        """Keep what is no object: it is looked at when it has ended."""
        return self._broken(text, at)

    def _value(self, text: str, at: int) -> int:
        at = self._wait(text, at, _end(_SPACE, text, at))
        if at == len(text):
            return at
        char = text[at]
        if char == "]" and self._first and self._open[-1] == "]":
            return self._close(text, at)
        if char == '"':
            self._tell(char)
            self._quoted, self._state, self._first = True, Arguments._string, False
            return at + 1
        if char in _CLOSER and len(self._open) < _DEEPEST:
            return self._bracket(text, at)
        if char in "-0123456789tfn":
            self._state, self._first = Arguments._scalar, False
            return at
        return self._breaks(text, at)

    def _bracket(self, text: str, at: int) -> int:
        self._tell(text[at])
        self._open.append(_CLOSER[text[at]])
        self._first = True
        self._state = Arguments._member if text[at] == "{" else Arguments._value
        return at + 1

    def _close(self, text: str, at: int) -> int:
        self._first = False
        if len(self._open) == 1:
            self._waits.clear()
            self._state = Arguments._done
            return at + 1
        self._tell(self._open.pop())
        self._state = Arguments._after
        return at + 1

    def _after(self, text: str, at: int) -> int:
        at = self._wait(text, at, _end(_SPACE, text, at))
        if at == len(text):
            return at
        if text[at] == self._open[-1]:
            return self._close(text, at)
        if text[at] != ",":
            return self._breaks(text, at)
        self._state = Arguments._member if self._open[-1] == "}" else Arguments._value
        return self._wait(text, at, at + 1)

    def _member(self, text: str, at: int) -> int:
        at = self._wait(text, at, _end(_SPACE, text, at))
        if at == len(text):
            return at
        if text[at] == "}" and self._first:
            return self._close(text, at)
        if text[at] != '"':
            return self._breaks(text, at)
        self._key, self._state, self._first = True, Arguments._string, False
        return self._wait(text, at, at + 1)

    def _colon(self, text: str, at: int) -> int:
        at = self._wait(text, at, _end(_SPACE, text, at))
        if at == len(text):
            return at
        if text[at] != ":":
            return self._breaks(text, at)
        self._state = Arguments._value
        return self._wait(text, at, at + 1)

    def _scalar(self, text: str, at: int) -> int:
        end = _end(_WORD, text, at)
        self._escape += text[at:end]
        if len(self._escape) > _LONGEST:
            return self._breaks(text, end)
        if end < len(text):
            word = self._escape
            found = _SCALAR.fullmatch(word)
            if not found or (found.lastindex and not isfinite(float(word))):
                return self._breaks(text, end)
            self._escape = ""
            self._tell(word)
            self._state = Arguments._after
        return end

    def _string(self, text: str, at: int) -> int:
        if self._half and text[at] != "\\":
            self._half = ""
            self._say(_LOST)
        end = _end(_PLAIN, text, at)
        if end > at:
            self._say(text[at:end])
        if end == len(text):
            return end
        char = text[end]
        if char == "\\":
            self._state = Arguments._escaped
            return end
        if char != '"':
            self._say(string_piece(char))
        elif self._key:
            self._waits.append(char)
            self._key, self._state = False, Arguments._colon
        else:
            self._tell(char)
            self._quoted, self._state = False, Arguments._after
        return end + 1

    def _escaped(self, text: str, at: int) -> int:
        escape = self._escape = self._escape + text[at]
        if _HALF_ESCAPE.fullmatch(escape):
            return at + 1
        if not _ESCAPE.fullmatch(escape):
            return self._breaks(text, at + 1)
        half, self._half, self._escape = self._half, "", ""
        self._state = Arguments._string
        second = _SECOND_HALF.match(escape) is not None
        if half and not second:
            self._say(_LOST)
        if _FIRST_HALF.match(escape):
            self._half = escape
        elif second:
            self._say(half + escape if half else _LOST)
        else:
            self._say(escape)
        return at + 1

    def _done(self, text: str, at: int) -> int:
        at = _end(_SPACE, text, at)
        return at if at == len(text) else self._breaks(text, at)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at

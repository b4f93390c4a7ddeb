"""What a dialect's structure is recognised by: literal marks, and patterns of bounded length.

A mark has a first character that is always the same and a last one that decides; between them
runs are bounded.  So half a mark is never longer than the longest mark, and every character is
looked at a bounded number of times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

LONGEST_RUN = 64


@dataclass(frozen=True, slots=True)
class Run:
    """Some characters of one class (a regular expression of one character), perhaps captured."""

    chars: str
    least: int = 0
    most: int = LONGEST_RUN
    name: str = ""


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of some words, perhaps captured."""

    words: tuple[str, ...]
    name: str = ""


Part = str | Run | OneOf

SPACE = Run(r"\s")
BLANKS = Run(r"[ \t]", 0, 8)
NAME = Run(r"""[^\s<>"'=/{}\[\](),:]""", 1, 128, "name")
KEY = Run(r"""[^\s<>"'=]""", 1, 128, "key")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A mark of several parts; it begins and ends with a literal."""

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return "".join(map(_shown, self.parts))


Mark = str | Pattern


def pattern(*parts: Part) -> Pattern:
    """Make a mark of parts."""
    return Pattern(parts)


def _shown(part: Part) -> str:
    match part:
        case str():
            return part
        case Run(chars=chars, name=name):
            return name.upper() or ("" if chars in (r"\s", r"[ \t]") else "…")
        case OneOf(words=words, name=name):
            return name.upper() or f"({'|'.join(words[:3])}{'|…' if len(words) > 3 else ''})"


def parts_of(mark: Mark) -> tuple[Part, ...]:
    """Give a mark's parts."""
    return (mark,) if isinstance(mark, str) else mark.parts


def lead(mark: Mark) -> str:
    """Give the character that every spelling of a mark begins with, or nothing."""
    first = parts_of(mark)[0]
    return first[:1] if isinstance(first, str) else ""


def begins(marks: Iterable[Mark]) -> str:
    """Write, as a regular expression, where one of these may begin: by its first two characters."""
    seconds: dict[str, set[str]] = {}
    for mark in marks:
        first = parts_of(mark)[0]
        seconds.setdefault(lead(mark), set()).add(first[1:2] if isinstance(first, str) else "")
    if all("" in after for after in seconds.values()):
        return f"[{''.join(map(re.escape, sorted(seconds)))}]" if seconds else "(?!)"
    return "|".join(_begins(char, after) for char, after in sorted(seconds.items()))


def _begins(char: str, after: set[str]) -> str:
    """Write a first character with those that may come after it; "" stands for any."""
    if "" in after:
        return re.escape(char)
    return rf"{re.escape(char)}(?:[{''.join(map(re.escape, sorted(after)))}]|\Z)"


def longest(mark: Mark) -> int:
    """Give the length of a mark's longest spelling."""
    return sum(map(_longest, parts_of(mark)))


def _longest(part: Part) -> int:
    match part:
        case str():
            return len(part)
        case Run(most=most):
            return most
        case OneOf(words=words):
            return max(map(len, words), default=0)


@lru_cache(maxsize=4096)
def whole(mark: Mark) -> re.Pattern[str]:
    """Compile a mark; what it captures are groups by name."""
    return re.compile("".join(map(_whole, parts_of(mark))), re.DOTALL)


@lru_cache(maxsize=4096)
def begun(mark: Mark) -> re.Pattern[str]:
    """Compile what more text may make a mark of: its beginnings, up to the end of the text."""
    return re.compile(beginnings(mark) + r"\Z", re.DOTALL)


def plain(mark: Mark) -> str:
    """Write a mark as a regular expression that captures nothing."""
    return "".join(_plain(part) for part in parts_of(mark))


def _whole(part: Part) -> str:
    match part:
        case Run(name=name) | OneOf(name=name) if name:
            return f"(?P<{name}>{_plain(part)})"
        case _:
            return _plain(part)


def _plain(part: Part) -> str:
    match part:
        case str():
            return re.escape(part)
        case Run(chars, least, most):
            return f"{chars}{{{least},{most}}}"
        case OneOf(words):
            return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"


def beginnings(mark: Mark) -> str:
    """Write a mark's beginnings, not empty and not whole, as a regular expression."""
    parts = parts_of(mark)
    first = parts[0]
    if not isinstance(first, str):
        raise TypeError(f"{mark}: a mark begins with a literal")
    rest = _rest(parts[1:])
    if len(first) == 1:
        return re.escape(first) + ("(?!)" if rest is None else rest)
    return re.escape(first[0]) + _letters(first[1:], rest)


def ahead(mark: Mark) -> str:
    """Write a mark's beginnings, the empty one included; it may begin and end with a run."""
    return _rest(parts_of(mark)) or ""


def _rest(parts: tuple[Part, ...]) -> str | None:
    """Write the beginnings of these parts, the empty one included; none for no parts."""
    if not parts:
        return None
    rest = _rest(parts[1:])
    match parts[0]:
        case str() as text:
            return _letters(text, rest)
        case Run(chars, least, most):
            enough = f"{chars}{{{least},{most}}}{rest or ''}"
            return f"(?:{enough}|{chars}{{0,{least - 1}}})" if least else f"(?:{enough})"
        case OneOf(words):
            ordered = sorted(words, key=len, reverse=True)
            return f"(?:{'|'.join(_letters(word, rest) for word in ordered)})"


def _letters(text: str, rest: str | None) -> str:
    """Write the beginnings of a literal that is followed by `rest`; by none it is never whole."""
    out = "" if rest is None else f"(?:{re.escape(text[-1])}{rest})?"
    for char in reversed(text[:-1]):
        out = f"(?:{re.escape(char)}{out})?"
    return out

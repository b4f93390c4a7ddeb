"""The definition: how a text fits a mark, character by character, and what a mark says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from parsing.marks import Mark, OneOf, Part, Run
from tests.parsing.slow_lines import Fit


@dataclass(frozen=True)
class Stands:
    """How a text fits a mark, where the mark ends, and what it captures."""

    fit: Fit
    end: int = 0
    captured: Mapping[str, str] = field(default_factory=dict[str, str])


def stands(mark: Mark, text: str, at: int) -> Stands:
    """Compare the text at `at` with a mark: the longest runs and words first."""
    half = False
    for end, captured in _ways(_parts(mark), text, at):
        if end is not None:
            return Stands(Fit.WHOLE, end, captured)
        half = True
    return Stands(Fit.HALF if half and at < len(text) else Fit.NO)


def any_stands(marks: Sequence[Mark], text: str, at: int) -> Fit:
    """Say how the text at `at` fits the best fitting of some marks."""
    found = [stands(mark, text, at).fit for mark in marks]
    return Fit.WHOLE if Fit.WHOLE in found else Fit.HALF if Fit.HALF in found else Fit.NO


def _parts(mark: Mark) -> tuple[Part, ...]:
    return (mark,) if isinstance(mark, str) else mark.parts


Way = tuple[int | None, dict[str, str]]


def _ways(parts: tuple[Part, ...], text: str, at: int) -> Iterator[Way]:
    """Give the ends of all ways to read the parts; none where the text ends before they do."""
    if not parts:
        yield at, {}
        return
    for end in _ends(parts[0], text, at):
        if end is None:
            yield None, {}
            continue
        name = parts[0].name if not isinstance(parts[0], str) else ""
        for last, captured in _ways(parts[1:], text, end):
            yield last, ({name: text[at:end]} if name else {}) | captured


def _ends(part: Part, text: str, at: int) -> Iterator[int | None]:
    match part:
        case str():
            yield from _word(part, text, at)
        case OneOf(words):
            for word in sorted(words, key=len, reverse=True):
                yield from _word(word, text, at)
        case Run(chars, least, most):
            end = at
            while end < min(len(text), at + most) and re.fullmatch(chars, text[end], re.DOTALL):
                end += 1
            yield from range(end, at + least - 1, -1)
            if end == len(text) and end < at + least:
                yield None


def _word(word: str, text: str, at: int) -> Iterator[int | None]:
    if text.startswith(word, at):
        yield at + len(word)
    elif len(text) - at < len(word) and word.startswith(text[at:]):
        yield None


_ATTRIBUTE = re.compile(r"""(?P<key>[\w-]+)\s*=\s*(?P<value>"[^"]*"|'[^']*'|[^\s"'>]+)""")


def told(captured: Mapping[str, str]) -> dict[str, str]:
    """Give what a mark says: what it captured, and its attributes; of several the first."""
    said = {name: text for name, text in captured.items() if text and name != "attributes"}
    for found in _ATTRIBUTE.finditer(captured.get("attributes", "")):
        value = found["value"]
        bare = value[1:-1] if value[0] in "\"'" else value
        for entity, character in (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
            bare = bare.replace(entity, character)
        said.setdefault(found["key"], bare)
    return said

"""The work of a comparison, in parts that a process of its own can do.

Law: a part is a value, and what comes of it too; nothing else is shared between processes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from parsing import GrammarError, ToolSpec
from ui.compare.comparing import Tick, compare, compare_whole
from ui.compare.comparison import Comparison
from ui.compare.cuts import Cutting, in_two
from ui.compare.message import Message
from ui.compare.pair import pair_of
from ui.doors.reading import CHUNK, Members, Reading, reading_of
from ui.doors.tool_files import tools_of

_PART = 100_000  # characters that the reparse reads in one part, well below a second of work


@dataclass(frozen=True, slots=True)
class Terms:
    """What is asked of every message; `tools` is the JSON of function tools, or nothing."""

    options: dict[str, Any]
    cutting: Cutting
    tools: str = ""
    against: str = ""
    storied: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One message in one dialect; with every cut in two: at these places only."""

    order: int
    message: Message
    dialect: str
    weight: int  # the characters that the reparse reads, roughly
    terms: Terms
    places: range | None = None

    def done(self, tick: Tick | None = None) -> Comparison:
        """Do it; raises ValueError, in words, for a message that cannot be read as asked."""
        return _done(self, self.terms, tick)


def parts_of(messages: Sequence[Message], dialects: Sequence[str], terms: Terms) -> Iterator[Part]:
    """Part the work; a message with a dialect of its own is read in that one only."""
    cutting = terms.cutting
    asked = [(message, name) for message in messages for name in _dialects_of(message, dialects)]
    for order, (message, name) in enumerate(asked):
        each = cutting.of(message) == "every-cut"
        for places in _ranges(len(message.text)) if each else [None]:
            yield Part(order, message, name, _weight(message, cutting, places), terms, places)


def _dialects_of(message: Message, dialects: Sequence[str]) -> Sequence[str]:
    own: object = message.members.get("dialect")
    return [own] if isinstance(own, str) else dialects


def _done(part: Part, terms: Terms, tick: Tick | None) -> Comparison:
    message = part.message
    try:
        readings = _readings(part, terms)
        cut = terms.cutting.words(message)
        found = Comparison(message.source, message.number, readings[0].dialect, message.text, cut)
        found.times = message.times if terms.cutting.of(message) == "recorded" else ()
        if part.places is None:
            pieces = terms.cutting.pieces(message)
            compare_whole(
                found, pair_of(*readings), pieces, storied=terms.storied, tick=_fed(part, tick)
            )
        else:
            _every_cut(found, readings, part, terms)
    except (ValueError, GrammarError) as error:
        raise ValueError(f"{message.place}: {error}") from error
    except Exception as error:
        error.add_note(f"tagline compare: while {message.place} was read as {part.dialect}")
        raise
    return found


def _fed(part: Part, tick: Tick | None) -> Tick | None:
    """Make what hears the characters fed, and tells the part's weight: work grows by its square."""
    if tick is None:
        return None
    length = max(len(part.message.text), 1)
    return lambda fed: tick(int(part.weight * (fed / length) ** 2))


def _readings(part: Part, terms: Terms) -> tuple[Reading, ...]:
    """Give how to read the message, in its own dialect and in the one it is held against."""
    names = (part.dialect, terms.against) if terms.against else (part.dialect,)
    return tuple(_reading(part.message.members, name, terms) for name in names)


def _reading(members: Members, dialect: str, terms: Terms) -> Reading:
    reading = reading_of({**terms.options, **members, "dialect": dialect}, None)
    if "tools" in members or not terms.tools:
        return reading
    return replace(reading, tools=_told(terms.tools))


@cache
def _told(tools: str) -> tuple[ToolSpec, ...]:
    """Read the tools of the command line once: a grammar is made for them as they are."""
    return tools_of(json.loads(tools))


def _every_cut(found: Comparison, readings: Sequence[Reading], part: Part, terms: Terms) -> None:
    """Read the message once for each place where it is cut in two."""
    places = part.places or range(0)
    for place, pieces in zip(places, in_two(found.text, places), strict=True):
        compare(found, pair_of(readings[0]), pieces, cut=place)
    cut = found.difference.cut if found.difference else None
    if cut is None and places.start > 1:
        return
    shown = Comparison(found.source, found.number, found.dialect, found.text, found.cut)
    fixed = replace(terms.cutting, manner="fixed").pieces(part.message)
    pieces = fixed if cut is None else (found.text[:cut], found.text[cut:])
    compare_whole(shown, pair_of(*readings), pieces, storied=terms.storied)
    found.blocks, found.against, found.story = shown.blocks, shown.against, shown.story


def _weight(message: Message, cutting: Cutting, places: range | None) -> int:
    length = len(message.text) + 64
    if places is not None:
        return length * (len(places) + 1)
    chunks = len(message.chunks or ()) if cutting.of(message) == "recorded" else 0
    return length * max(chunks or length // (cutting.size or CHUNK), 2) // 2


def _ranges(length: int) -> Iterator[range]:
    """Part the places at which a text is cut in two, the first part being always there."""
    each = max(_PART // max(length, 1), 1)
    yield range(1, max(min(length, 1 + each), 1))
    for first in range(1 + each, length, each):
        yield range(first, min(first + each, length))

"""Grows messages from a dialect's table: the same seed gives the same message.

A message is a walk through the table's modes, or calls as the dialect spells them, or a soup of
its marks; then it may be spoiled and cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from parsing.blocks import Finish
from parsing.fuzz.message import TOOL_SETS, Message
from parsing.fuzz.words import (
    arguments,
    json_text,
    key_of,
    name_of,
    prose,
    space,
    spelled,
    value,
)
from parsing.grammar import Grammar
from parsing.incremental import Incremental
from parsing.marks import Mark, parts_of
from parsing.options import PROFILES, Options
from parsing.registry import compiled, dialect
from parsing.shape import written
from parsing.spec import ToolSpec
from parsing.table import Dialect, Edge, GrammarError, Mode, Slot
from parsing.values import Form, Kind

LONGEST = 600
ALIKE = 16  # messages of neighbouring seeds that share their tools and options


def message(name: str, seed: int) -> Message:
    """Grow a message of a dialect."""
    found = dialect(name)
    terms = Random(f"{name} {seed // ALIKE} terms")
    tools = TOOL_SETS[0] if terms.random() < 0.7 else terms.choice(TOOL_SETS)
    options = _options(terms)
    random = Random(f"{name} {seed}")
    text = _Growing(found, tools, options, random).text()
    return Message(
        name, text, _cuts(text, random), tools, options, random.choice((*Finish, Finish.STOP))
    )


def _options(random: Random) -> Options:
    def rarely() -> bool:
        return random.random() < 0.06

    return Options(
        profile=random.choice(PROFILES),
        starts_in_reasoning=random.choice((None, None, True, False)),
        reasoning=not rarely(),
        reasoning_as_text=rarely(),
        calls=not rarely(),
    )


def _cuts(text: str, random: Random) -> tuple[int, ...]:
    length = len(text)
    way = random.random()
    if way < 0.5 and length <= LONGEST:
        return tuple(range(1, length))
    longest = random.choice((2, 4, 16, 64))
    places: list[int] = []
    at = 0
    while (at := at + random.randint(1, longest)) < length:
        places.append(at)
    return tuple(places)


class _Growing:
    """One message as it grows."""

    def __init__(
        self, protocol: Dialect, tools: tuple[ToolSpec, ...], options: Options, random: Random
    ) -> None:
        self._dialect = protocol
        self._tools = tools
        self._random = random
        self._grammar = _grammar(protocol, tools, options)
        modes = self._grammar.table.modes.values()
        self._marks = list(dict.fromkeys(mark for mode in modes for mark in mode.edges))
        self._own = [self._plain(mark) for mark in self._marks]

    def text(self) -> str:
        way = self._random.random()
        if way < 0.45:
            text = self._sentence()
        elif way < 0.8:
            text = self._calls()
        else:
            text = self._soup()
        if self._random.random() < 0.5:
            text = self._spoiled(text)
        if self._random.random() < 0.25:
            text = text[: self._random.randrange(len(text) + 1)]
        return text

    def _plain(self, mark: Mark) -> str:
        return "".join(part for part in parts_of(mark) if isinstance(part, str))

    def _spelled(self, mark: Mark) -> str:
        return spelled(mark, self._tools, self._random)

    def _prose(self) -> str:
        return prose(self._random, self._own)

    def _soup(self) -> str:
        parts: list[str] = []
        for _ in range(self._random.randrange(1, 24)):
            parts.append(self._prose() if self._random.random() < 0.4 else "")
            if self._marks:
                parts.append(self._spelled(self._random.choice(self._marks)))
        return "".join(parts)

    def _sentence(self) -> str:
        """Walk from mark to mark, as a reading would."""
        walker = Incremental(self._grammar)
        for _ in range(self._random.choice((4, 12, 40))):
            if self._random.random() < 0.7:
                walker.feed(self._filling(walker.build.mode.mode))
            if self._marks:
                walker.feed(self._step(walker.build.mode.mode))
            if walker.source.length > LONGEST:
                break
        return walker.text

    def _step(self, mode: Mode) -> str:
        """Write a mark of the mode, mostly one that leads on, with what must follow it."""
        random = self._random
        if not mode.edges or random.random() < 0.05:
            return self._spelled(random.choice(self._marks))
        edges = list(mode.edges.items())
        modes = self._grammar.table.modes
        inwards = [(mark, edge) for mark, edge in edges if _leads_in(edge, modes)]
        if inwards and mode.slot in (Slot.TEXT, Slot.REASONING) and random.random() < 0.7:
            edges = inwards
        mark, edge = random.choice(edges)
        parts = [random.choice(("", "\n")) if edge.line_start else "", self._spelled(mark)]
        if edge.follow is not None and edge.follow.marks and random.random() < 0.8:
            parts += [space(random), self._spelled(random.choice(edge.follow.marks))]
        return "".join(parts)

    def _filling(self, mode: Mode) -> str:
        random = self._random
        match mode.slot:
            case Slot.NAME:
                return space(random) + name_of(self._tools, random)
            case Slot.KEY:
                return space(random) + key_of(self._tools, random)
            case Slot.GAP | Slot.FRAME:
                return space(random) if random.random() < 0.9 else self._prose()
            case Slot.ARGS:
                return json_text(self._tools, random, self._own)
            case Slot.VALUE if mode.form is not Form.TEXT:
                how = self._dialect.shape.written
                return written(value(random, self._own, random.choice(list(Kind))), how)
            case _:
                return self._prose()

    def _calls(self) -> str:
        """Write calls as the dialect spells them, with text before, between and after."""
        parts = [self._prose()]
        for _ in range(self._random.choice((1, 1, 1, 2, 3))):
            parts += [self._told(self._random.choice((1, 2))), self._prose()]
            if self._random.random() < 0.3 and self._marks:
                parts.append(self._spelled(self._random.choice(self._marks)))
        return "".join(parts)

    def _told(self, count: int) -> str:
        if not self._tools:
            return ""
        tools = [self._random.choice(self._tools) for _ in range(count)]
        calls = [(tool.name, arguments(tool, self._random, self._own)) for tool in tools]
        return self._dialect.shape.spell_all(calls)

    def _spoiled(self, text: str) -> str:
        """Drop, double, swap or put in a piece, some times."""
        random = self._random
        for _ in range(random.choice((1, 1, 2, 4))):
            start = random.randrange(len(text) + 1)
            end = min(len(text), start + random.choice((1, 1, 2, 5, 20)))
            piece = text[start:end]
            match random.randrange(5):
                case 0:
                    text = text[:start] + text[end:]
                case 1:
                    text = text[:end] + piece + text[end:]
                case 2:
                    text = text[:start] + self._prose() + text[start:]
                case 3:
                    further = random.randrange(end, len(text) + 1)
                    text = text[:start] + text[end:further] + piece + text[further:]
                case _:
                    mark = self._spelled(random.choice(self._marks)) if self._marks else ""
                    text = text[:start] + mark + text[start:]
        return text


def _leads_in(edge: Edge, modes: Mapping[str, Mode]) -> bool:
    to = modes.get(edge.to)
    return to is not None and to.slot not in (Slot.TEXT, Slot.REASONING)


def _grammar(protocol: Dialect, tools: tuple[ToolSpec, ...], options: Options) -> Grammar:
    """Compile the dialect; one that no table can say is grown from that of its like."""
    source = protocol if protocol.readers is None else dialect("cline")
    try:
        return compiled(source, tools, options)
    except GrammarError:
        return compiled(source, (), options)

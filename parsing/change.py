"""What a chunk changed in a parser that builds from a table."""

from __future__ import annotations

from collections.abc import Callable

from parsing.deltas import Parsed, Teller
from parsing.reader import Delta


class Growth:
    """The change of a parser whose blocks only grow."""

    __slots__ = ("_parser", "deltas")

    def __init__(self, parser: Parsed) -> None:
        self._parser = parser
        self.deltas: Callable[[], list[Delta]] = Teller(parser).tell

    @property
    def first(self) -> int:
        return self._parser.build.blocks_before(self._parser.since)

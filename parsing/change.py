"""What a chunk changed in a parser that builds from a table."""

from __future__ import annotations

from typing import Protocol

from parsing.buffer import Source
from parsing.builder import Builder
from parsing.deltas import Teller
from parsing.reader import Delta


class Parsed(Protocol):
    """What a change looks at in its parser."""

    since: int  # the first span that the last chunk may have changed

    @property
    def build(self) -> Builder: ...
    @property
    def visible(self) -> int: ...
    @property
    def source(self) -> Source: ...


class Growth:
    """The change of a parser whose blocks only grow."""

    __slots__ = ("_parser", "_teller")

    def __init__(self, parser: Parsed) -> None:
        self._parser = parser
        self._teller = Teller()

    @property
    def first(self) -> int:
        return self._parser.build.blocks_before(self._parser.since)

    def deltas(self) -> list[Delta]:
        parser = self._parser
        return self._teller.tell(parser.build, parser.source, parser.visible)

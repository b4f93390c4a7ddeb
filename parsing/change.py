"""What a chunk changed in a parser that builds from a table."""

from __future__ import annotations

from parsing.deltas import Teller


class Growth(Teller):
    """The change of a parser whose blocks only grow."""

    @property
    def first(self) -> int:
        return self._parser.made.blocks_before(self._parser.since)

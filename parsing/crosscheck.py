"""Both modes at once: the incremental reading is compared with a reparse after every chunk."""

from __future__ import annotations

from itertools import zip_longest

from parsing.blocks import Block, Finish
from parsing.reader import Change, Reader


class Divergence(AssertionError):
    """The two modes read the same text differently: a fault of ours, or of a dialect's table.

    `chunk` counts the chunks fed (the close counts as one), `text` is the message so far.
    """

    def __init__(
        self,
        chunk: int,
        text: str,
        reparse: tuple[Block, ...],
        incremental: tuple[Block, ...],
        finish: Finish | None,
    ) -> None:
        self.chunk = chunk
        self.text = text
        self.reparse = reparse
        self.incremental = incremental
        self.finish = finish
        pairs = zip_longest(reparse, incremental)
        self.index = next((n for n, (one, two) in enumerate(pairs) if one != two), 0)
        super().__init__(self.report)

    @property
    def report(self) -> str:
        """The first difference with its place, both readings and the message so far."""
        when = "at the close" if self.finish else f"after chunk {self.chunk}"
        line = self.text.rpartition("\n")[2][-72:]
        return (
            f"the two modes differ {when} ({len(self.text)} characters), at block {self.index}:\n"
            f"  reparse:     {_told(self.reparse, self.index)}\n"
            f"  incremental: {_told(self.incremental, self.index)}\n"
            f"  text so far: {line}\n"
            f"               {' ' * len(line)}^\n"
        )


def _told(blocks: tuple[Block, ...], index: int) -> str:
    return repr(blocks[index]) if index < len(blocks) else "no such block"


class Both:
    """Feeds a reparse and an incremental reading; its blocks are the reparse's.

    After a `Divergence` the reading may go on: the chunk was taken by both modes.
    """

    def __init__(self, reparse: Reader, incremental: Reader) -> None:
        self._reparse = reparse
        self._incremental = incremental
        self.compared = 0  # chunks compared so far, the close included

    def feed(self, chunk: str) -> Change:
        """Read on; raises Divergence when the modes differ."""
        change = self._reparse.feed(chunk)
        self._incremental.feed(chunk)
        self._compare(None)
        return change

    def close(self, finish: Finish) -> Change:
        """End the message; raises Divergence when the modes differ."""
        change = self._reparse.close(finish)
        self._incremental.close(finish)
        self._compare(finish)
        return change

    @property
    def reparse(self) -> Reader:
        return self._reparse

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self._reparse.blocks

    @property
    def text(self) -> str:
        return self._reparse.text

    def _compare(self, finish: Finish | None) -> None:
        self.compared += 1
        one, two = self._reparse.blocks, self._incremental.blocks
        if one != two:
            raise Divergence(self.compared, self.text, one, two, finish)

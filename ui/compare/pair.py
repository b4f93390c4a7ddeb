"""Readers of both modes, and perhaps of another dialect, fed the same chunks step by step.

Law: the clock runs while a chunk is fed and what it added is told, and never while blocks are
gathered to be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from parsing import Block, Finish, Reader
from ui.doors.reading import Reading, finish_of

Blocks = tuple[Block, ...]


class Timed:
    """A reader, and the seconds that its last chunk took."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.seconds = 0.0

    def feed(self, piece: str) -> None:
        began = perf_counter()
        self._reader.feed(piece).deltas()
        self.seconds = perf_counter() - began

    def close(self, finish: Finish) -> None:
        began = perf_counter()
        self._reader.close(finish).deltas()
        self.seconds = perf_counter() - began

    @property
    def blocks(self) -> Blocks:
        return self._reader.blocks

    @property
    def visible(self) -> int | None:
        """How far the text may be shown; None for a dialect that holds nothing back."""
        found: object = getattr(self._reader, "visible", None)
        return found if isinstance(found, int) else None


@dataclass(frozen=True, slots=True)
class Step:
    """What stands after a chunk, or after the close, in both modes."""

    fed: int
    closed: bool
    reparse: Blocks
    incremental: Blocks


class Pair:
    """A message being read in both modes, and perhaps in another dialect."""

    def __init__(
        self,
        reparse: Reader,
        incremental: Reader,
        finish: Finish | None,
        other: Reader | None = None,
    ) -> None:
        self.reparse, self.incremental = Timed(reparse), Timed(incremental)
        self.other = Timed(other) if other is not None else None
        self._finish = finish

    @property
    def readers(self) -> tuple[Timed, ...]:
        return (self.reparse, self.incremental, *([self.other] if self.other else []))

    def steps(self, pieces: Sequence[str]) -> Iterator[Step]:
        """Feed the pieces one by one, then close; give what stands after each."""
        fed = 0
        for piece in pieces:
            for one in self.readers:
                one.feed(piece)
            fed += len(piece)
            yield Step(fed, False, self.reparse.blocks, self.incremental.blocks)
        if self._finish is not None:
            for one in self.readers:
                one.close(self._finish)
            yield Step(fed, True, self.reparse.blocks, self.incremental.blocks)


def pair_of(reading: Reading, other: Reading | None = None) -> Pair:
    """Make the readers that a reading asks for."""
    return Pair(
        reading.open("reparse"),
        reading.open("incremental"),
        finish_of(reading.ending),
        other.open("incremental") if other is not None else None,
    )

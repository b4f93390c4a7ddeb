"""Both modes fed the same chunks side by side: do they agree, and what does each cost?

Law: the blocks are compared after every chunk and after the close, not only at the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from parsing import Block, Finish, reader
from ui.doors.reading import Reading, finish_of, pieces_of
from ui.options import Mode

Blocks = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where the modes differ: after `fed` characters, in block `index`."""

    chunk: int
    fed: int
    closed: bool
    index: int
    reparse: Block | None
    incremental: Block | None

    def as_json(self) -> dict[str, Any]:
        """Give the place and both readings of the block."""
        return {
            "chunk": self.chunk,
            "offset": self.fed,
            "at_close": self.closed,
            "block": self.index,
            "reparse": self.reparse.as_json() if self.reparse else None,
            "incremental": self.incremental.as_json() if self.incremental else None,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of feeding a message to both modes."""

    text: str
    chunk: int
    chunks: int
    reparse_s: float
    incremental_s: float
    blocks: Blocks
    difference: Difference | None

    def as_json(self) -> dict[str, Any]:
        """Give all there is to know, for programs."""
        return {
            "agree": self.difference is None,
            "characters": len(self.text),
            "chunk": self.chunk,
            "chunks": self.chunks,
            "reparse_s": round(self.reparse_s, 6),
            "incremental_s": round(self.incremental_s, 6),
            "blocks": [block.as_json() for block in self.blocks],
            "divergence": self.difference.as_json() if self.difference else None,
        }


class _Timed:
    """A reader of one mode, and the seconds it took."""

    def __init__(self, reading: Reading, mode: Mode) -> None:
        self._reader = reader(reading.dialect, reading.specs(), mode)
        self.seconds = 0.0

    def feed(self, piece: str) -> Blocks:
        began = perf_counter()
        self._reader.feed(piece)
        blocks = self._reader.blocks
        self.seconds += perf_counter() - began
        return blocks

    def close(self, finish: Finish) -> Blocks:
        began = perf_counter()
        self._reader.close(finish)
        blocks = self._reader.blocks
        self.seconds += perf_counter() - began
        return blocks


def compare(reading: Reading, text: str, chunk: int) -> Comparison:
    """Feed both modes chunk by chunk, until the end or the first difference."""
    slow, fast = _Timed(reading, "reparse"), _Timed(reading, "incremental")
    old: Blocks = ()
    new: Blocks = ()
    fed = count = 0
    for piece in pieces_of(text, chunk):
        old, new = slow.feed(piece), fast.feed(piece)
        fed, count = fed + len(piece), count + 1
        if old != new:
            break
    finish = finish_of(reading.ending)
    closed = old == new and finish is not None
    if closed and finish is not None:
        old, new = slow.close(finish), fast.close(finish)
    difference = _first(old, new, (count, fed), closed=closed) if old != new else None
    return Comparison(text, chunk, count, slow.seconds, fast.seconds, old, difference)


def _first(old: Blocks, new: Blocks, place: tuple[int, int], *, closed: bool) -> Difference:
    shared = min(len(old), len(new))
    index = next((at for at in range(shared) if old[at] != new[at]), shared)
    return Difference(
        *place,
        closed,
        index,
        old[index] if index < len(old) else None,
        new[index] if index < len(new) else None,
    )

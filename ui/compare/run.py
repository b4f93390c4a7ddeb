"""Runs the parts of a comparison on all cores, and gathers what came of them.

Law: when it is interrupted, what was done is kept, and no process is left behind.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Protocol

from ui.compare.comparing import Tick
from ui.compare.comparison import Comparison
from ui.compare.progress import Bar
from ui.exits import Signalled

Ended = KeyboardInterrupt | Signalled
_BATCH = 100_000  # of weight, well below a second of work


class Part(Protocol):
    """A part of the work: a value that a process of its own can do."""

    @property
    def order(self) -> int:
        """The place of its message among all."""
        ...

    @property
    def weight(self) -> int:
        """How much work it is, against others."""
        ...

    @property
    def places(self) -> range | None:
        """Which cuts of its message it is, if it is not all."""
        ...

    def done(self, tick: Tick | None = None) -> Comparison:
        """Do it; `tick` is told now and then what weight is done."""
        ...


Batch = tuple[Part, ...]


@dataclass(slots=True)
class Results:
    """What came of the messages that were compared to the end, in their order.

    `ended` is what interrupted the work.
    """

    asked: int
    comparisons: list[Comparison] = field(default_factory=list[Comparison])
    ended: Ended | None = None


def run(parts: Sequence[Part], jobs: int) -> Results:
    """Do all parts; raises ValueError, in words, for a message that cannot be read as asked."""
    gathered = _Gathered(parts)
    results = Results(gathered.asked)
    bar = Bar(sum(part.weight for part in parts), gathered.asked)
    try:
        for part, found in _each(parts, jobs, bar):
            bar.ended(part.weight, gathered.take(part, found))
    except (KeyboardInterrupt, Signalled) as ended:
        results.ended = ended
    finally:
        bar.clear()
    results.comparisons = gathered.whole()
    return results


class _Gathered:
    """The parts that were done, message by message."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._awaited: dict[int, int] = {}
        self._found: dict[int, list[tuple[int, Comparison]]] = {}
        for part in parts:
            self._awaited[part.order] = self._awaited.get(part.order, 0) + 1
        self.asked = len(self._awaited)

    def take(self, part: Part, found: Comparison) -> int:
        """Take what came of a part; give how many messages it brought to their end."""
        start = part.places.start if part.places is not None else 0
        self._found.setdefault(part.order, []).append((start, found))
        self._awaited[part.order] -= 1
        return int(not self._awaited[part.order])

    def whole(self) -> list[Comparison]:
        """Give the messages that are done."""
        return [
            _joined([found for _, found in sorted(self._found[order], key=lambda one: one[0])])
            for order in sorted(self._found)
            if not self._awaited[order]
        ]


def _joined(parts: list[Comparison]) -> Comparison:
    first, *rest = parts
    for part in rest:
        first.add(part)
    return first


def _each(parts: Sequence[Part], jobs: int, bar: Bar) -> Iterator[tuple[Part, Comparison]]:
    batches = _batches(parts)
    if min(jobs, len(batches)) > 1:
        yield from _in_processes(batches, min(jobs, len(batches)))
    else:
        yield from ((part, part.done(bar.within)) for part in parts)


def _in_processes(batches: Sequence[Batch], jobs: int) -> Iterator[tuple[Part, Comparison]]:
    executor = ProcessPoolExecutor(jobs, initializer=_begin)
    ended = False
    try:
        futures: dict[Future[list[Comparison]], Batch] = {
            executor.submit(_done, batch): batch for batch in batches
        }
        for future in as_completed(futures):
            yield from zip(futures.pop(future), future.result(), strict=True)
        ended = True
    finally:
        executor.shutdown(wait=ended, cancel_futures=True)
        if not ended:
            for process in multiprocessing.active_children():
                process.terminate()


def _done(batch: Batch) -> list[Comparison]:
    return [part.done() for part in batch]


def _begin() -> None:
    """Leave signals to the process that started this one, and end when that one does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _batches(parts: Sequence[Part]) -> list[Batch]:
    """Put small parts together, so that handing them over costs little."""
    batches: list[Batch] = []
    batch: list[Part] = []
    weight = 0
    for part in parts:
        batch.append(part)
        weight += part.weight
        if weight >= _BATCH:
            batches.append(tuple(batch))
            batch, weight = [], 0
    return [*batches, tuple(batch)] if batch else batches

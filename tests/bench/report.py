"""Ratios against a floor measured in the same run, shown as one table.

A measurement is made in three runs and is missed only when all three miss the limit: machines are
noisy, regressions are not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from pytest_benchmark.fixture import BenchmarkFixture

RUNS = 3


@dataclass(frozen=True, slots=True)
class Row:
    """One thing measured; `measured` and `floor` in the same unit, `limit` for their ratio."""

    what: str
    measured: float
    floor: float
    limit: float
    unit: str = "ms"

    @property
    def ratio(self) -> float:
        return self.measured / self.floor

    @property
    def ok(self) -> bool:
        return self.ratio <= self.limit

    def cells(self) -> tuple[str, ...]:
        scaled = (f"{value:.3g} {self.unit}".rstrip() for value in (self.measured, self.floor))
        return (
            self.what,
            *scaled,
            f"{self.ratio:.2f}",
            f"{self.limit:g}",
            "ok" if self.ok else "MISSED",
        )


def table(rows: Iterable[Row]) -> list[str]:
    """Return the rows as lines, columns aligned."""
    heads = ("what", "measured", "floor", "ratio", "limit", "")
    return aligned([heads, *(row.cells() for row in rows)], left={0, 5})


def aligned(lines: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> list[str]:
    """Return lines of cells, columns aligned: those of `left` at their beginnings."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if column in left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


class Report:
    """The rows of one session of tests."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.shown: list[Sequence[str]] = []  # what has no limit

    def add(self, tries: Sequence[Row]) -> Row:
        """Keep the best of these rows of one thing, and fail when it missed."""
        best = min(tries, key=lambda row: row.ratio / row.limit)
        self.rows.append(best)
        assert best.ok, "\n".join(table(tries))
        return best


class Ratio:
    """Measures one callable against its floor, interleaved, and reports the row."""

    def __init__(self, benchmark: BenchmarkFixture, report: Report) -> None:
        self._benchmark = benchmark
        self._report = report

    def __call__(
        self,
        what: str,
        measured: Callable[[], object],
        *,
        floor: Callable[[], object],
        limit: float,
        rounds: int = 3,
        timer: Callable[[], float] = time.perf_counter,
        after: Callable[[], object] | None = None,
    ) -> Row:
        """Measure, best of `rounds` in each of three runs, and fail when all three miss `limit`.

        The floor runs before each round; `after` cleans up behind one, unmeasured.  A test that
        gives a timer is marked with the same one, for the plugin.
        """
        floors: list[float] = []

        def setup() -> None:
            start = timer()
            floor()
            floors.append(timer() - start)

        self._benchmark.pedantic(  # type: ignore[no-untyped-call]  # the plugin leaves it untyped
            measured, setup=setup, teardown=after, rounds=RUNS * rounds, warmup_rounds=1
        )
        assert self._benchmark.stats is not None
        times: list[float] = list(self._benchmark.stats.stats.data)
        return self._report.add(runs(what, times, floors[-len(times) :], limit))


def runs(what: str, times: Sequence[float], floors: Sequence[float], limit: float) -> list[Row]:
    """Part the rounds (seconds) into runs and return each run's best against its best floor."""
    size = len(times) // RUNS
    parts = [slice(first, first + size) for first in range(0, RUNS * size, size)]
    return [Row(what, min(times[part]) * 1e3, min(floors[part]) * 1e3, limit) for part in parts]

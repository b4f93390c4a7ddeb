"""The cost of a message grows with its length alone, in every dialect."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

import pytest

from tests.bench.messages_dialects import NAMES, Spoken
from tests.bench.messages_steep import BY_DIALECT, EVERYWHERE, many
from tests.bench.reading import FAMILIES, FULL, KB, fed, grown, told, until_ok, whole
from tests.bench.report import Report, Row

pytestmark = [
    pytest.mark.bench,
    pytest.mark.benchmark(timer=time.thread_time),
    pytest.mark.timeout(1200 if FULL else 120),
]

SIZES = [64 * KB, 128 * KB, 256 * KB] if FULL else [16 * KB, 64 * KB]
LONG = [64 * KB, 128 * KB, 256 * KB] if FULL else [32 * KB, 128 * KB]
READS = {"fed": fed, "told": told, "whole": whole} if FULL else {"told": told, "whole": whole}
LOOKED_AT = NAMES if FULL else FAMILIES
ROUNDS = 3 if FULL else 1


def worst(
    report: Report, name: str, shapes: Mapping[str, Callable[[int], str]], sizes: list[int]
) -> None:
    """Report, for each way to read, the input whose cost grows most; all are held to the limit."""
    grammar = Spoken(name).grammar
    for how, read in READS.items():
        rows: list[list[Row]] = []
        for title, shape in shapes.items():
            row = f"{name}, {how}: {title}"
            reading = partial(read, grammar)
            rows.append(until_ok(partial(grown, row, shape, reading, sizes, ROUNDS)))
        report.add(max(rows, key=lambda tries: min(row.ratio for row in tries)))


@pytest.mark.parametrize("name", LOOKED_AT)
def test_long_value_costs_what_its_length_says(report: Report, name: str) -> None:
    spoken = Spoken(name)
    shapes = {"a long value": lambda size: spoken.long_value(size).text}
    worst(report, name, shapes, LONG)


@pytest.mark.parametrize("name", LOOKED_AT)
def test_cost_grows_with_the_text_alone_in_every_dialect(report: Report, name: str) -> None:
    shapes = {title: partial(steep, Spoken(name)) for title, steep in EVERYWHERE.items()}
    worst(report, name, shapes, SIZES)


def after(head: str, unit: str, size: int) -> str:
    return head + many(unit, size)


@pytest.mark.parametrize("name", BY_DIALECT)
def test_cost_grows_with_the_text_alone_where_other_readers_are_dear(
    report: Report, name: str
) -> None:
    shapes = {
        f"{head[-24:]!r} and {unit!r}, many": partial(after, head, unit)
        for head, unit in BY_DIALECT[name].items()
    }
    worst(report, name, shapes, SIZES)

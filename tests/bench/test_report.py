from __future__ import annotations

import pytest

from tests.bench.report import Report, Row, runs, table


def test_table_lines_up_what_was_measured() -> None:
    rows = [Row("start", 30.0, 10.0, 4.0), Row("a longer name", 1.25, 1.0, 1.2, unit="")]

    assert table(rows) == [
        "what           measured  floor  ratio  limit",
        "start             30 ms  10 ms   3.00      4  ok",
        "a longer name      1.25      1   1.25    1.2  MISSED",
    ]


def test_runs_compare_the_best_of_each_part_with_its_own_floor() -> None:
    found = runs("x", [4, 2, 9, 9, 3, 8], [1, 2, 3, 9, 1, 2], 2.5)

    assert [(row.measured, row.floor, row.ok) for row in found] == [
        (2000, 1000, True),
        (9000, 3000, False),
        (3000, 1000, False),
    ]


@pytest.mark.parametrize(("ratios", "missed"), [((5, 5, 3), False), ((5, 5, 4), True)])
def test_report_misses_only_when_every_run_missed(ratios: tuple[int, ...], missed: bool) -> None:
    report = Report()
    tries = [Row("x", each, 1, 3) for each in ratios]

    if missed:
        with pytest.raises(AssertionError, match="MISSED"):
            report.add(tries)
    else:
        assert report.add(tries).ratio == 3

    assert [row.ratio for row in report.rows] == [min(ratios)]

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from tests.bench.report import Ratio, Report, aligned, table

REPORT = pytest.StashKey[Report]()


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Report:
    return request.config.stash.setdefault(REPORT, Report())


@pytest.fixture
def ratio(benchmark: BenchmarkFixture, report: Report) -> Ratio:
    return Ratio(benchmark, report)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    report = terminalreporter.config.stash.get(REPORT, None)
    if report is not None:
        terminalreporter.section("ratios, best of three runs")
        for line in table(report.rows):
            terminalreporter.write_line(line)
        if report.shown:
            terminalreporter.section("feed, and feed and tell, by the bare loop; chunks of")
        for line in aligned(report.shown):
            terminalreporter.write_line(line)

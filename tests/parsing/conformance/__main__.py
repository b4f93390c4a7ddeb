"""Prints how the readers stand against `canitoolcall`, by family and chunking.

python -m tests.parsing.conformance [--only PREFIX] [--mode both] [--soft] [--brief]
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict

from canitoolcall.results import Status

from parsing import MODES
from tests.parsing.conformance.replay import STRATEGIES, Verdict, fixtures, judged, model_of

COLUMNS = ("nonstream", *(strategy.id for strategy in STRATEGIES))


def main() -> None:
    options = argparse.ArgumentParser(
        prog="python -m tests.parsing.conformance", description=__doc__
    )
    options.add_argument("--only", default="", help="ids, or dialects, that begin so")
    options.add_argument("--mode", default="both", choices=MODES)
    options.add_argument("--soft", action="store_true", help="list what differs in white space too")
    options.add_argument("--brief", action="store_true", help="no failures in detail")
    asked = options.parse_args()

    verdicts = {
        fixture.id: judged(fixture, asked.mode)
        for fixture in fixtures()
        if asked.only in {"", model_of(fixture).dialect} or fixture.id.startswith(asked.only)
    }
    _table(verdicts)
    for name, verdict in verdicts.items():
        if verdict.status is Status.FAIL and not asked.brief:
            print(f"\nFAIL {name}")
            print(*(f"  {line}" for line in verdict.failures[:4]), sep="\n")
        elif verdict.status is Status.SOFT_PASS and asked.soft:
            soft = [row for row in verdict.rows if row.status is Status.SOFT_PASS]
            print(f"\nsoft {name}\n  {soft[0].check} {soft[0].strategy}: {soft[0].detail}")


def _table(verdicts: dict[str, Verdict]) -> None:
    """Print passed/soft/failed of each family, and of each way to cut."""
    counts = defaultdict[str, dict[str, Counter[Status]]](lambda: defaultdict(Counter))
    for name, verdict in verdicts.items():
        for family in (name.partition("/")[0], "all"):
            counts[family]["all"][verdict.status] += 1
            for column in COLUMNS:
                counts[family][column][verdict.of(column)] += 1
    columns = ("all", *COLUMNS)
    print(f"{'pass/soft/fail':14}", *(f"{column:>11}" for column in columns))
    for family in sorted(counts, key=lambda name: (name == "all", name)):
        cells = (_cell(counts[family][column]) for column in columns)
        print(f"{family:14}", *(f"{cell:>11}" for cell in cells))


def _cell(count: Counter[Status]) -> str:
    bad = count[Status.FAIL] + count[Status.ERROR]
    return f"{count[Status.PASS]}/{count[Status.SOFT_PASS]}/{bad}"


if __name__ == "__main__":
    main()

from __future__ import annotations

from pathlib import Path

from tests.tools.uses import run_in, use_of
from tools import OutcomeKind


def test_completion_tells_the_person_the_result(tmp_path: Path) -> None:
    outcome = run_in(tmp_path, use_of("attempt_completion", result="All green.", command="ls"))

    assert (outcome.kind, outcome.failed) == (OutcomeKind.COMPLETED, False)
    assert outcome.for_person == "All green.\n\nTo see it: ls"

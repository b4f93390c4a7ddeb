from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.tools.uses import execute, executor_in, run_in, use_of
from tools import OutcomeKind


class Person:
    def __init__(self) -> None:
        self.heard: list[tuple[str, list[str]]] = []

    async def answer(self, question: str, options: Sequence[str]) -> str:
        self.heard.append((question, list(options)))
        return "blue"


def test_question_is_answered(tmp_path: Path) -> None:
    person = Person()
    use = use_of("ask_followup_question", question="Which?", options=["red", "blue"])

    outcome = execute(executor_in(tmp_path, questions=person), use)[0]

    assert person.heard == [("Which?", ["red", "blue"])]
    assert (outcome.for_model, outcome.kind) == (
        "<answer>\nblue\n</answer>",
        OutcomeKind.ANSWERED,
    )


def test_question_with_nobody_there_says_what_to_do(tmp_path: Path) -> None:
    outcome = run_in(tmp_path, use_of("ask_followup_question", question="Which?"))

    assert outcome.failed
    assert "Nobody is there to answer" in outcome.for_model

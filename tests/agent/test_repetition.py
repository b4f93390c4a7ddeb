from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.repetition import Repetition
from parsing import ToolUse, Value

CORPUS = Path(__file__).parent / "corpus" / "faults.jsonl"
ROWS = {row["id"]: row for row in map(json.loads, CORPUS.read_text().splitlines())}


def run(command: str) -> ToolUse:
    return ToolUse("execute_command", (Value("command", command),))


def test_repetition_takes_a_changing_result_for_progress() -> None:
    repetition = Repetition()
    counts = [
        repetition.count(run(command), result)
        for command, _, result in (
            line.partition(" -> ") for line in ROWS["agent-polling-is-not-a-loop"]["input"]
        )
    ]

    assert counts == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("calls", "counts"),
    [
        ("AAAA", [1, 2, 3, 4]),
        ("ABABAB", [1, 1, 1, 2, 2, 3]),
        ("AABAAC", [1, 2, 1, 1, 2, 1]),
    ],
)
def test_repetition_counts_since_anything_new(calls: str, counts: list[int]) -> None:
    repetition = Repetition()

    assert [repetition.count(run(call), "same") for call in calls] == counts


def test_repetition_knows_a_cut_call_by_what_was_closed() -> None:
    repetition = Repetition()
    first = ToolUse(
        "write_to_file", (Value("path", "R.md"), Value("content", "# Pa", closed=False)), True
    )
    longer = ToolUse(
        "write_to_file", (Value("path", "R.md"), Value("content", "# Part 1", closed=False)), True
    )
    other = ToolUse("write_to_file", (Value("path", "B.md"),), True)

    assert [repetition.cut_again(use) for use in (first, other, longer)] == [False, False, True]


def test_repetition_knows_a_cut_call_whose_arguments_are_json() -> None:
    first, other, longer = (
        ToolUse("write_to_file", partial=True, raw=raw)
        for raw in (
            '{"path": "R.md", "content": "# Pa',
            '{"path": "B.md", "content": "# Pa',
            '{"path": "R.md", "content": "# Part 1',
        )
    )
    repetition = Repetition()

    assert [repetition.cut_again(use) for use in (first, other, longer)] == [False, False, True]

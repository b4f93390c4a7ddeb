from __future__ import annotations

import pytest

from agent.speech import Speech
from parsing import Finish, ReasoningBlock, ToolUse
from tools import default_tools

SPECS = default_tools().specs


@pytest.mark.parametrize("apart", [True, False])
def test_reading_of_an_answer_whose_reasoning_came_beside_the_text(apart: bool) -> None:
    speech = Speech("deepseek_r1", SPECS)
    reading = speech.reading("both", lambda report: pytest.fail(report))
    if apart:
        reading.reasons_apart()
    reading.feed(speech.dialect.shape.spell("read_file", {"path": "a.py"}))
    reading.feed("\nThat is all.")
    reading.reasons_apart()  # too late to say so
    reading.close(Finish.STOP)

    kind = type(reading.blocks[0])
    assert kind is (ToolUse if apart else ReasoningBlock)

"""The faults that people reported of terminals; what needs a terminal is in test_session_*.py."""

import json
from pathlib import Path
from typing import Any

from agent.events import CallOutput, CallStarted, TextGrew
from parsing import ToolUse
from parsing.blocks import Value
from ui.terminal.styles import ASCII, text_of
from ui.terminal.transcript import Transcript

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in map(
        json.loads, (Path(__file__).parent / "corpus" / "faults.jsonl").read_text().splitlines()
    )
}


def shown(text: str) -> str:
    """Show a text at every sink there is: prose, names, values and output."""
    call = ToolUse(text, (Value("path", text),))
    transcript = Transcript(ASCII, lambda: 0.0, lambda: 10_000)
    transcript.hear(TextGrew(0, text))
    transcript.hear(CallStarted("c", call))
    transcript.hear(CallOutput("c", text))
    live = text_of(transcript.live(100))
    return text_of(transcript.take()) + live


def test_escapes_in_untrusted_text_are_shown_and_do_not_act() -> None:
    case = CASES["ui-escape-sequences-neutralised"]
    seen = shown(case["input"])
    for code in filter(None, case["expected"]["written_to_terminal_excludes"]):
        assert code not in seen
    for word in case["expected"]["visible_contains"]:
        assert seen.count(word) >= 4
    assert "\x1b" not in seen


def test_square_brackets_are_no_markup() -> None:
    case = CASES["ui-markup-like-text"]
    assert shown(case["input"]).count(case["expected"]["visible"]) == 4


def test_a_long_answer_is_rendered_once() -> None:
    text = "A line of the answer, as long as lines in answers are. " * 20 + "\n"
    text *= 76_000 // len(text)
    transcript = Transcript(ASCII, lambda: 0.0, lambda: 80)
    printed: list[str] = []
    for at in range(0, len(text), 4):
        transcript.hear(TextGrew(0, text[at : at + 4]))
        printed.append(text_of(transcript.take()))
    printed_once = "".join(printed)
    assert len(printed_once) <= len(text) + printed_once.count("\n")
    assert len(text_of(transcript.live(1_000))) <= 4_000

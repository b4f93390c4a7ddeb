from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.sanitise import one_line, visible

CASES = tomllib.loads((Path(__file__).parent / "corpus" / "sanitise.toml").read_text())["case"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_visible_shows(case: dict[str, object]) -> None:
    text = str(case["text"])
    shown = visible(text)

    assert shown == case.get("shown", shown)
    holds = case.get("holds", [])
    assert isinstance(holds, list)
    assert all(part in shown for part in holds)
    assert not any(char < " " or "\x7f" <= char <= "\x9f" for char in shown if char not in "\n\t")


@given(st.text(st.characters()))
def test_visible_acts_on_no_terminal_and_can_be_encoded(text: str) -> None:
    shown = visible(text)

    shown.encode()
    assert all(char in "\n\t" or (char >= " " and not "\x7f" <= char <= "\x9f") for char in shown)
    assert visible(shown) == shown


def test_visible_spells_lone_surrogates() -> None:
    assert visible("a\ud800b") == "a\\ud800b"


def test_one_line_is_one_line_of_at_most_the_width() -> None:
    assert one_line("a\n  b\tc\x1b[2J", 40) == "a b c\\x1b[2J"
    assert one_line("x" * 50, 10) == "x" * 9 + "…"

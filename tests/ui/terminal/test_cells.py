import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.terminal.cells import clip, width, wrap

CASES = tomllib.loads((Path(__file__).parent / "corpus" / "cells.toml").read_text())["case"]


@pytest.mark.parametrize("case", CASES, ids=[case["text"] or "empty" for case in CASES])
def test_cells_are_counted_cut_and_wrapped(case: dict[str, Any]) -> None:
    text, room = case["text"], case["room"]
    assert width(text) == case["width"]
    assert clip(text, room) == case["clip"]
    assert wrap(text, room, case.get("hang", "")) == case["wrap"]


@given(st.text("ab 漢e\u0301", max_size=60), st.integers(2, 20))
def test_cells_fit_whatever_is_wrapped_or_clipped(text: str, room: int) -> None:
    assert width(clip(text, room)) <= room
    assert all(width(row) <= room for row in wrap(text, room))


@given(st.text("ab 漢", max_size=60), st.text("ab 漢", max_size=20), st.integers(2, 20))
def test_wrap_never_changes_a_row_that_is_not_the_last(text: str, more: str, room: int) -> None:
    rows = wrap(text, room)
    assert wrap(text + more, room)[: len(rows) - 1] == rows[:-1]

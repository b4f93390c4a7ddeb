import pytest
from prompt_toolkit.layout.screen import Char, Screen

from ui.terminal.reflow import reflows, rows_more


def screen(*rows: str) -> Screen:
    made = Screen()
    for y, row in enumerate(rows):
        for x, char in enumerate(row):
            made.data_buffer[y][x] = Char(char)
    return made


@pytest.mark.parametrize(
    ("columns", "more"), [(100, 0), (50, 1), (49, 2), (25, 4), (24, 5)], ids=str
)
def test_reflow_counts_the_rows_that_lines_take_in_addition(columns: int, more: int) -> None:
    drawn = screen("x" * 80, "", "y" * 50, "> " + "z" * 20)
    assert rows_more(drawn, 3, 10, columns) == more


def test_reflow_counts_the_cursors_own_line_up_to_the_cursor() -> None:
    assert rows_more(screen("> " + "z" * 70), 0, 45, 20) == 2


@pytest.mark.parametrize(
    ("environ", "claim"),
    [
        ({"TMUX": "/tmp/tmux-1/default,1,0", "TERM": "screen-256color"}, True),
        ({"VTE_VERSION": "7600", "TERM": "xterm-256color"}, True),
        ({"TERM_PROGRAM": "iTerm.app"}, True),
        ({"TERM": "xterm-256color", "XTERM_VERSION": "XTerm(390)"}, False),
        ({"TERM": "linux"}, False),
    ],
    ids=str,
)
def test_reflow_is_known_by_the_terminals_own_marks(environ: dict[str, str], claim: bool) -> None:
    assert reflows(environ) is claim

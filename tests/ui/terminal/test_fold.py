import pytest

from ui.terminal.fold import fold
from ui.terminal.styles import Line, plain, text_of


@pytest.mark.parametrize(
    ("line", "columns", "rows"),
    [
        (plain("short"), 40, ["short"]),
        (plain("one two three four"), 13, ["one two", "three four"]),
        (plain("  one two three four"), 18, ["  one two three", "  four"]),
        (plain("- one two three four"), 18, ["- one two three", "  four"]),
        ((("class:key", "  key"), ("", "  one two three four")), 25, None),
        (plain("aaaaaaaaaaaaaaa bb"), 12, ["aaaaaaaaaaa", "aaaa bb"]),
        (plain("漢字漢字漢字漢字"), 13, ["漢字漢字漢字", "漢字"]),
        (plain("x" * 40, "quoted"), 20, ["x" * 40]),
        (plain("x y " * 400), 10_000, ["x y " * 400]),
        (plain(""), 20, [""]),
    ],
)
def test_fold_breaks_at_blanks(line: Line, columns: int, rows: list[str] | None) -> None:
    rows = rows or ["  key  one two three", "       four"]
    assert text_of(fold([line], columns)).split("\n")[:-1] == rows


def test_fold_of_a_huge_line_is_linear() -> None:
    rows = fold([plain("漢字 " * 100_000)], 41)
    assert len(rows) == 100_000 / 8
    assert text_of(rows[:1]) == "漢字 漢字 漢字 漢字 漢字 漢字 漢字 漢字\n"


def test_fold_keeps_styles() -> None:
    line: Line = (("class:dim", "  ab "), ("class:strong", "cd ef gh ij kl mn"))
    assert fold([line], 20) == [
        (("class:dim", "  ab "), ("class:strong", "cd ef gh ij kl")),
        (("", "     "), ("class:strong", "mn")),
    ]

import pytest

from ui.terminal.prose import Prose
from ui.terminal.styles import text_of

TEXT = """# Plan

The function `add` in **calc.py** subtracts, and this line is long enough to be wrapped.

- one thing
1. another thing

```python
def add(a, b):  # a line of code is never wrapped, however long it gets to be in the end
    return a + b
```
The end, without a line feed"""


def read(text: str, step: int, columns: int = 60) -> str:
    prose = Prose()
    lines = [
        line
        for at in range(0, len(text), step)
        for line in prose.feed(text[at : at + step], columns)
    ]
    return text_of(lines + prose.close(columns))


@pytest.mark.parametrize("step", [1, 4, 7, 10_000])
def test_prose_reads_the_same_however_it_is_cut(step: int) -> None:
    assert read(TEXT, step) == read(TEXT, len(TEXT))


def test_prose_wraps_words_and_never_code() -> None:
    rows = read(TEXT, 4).split("\n")
    assert "The function `add` in **calc.py** subtracts, and this line" in rows
    assert "is long enough to be wrapped." in rows
    assert any(len(row) > 60 and row.startswith("def add") for row in rows)
    assert rows[-2] == "The end, without a line feed"


def test_prose_hands_a_line_out_once_and_shows_the_open_one() -> None:
    prose = Prose()
    assert text_of(prose.feed("one\ntw", 60)) == "one\n"
    assert text_of(prose.open_lines(60, 5)) == "tw\n"
    assert prose.feed("o", 60) == []
    assert text_of(prose.open_lines(60, 5)) == "two\n"
    assert text_of(prose.close(60)) == "two\n"
    assert prose.close(60) == []


def test_prose_keeps_the_open_end_small_when_no_line_ends() -> None:
    prose = Prose()
    out = [line for _ in range(20_000) for line in prose.feed("word", 80)]
    held = text_of(prose.open_lines(80, 10_000))
    assert len(held) < 5_000
    assert (text_of(out) + held).replace("\n", "") == "word" * 20_000


def test_prose_drops_blank_lines_in_front() -> None:
    assert read("\n\n\nfirst\n", 1) == "first\n"


@pytest.mark.parametrize("text", ["[red]x[/red] [/", "[/dim]", "a[0]", "**", "`", "****", "# "])
def test_prose_has_no_markup_that_fails(text: str) -> None:
    assert read(text, 1).strip() == text.strip()

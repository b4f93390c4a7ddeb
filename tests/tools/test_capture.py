from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.capture import Capture

NOTE = re.compile(r"\n?\.\.\. (\d+) bytes omitted \.\.\.\n")


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.text("ab漢\n", max_size=40), max_size=30), st.integers(1, 40), st.integers(1, 40)
)
def test_capture_keeps_head_and_tail_and_counts_the_rest(
    pieces: list[str], head: int, tail: int
) -> None:
    capture = Capture(head, tail)
    for piece in pieces:
        capture.feed(piece.encode())
    whole = "".join(pieces)

    text, omitted = capture.read()

    if not omitted:
        assert text == whole
        return
    note = NOTE.search(text)
    assert note is not None
    assert int(note[1]) == omitted
    before, after = text[: note.start()], text[note.end() :]
    assert whole.startswith(before)
    assert whole.endswith(after)
    kept = len(before.encode()) + len(after.encode())
    assert len(whole.encode()) - kept - 1 <= omitted <= len(whole.encode()) - kept
    assert kept <= head + tail


def test_capture_cuts_where_lines_end() -> None:
    capture = Capture(100, 100)
    for number in range(1000):
        capture.feed(b"line %d\n" % number)

    lines = capture.text.splitlines()

    assert lines[0] == "line 0"
    assert lines[-1] == "line 999"
    assert all(re.fullmatch(r"line \d+|\.\.\. \d+ bytes omitted \.\.\.", line) for line in lines)


def test_capture_takes_no_more_than_its_bounds_at_once() -> None:
    capture = Capture(10, 10)

    capture.feed(b"a" * 5_000_000 + b"b" * 10)

    assert capture.text == "aaaaaaaaaa\n... 4999990 bytes omitted ...\nbbbbbbbbbb"

from __future__ import annotations

import re
import time

from hypothesis import given
from hypothesis import strategies as st

from tools.diffs import counted, unified_diff

TEXTS = st.lists(st.sampled_from("abcd"), max_size=25).map(
    lambda lines: "".join(f"{x}\n" for x in lines)
)


def patched(old: list[str], diff: str) -> list[str]:
    new: list[str] = []
    at = 0
    for line in diff.split("\n")[2:-1]:
        if found := re.match(r"@@ -(\d+)(?:,(\d+))? ", line):
            start = int(found[1]) - (found[2] != "0")
            new += old[at:start]
            at = start
        elif line[0] in " -":
            assert old[at] == line[1:]
            at += 1
        if line[0] in " +":
            new.append(line[1:])
    return new + old[at:]


@given(TEXTS, TEXTS)
def test_diff_makes_the_new_text_of_the_old(old: str, new: str) -> None:
    diff = unified_diff(old, new, "f")

    assert patched(old.split("\n"), diff) == new.split("\n")
    assert (diff == "") == (old == new)
    added, removed = counted(diff)
    assert added - removed == new.count("\n") - old.count("\n")


def test_diff_tells_a_new_file_and_the_missing_newline() -> None:
    assert unified_diff(None, "a", "f") == (
        "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n"
    )


def test_diff_counts_lines_that_look_like_its_heads() -> None:
    assert counted(unified_diff("-- a\n", "++ b\n", "f")) == (1, 1)


def test_diff_of_two_long_texts_is_bounded() -> None:
    start = time.monotonic()

    diff = unified_diff("a\nb\n" * 50_000, "b\nb\na\n" * 50_000, "f")

    assert counted(diff)[0] > 50_000
    assert time.monotonic() - start < 5

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools import EditFailed
from tools.edits import apply_edits
from tools.lines import split_lines

with (Path(__file__).parent / "corpus" / "edits.toml").open("rb") as file:
    EDITS: list[dict[str, Any]] = tomllib.load(file)["edit"]

WORDS = st.sampled_from(["a", "b", "  c", "", "\td", "e ", "ü"])
ENDINGS = st.sampled_from(["\n", "\r\n", "\r"])
LINES = st.lists(st.tuples(WORDS, ENDINGS), min_size=1, max_size=12)


def block(search: list[str], replace: list[str]) -> str:
    return "\n".join(("------- SEARCH", *search, "=======", *replace, "+++++++ REPLACE"))


@pytest.mark.parametrize("case", EDITS, ids=lambda case: case["name"])
def test_edit_reads_as_written(case: dict[str, Any]) -> None:
    if "file" in case:
        assert apply_edits(case["original"], case["diff"], "f.py").text == case["file"]
        return
    with pytest.raises(EditFailed) as failed:
        apply_edits(case["original"], case["diff"], "f.py")
    for words in case["told"]:
        assert words in str(failed.value)


@given(lines=LINES, ended=st.booleans(), data=st.data())
def test_edit_leaves_bytes_outside_the_place_untouched(
    lines: list[tuple[str, str]], ended: bool, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(lines) - 1))
    stop = data.draw(st.integers(start + 1, len(lines)))
    numbered = [(f"{text}{at}x", ending) for at, (text, ending) in enumerate(lines)]
    if not ended:
        numbered[-1] = (numbered[-1][0], "")
    text = "".join(line + ending for line, ending in numbered)
    before = "".join(line + ending for line, ending in numbered[:start])
    after = "".join(line + ending for line, ending in numbered[stop:])
    new = data.draw(st.lists(WORDS.map(lambda word: f"{word}new"), max_size=4))

    edited = apply_edits(text, block([line for line, _ in numbered[start:stop]], new), "f").text

    assert edited.startswith(before)
    assert edited.endswith(after)
    inside, endings = split_lines(edited[len(before) : len(edited) - len(after)])
    assert inside == new
    assert set(endings) <= {ending for _, ending in numbered} | {"\n"}
    if new:
        assert edited.endswith(("\n", "\r")) == text.endswith(("\n", "\r"))


@given(lines=LINES, data=st.data())
def test_edits_are_all_applied_or_none(lines: list[tuple[str, str]], data: st.DataObject) -> None:
    texts = [f"{text}{at}x" for at, (text, _) in enumerate(lines)]
    original = "\n".join(texts) + "\n"
    wanted = data.draw(st.permutations(range(len(texts))))
    good = "\n".join(block([texts[at]], [f"new{at}"]) for at in wanted)

    whole = apply_edits(original, good, "f")

    assert whole.text == "".join(f"new{at}\n" for at in range(len(texts)))
    assert [each.line for each in whole.applied] == [at + 1 for at in wanted]
    with pytest.raises(EditFailed, match=rf"Block {len(texts) + 1}: its SEARCH text was not found"):
        apply_edits(original, good + "\n" + block(["missing"], ["y"]), "f")


@given(st.text(alphabet="-=+<> \\SEARCHREPLACEab\r\n", max_size=120))
def test_edit_of_any_text_is_applied_or_told(diff: str) -> None:
    try:
        edited = apply_edits("a\nb\n", diff, "f")
    except EditFailed:
        return
    assert not any(line.endswith((" SEARCH", " REPLACE")) for line in edited.text.split("\n"))


def test_edit_is_bounded_for_a_giant_file() -> None:
    original = "".join(f"    line {at % 7}\n" for at in range(200_000)) + "end\n"

    edited = apply_edits(original, block(["  end"], ["  END"]), "f")

    assert edited.text.endswith("END\n")
    with pytest.raises(EditFailed, match="1000 or more places"):
        apply_edits(original, block(["line 3"], ["x"]), "f")

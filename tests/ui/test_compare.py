from __future__ import annotations

import json

import pytest

from parsing import TextBlock, ToolUse
from tests.ui.command import Tagline, write
from ui.doors.comparison import Comparison, Difference
from ui.doors.comparison_words import words

MESSAGE = "One.\n<read_file>\n<path>a.py</path>\n</read_file>\nTwo `<x>`."


def test_compare_says_that_the_modes_agree(tagline: Tagline) -> None:
    ran = tagline.run("compare", write(tagline.folder, "m.txt", MESSAGE))

    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert lines[1] == f"{len(MESSAGE)} characters in 15 chunks of 4: 3 blocks"
    assert lines[3] == "    1  tool use   read_file(path)"
    assert lines[0] == "The two modes agree after every chunk and at the close."
    assert [line.split()[0] for line in lines[5:7]] == ["reparse", "incremental"]


@pytest.mark.parametrize("chunk", [1, 7, 5000])
def test_compare_gives_json(tagline: Tagline, chunk: int) -> None:
    ran = tagline.run("compare", "--json", "--chunk", str(chunk), "-", stdin=MESSAGE)

    found = json.loads(ran.out)
    assert ran.code == 0
    assert (found["agree"], found["divergence"]) == (True, None)
    assert found["chunks"] == -(-len(MESSAGE) // chunk)
    assert [block["type"] for block in found["blocks"]] == ["text", "tool_use", "text"]
    assert found["reparse_s"] > 0
    assert found["incremental_s"] > 0


def test_compare_of_nothing_agrees(tagline: Tagline) -> None:
    assert json.loads(tagline.run("compare", "--json").out)["agree"] is True


def test_compare_of_none_is_refused(tagline: Tagline) -> None:
    assert tagline.run("compare", "--dialect", "none", stdin=MESSAGE).code == 2


def test_words_point_at_the_first_divergence() -> None:
    text = "zero\n漢字 \x1b[2J here it parts\nlater"
    fed = text.index(" parts")
    difference = Difference(3, fed, False, 1, TextBlock("a\x1b"), None)
    found = Comparison(text, 4, 3, 0.5, 0.25, (TextBlock("a"), ToolUse("read_file")), difference)

    lines = words(found).splitlines()

    assert lines[0] == f"The two modes DIFFER, first after chunk 3 (character {fed}), in block 1:"
    assert lines[1] == "  line 2: 漢字 \\x1b[2J here it parts"
    assert lines[2].index("^") == len("  line 2: ") + len("xxxx \\x1b[2J here it") - 1
    assert lines[3].startswith('  reparse:      {"type": "text", "content": "a\\u001b"')
    assert lines[4] == "  incremental:  (no such block)"
    assert found.as_json()["divergence"]["offset"] == fed

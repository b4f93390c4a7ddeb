from __future__ import annotations

from parsing import Block, Finish, TextBlock, ToolUse, reader
from ui.compare.against import decisions
from ui.compare.comparing import compare_whole
from ui.compare.comparison import Comparison
from ui.compare.page import page
from ui.compare.pair import Pair
from ui.compare.report import as_json, words
from ui.compare.run import Results
from ui.compare.story import Units
from ui.doors.reading import own_tools, pieces_of

TEXT = "zero\n漢字 \x1b[2J `<read_file><path>a</path></read_file>` here it parts\nlater"


def apart(text: str = TEXT, size: int = 4) -> Comparison:
    """Two readers that do differ: those of two dialects."""
    one, two = reader("cline", own_tools()), reader("cline-v2", (), "incremental")
    found = Comparison("m.txt", 1, "cline", text, f"chunks of {size}")
    compare_whole(found, Pair(one, two, Finish.STOP), pieces_of(text, size), storied=True)
    return found


def test_words_point_at_the_first_divergence() -> None:
    found = apart("Wait for it.\n漢字 \x1b[2J `<read_file>", 3)
    difference = found.difference
    assert difference is not None

    lines = words(Results(1, [found]), "").splitlines()

    assert lines[0] == "m.txt, message 1 (cline):"
    assert lines[1] == (
        f"The two modes DIFFER, first after chunk {difference.chunk} "
        f"(character {difference.fed}), in block 0:"
    )
    assert difference.fed == 3 * difference.chunk
    assert lines[3].strip() == "^ read up to here"
    assert lines[4].startswith('  reparse:      {"type": "text", "content": "Wa')
    assert lines[5].startswith('  incremental:  {"type": "text", "content": "Wa')
    assert "\x1b" not in "".join(lines)


def test_json_gives_both_readings_of_the_divergence() -> None:
    found = as_json(Results(1, [apart()]), ["left"], "")

    place = found["results"][0]["divergence"]
    assert (found["agree"], found["divergences"], found["left_out"]) == (False, 1, ["left"])
    assert place["offset"] == 4
    assert place["reparse"] != place["incremental"]


def test_story_goes_on_after_the_divergence() -> None:
    found = apart()

    story = found.story
    assert story is not None
    assert len(story["fed"]) == found.chunks + 1
    assert story["differs"][0] == 0
    assert story["visible"][1][-1] is None
    assert "The two modes differ in 1 of 1 message" in page(Results(1, [found]), "")


def test_offsets_are_told_as_a_browser_counts() -> None:
    text = "a😀b😀c"

    assert [Units(text).at(at) for at in range(6)] == [0, 1, 3, 4, 6, 7]
    assert [Units("漢字").at(at) for at in range(3)] == [0, 1, 2]


def what(ours: list[Block], theirs: list[Block]) -> list[tuple[str, int | None, int | None]]:
    return [(one.what, one.index, one.other_index) for one in decisions(ours, theirs)]


def test_decisions_match_blocks_by_what_they_are() -> None:
    call, other = ToolUse("read_file"), ToolUse("list_files")
    text = TextBlock("so")

    assert what([text, call], [TextBlock("so", True, 1), call]) == []
    assert what([text, call], [call]) == [("a block only here", 0, None)]
    assert what([call], [text, call]) == [("a block only there", None, 0)]
    assert what([text, call], [TextBlock("other"), call]) == [("another text", 0, 0)]
    assert what([call], [other]) == [("another tool", 0, 0)]
    assert what([call], [text]) == [("another kind of block", 0, 0)]
    assert what([call], [ToolUse("read_file", partial=True)]) == [
        ("a call that runs only here", 0, 0)
    ]
    assert what([ToolUse("read_file", fault="none")], [call]) == [
        ("a call with a fault here", 0, 0)
    ]

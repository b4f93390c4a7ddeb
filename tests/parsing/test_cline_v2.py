from __future__ import annotations

import pytest

from parsing import Finish, Mode, TextBlock, ToolSpec, ToolUse, Value, parse, reader

TWO: tuple[Mode, ...] = ("reparse", "incremental")
WRITE = "<write_to_file><path>a</path><content>\n<a>\n</content>\n</a>\n</content></write_to_file>"


def v2(text: str, *tools: ToolSpec) -> tuple[object, ...]:
    return parse(text, "cline-v2", tools, finish=None)


def test_cline_v2_gives_params_as_text() -> None:
    text = "<list_files><path>.</path><recursive>true</recursive></list_files>"

    assert v2(text) == (ToolUse("list_files", (Value("path", "."), Value("recursive", "true"))),)


def test_cline_v2_gives_no_places() -> None:
    first, second = v2("Hi <read_file>")

    assert first == TextBlock("Hi")
    assert second == ToolUse("read_file", partial=True)


@pytest.mark.parametrize("mode", TWO)
def test_cline_v2_values_shrink_and_jump(mode: Mode) -> None:
    message = reader("cline-v2", (), mode)
    contents: list[str] = []
    for chunk in (WRITE[:50], WRITE[50:60], WRITE[60:]):
        message.feed(chunk)
        contents.append(message.blocks[0].as_json()["params"]["content"])

    assert contents == ["<a>\n</conte", "<a>", "<a>\n</content>\n</a>"]


@pytest.mark.parametrize("finish", list(Finish))
@pytest.mark.parametrize("mode", TWO)
def test_cline_v2_is_the_same_after_the_close(mode: Mode, finish: Finish) -> None:
    message = reader("cline-v2", (), mode)
    message.feed("Hello <read_file><path>src/ma")
    before = message.blocks

    message.close(finish)

    assert message.blocks == before
    assert [block.partial for block in before] == [False, True]


@pytest.mark.parametrize("space", ["\ufeff", "\u00a0", "\u2028", "\u3000", "\v", "\f"], ids=ascii)
def test_cline_v2_trims_what_javascript_trims(space: str) -> None:
    assert v2(f"{space}a{space}") == (TextBlock("a", partial=True),)


@pytest.mark.parametrize("kept", ["\x1c", "\x1f", "\x85", "\u200b"], ids=ascii)
def test_cline_v2_keeps_what_javascript_keeps(kept: str) -> None:
    assert v2(f" {kept}a{kept} ") == (TextBlock(f"{kept}a{kept}", partial=True),)


def test_cline_v2_reads_the_names_it_is_given() -> None:
    mine = ToolSpec("mine", "", {"properties": {"it": {"type": "integer"}}})

    assert v2("<mine><it>7</it></mine><read_file>", mine) == (
        ToolUse("mine", (Value("it", "7"),)),
        TextBlock("<read_file>", partial=True),
    )


def test_cline_v2_any_tool_takes_any_parameter() -> None:
    assert v2("<read_file><diff>d</diff></read_file>") == (
        ToolUse("read_file", (Value("diff", "d"),)),
    )

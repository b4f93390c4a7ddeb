from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from parsing import Finish, Mode, Reader, ToolSpec, ToolUse, UnknownDialect, dialect, reader
from parsing.request import REASONING_NAMES, chosen_tools, request_options
from tests.parsing.cases import CORPUS
from tests.parsing.told import hear
from tests.parsing.ways import WAYS, Cuts

Row = Mapping[str, Any]

ways = pytest.mark.parametrize("cut", WAYS.values(), ids=list(WAYS))


def name_of(row: Row) -> str:
    return row["dialect"] or "none"


def known(row: Row) -> bool:
    try:
        dialect(name_of(row))
    except UnknownDialect:
        return False
    return True


ROWS = [
    row
    for row in map(json.loads, (CORPUS / "serving.jsonl").read_text("utf-8").splitlines())
    if known(row)
]


def by_id(row: Row) -> str:
    return str(row["id"])


TOOLS = {  # the same for all readings of a row: they are compiled once
    row["id"]: tuple(ToolSpec(tool["name"], "", tool["parameters"]) for tool in row["tools"])
    for row in ROWS
}


def message(row: Row, mode: Mode) -> Reader:
    asked = row["options"]
    reasoning = "default" if asked.get("reasoning") is True else asked.get("reasoning")
    choice = asked.get("tool_choice")
    options = request_options(
        reasoning=reasoning, thinking=asked.get("thinking"), tool_choice=choice
    )
    tools = chosen_tools(TOOLS[row["id"]], choice)
    return reader(name_of(row), tools, mode, options=options)


def read(row: Row, chunks: Cuts, mode: Mode) -> tuple[dict[str, Any], list[list[object]]]:
    """Give the row's result, and what was told event by event."""
    reading = message(row, mode)
    told = hear(reading, chunks, Finish.STOP)
    calls = [
        {"name": block.name, "arguments": block.arguments}
        for block in reading.blocks
        if isinstance(block, ToolUse)
    ]
    result = {"content": told.joined("text"), "reasoning": told.joined("reasoning")}
    events: list[list[object]] = [
        [kind, text] if number is None else [kind, number, text]
        for kind, number, text in told.events
    ]
    return result | {"calls": calls}, events


def merged(events: list[list[object]]) -> list[list[object]]:
    """Make neighbours of one kind and call one."""
    found: list[list[object]] = []
    for *about, text in events:
        if found and found[-1][:-1] == about:
            found[-1][-1] = f"{found[-1][-1]}{text}"
        else:
            found.append([*about, text])
    return found


@ways
@pytest.mark.parametrize("row", ROWS, ids=by_id)
def test_serving_reads_a_row(row: Row, cut: Callable[[str], Iterator[Cuts]]) -> None:
    for chunks in cut("".join(row["chunks"])):
        assert read(row, chunks, "both")[0] == row["expected"], chunks


@pytest.mark.parametrize("mode", ["reparse", "incremental", "both"])
@pytest.mark.parametrize("row", ROWS, ids=by_id)
def test_serving_tells_a_row_in_its_order(row: Row, mode: Mode) -> None:
    result, events = read(row, row["chunks"], mode)

    assert result == row["expected"]
    assert "events" not in row or events == merged(row["events"])


@pytest.mark.parametrize("row", ROWS, ids=by_id)
def test_serving_tells_a_row_in_one_order_for_any_cut(row: Row) -> None:
    text = "".join(row["chunks"])
    _, whole = read(row, (text,), "incremental")

    assert read(row, tuple(text), "incremental")[1] == whole


def test_request_options_start_in_reasoning_as_the_template_does() -> None:
    starts = {
        (name, thinking): request_options(reasoning=name, thinking=thinking).starts_in_reasoning
        for name in ("default", "deepseek-v3", "deepseek_v4", "qwen-qwq")
        for thinking in (None, True, False)
    }

    assert {case for case, opened in starts.items() if opened} == {
        ("default", None), ("default", True), ("deepseek-v3", True), ("deepseek_v4", True),
        ("qwen-qwq", None), ("qwen-qwq", True),
    }  # fmt: skip


def test_request_options_tell_reasoning_as_text_when_thinking_is_off() -> None:
    off = request_options(reasoning="default", thinking=False)

    assert (off.profile, off.reasoning, off.reasoning_as_text) == ("serving", True, True)
    assert not request_options(reasoning="default").reasoning_as_text


def test_request_options_read_no_reasoning_without_its_parser() -> None:
    options = request_options(tool_choice="none", thinking=True)

    assert (options.reasoning, options.starts_in_reasoning, options.calls) == (False, False, False)


def test_request_options_refuse_a_reasoning_parser_nobody_knows() -> None:
    with pytest.raises(ValueError, match=r"called 'deepthink'; there are: default, deepseek-v3"):
        request_options(reasoning="deepthink")
    assert all(request_options(reasoning=name) for name in REASONING_NAMES)


def test_chosen_tools_are_all_or_the_one_that_is_named() -> None:
    tools = (ToolSpec("f", "", {}), ToolSpec("g", "", {}))

    assert all(chosen_tools(tools, choice) == tools for choice in (None, "auto", "required"))
    assert chosen_tools(tools, "g") == tools[1:]
    with pytest.raises(ValueError, match="'h' is no tool of the request; it has: f, g"):
        chosen_tools(tools, "h")

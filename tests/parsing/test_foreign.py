from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from parsing import (
    NO_CALLS,
    Options,
    ToolSpec,
    ToolUse,
    dialect,
    dialect_names,
    foreign_calls,
    parse,
)

CORPUS = Path(__file__).parent / "corpus" / "foreign.toml"
CASES: list[dict[str, Any]] = tomllib.loads(CORPUS.read_text("utf-8"))["case"]


def spec(name: str, required: list[str], **properties: Mapping[str, Any]) -> ToolSpec:
    schema = {"type": "object", "properties": properties, "required": required}
    return ToolSpec(name, f"The tool {name}.", schema)


TEXT = {"type": "string"}
TOOLS = (
    spec("read_file", ["path"], path=TEXT, start_line={"type": "integer"}),
    spec("write_to_file", ["path", "content"], path=TEXT, content=TEXT),
    spec("list_files", ["path"], path=TEXT, recursive={"type": "boolean"}),
    spec("tag", ["names"], names={"type": "array", "items": TEXT}),
)
UNMARKED = {
    "mimo": "it is written as qwen3_coder is, and keeps the newlines around a value",
    "cline": "it is the one that was asked for",
    "cline-v2": "it is written as cline is",
    NO_CALLS: "it has no calls",
}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_foreign_calls_are_found_where_there_is_no_doubt(case: dict[str, Any]) -> None:
    found = foreign_calls(case["text"], case["asked"], TOOLS)

    assert (found.dialect if found else None) == case.get("found")
    for use, told in zip(found.uses if found else (), case.get("calls", ()), strict=True):
        assert use.name == told["name"]
        assert dict(use.params) == told.get("params", dict(use.params))


@pytest.mark.parametrize("name", [name for name in dialect_names() if name not in UNMARKED])
def test_foreign_calls_of_every_dialect_are_found(name: str) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("read_file", {"path": "a.py", "start_line": 3}),
        ("write_to_file", {"path": "b.py", "content": "x = '\"'\n\ny = 1\n"}),
    ]
    text = "I do it.\n" + dialect(name).shape.spell_all(calls)

    found = foreign_calls(text, "cline", TOOLS)

    assert found is not None
    assert [(use.name, use.params) for use in found.uses] == calls
    assert not [use for use in found.uses if use.fault or use.repaired]


@pytest.mark.parametrize("name", [name for name in dialect_names() if name not in UNMARKED])
def test_foreign_calls_stay_unseen_while_they_are_cut(name: str) -> None:
    call = dialect(name).shape.spell("write_to_file", {"path": "b.py", "content": "x = 1"})
    cut = call[: call.index("x = 1") + 3]

    assert foreign_calls(cut, "cline", TOOLS) is None


def test_foreign_calls_stand_where_the_message_has_them() -> None:
    call = '<tool_call>{"name": "read_file", "arguments": {"path": "a.py"}}</tool_call>'
    text = f"<think>\nHm.\n</think>\nNow: {call}"

    found = foreign_calls(text, "cline", TOOLS)

    assert found is not None
    (use,) = found.uses
    assert text[use.start : use.end] == call
    alone = parse(call, found.dialect, TOOLS, options=Options(starts_in_reasoning=False))
    assert [block.params for block in alone if isinstance(block, ToolUse)] == [use.params]

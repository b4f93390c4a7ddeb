from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from parsing import Finish, Mode, Options, ToolSpec, ToolUse, dialect_names, reader
from tests.parsing.cases import CORPUS, FINISH
from tests.parsing.told import hear
from tests.parsing.ways import WAYS, Cuts

Row = Mapping[str, Any]

ROWS = [
    row
    for row in map(json.loads, (CORPUS / "faults.jsonl").read_text("utf-8").splitlines())
    if row["dialect"] in dialect_names()
]
TOOLS = {  # the same for all readings of a row: they are compiled once
    row["id"]: tuple(ToolSpec(name, "", schema) for name, schema in row.get("tools", {}).items())
    for row in ROWS
}
ways = pytest.mark.parametrize("cut", WAYS.values(), ids=list(WAYS))


def by_id(row: Row) -> str:
    return str(row["id"])


def read(row: Row, chunks: Cuts, mode: Mode) -> dict[str, Any]:
    """Give what the row says of a message, by the names it has there."""
    finish = FINISH[row.get("finish_reason", "stop")]
    assert isinstance(finish, Finish)
    options = Options(**row.get("options", {}))
    message = reader(row["dialect"], TOOLS[row["id"]], mode, options=options)
    told = hear(message, chunks, finish)
    uses = [block for block in message.blocks if isinstance(block, ToolUse)]
    kinds = [kind for kind, _, _ in told.events if kind in {"text", "reasoning"}]
    return {
        "text": told.joined("text"),
        "reasoning": told.joined("reasoning"),
        "tool_calls": [
            {"name": use.name, "arguments": dict(use.params)}
            for use in uses
            if use.fault is None and not use.partial
        ],
        "invalid_calls": [use.name for use in uses if use.fault is not None],
        "incomplete_calls": [use.name for use in uses if use.fault is None and use.partial],
        "text_event_count": sum(kind == "text" for kind, _, _ in told.said),
        "events_order": kinds,
    }


def expected(row: Row) -> dict[str, Any]:
    """Give what the row expects; what it does not mention is not there."""
    told: dict[str, Any] = dict(row["expected"])
    exact, _ = told.pop("text_mode") == "exact", told.pop("never_in_text", None)
    for kind in ("invalid_calls", "incomplete_calls"):
        told[kind] = [call["name"] for call in told.get(kind, ())]
    told.setdefault("reasoning", "")
    return told | {"text": told["text"] if exact else told["text"].strip()}


def check(row: Row, chunks: Cuts, mode: Mode) -> None:
    found, wanted = read(row, chunks, mode), expected(row)
    if row["expected"]["text_mode"] == "strip":
        found["text"] = found["text"].strip()
    found = {name: found[name] for name in wanted}
    told = json.dumps(found, sort_keys=True, ensure_ascii=False)
    assert told == json.dumps(wanted, sort_keys=True, ensure_ascii=False), chunks
    assert not any(mark in found["text"] for mark in row["expected"].get("never_in_text", ()))


@ways
@pytest.mark.parametrize("row", ROWS, ids=by_id)
def test_fault_of_another_parser_is_not_ours(
    row: Row, cut: Callable[[str], Iterator[Cuts]]
) -> None:
    for chunks in cut(row["input"]):
        check(row, chunks, "both")


@pytest.mark.parametrize("mode", ["reparse", "incremental", "both"])
@pytest.mark.parametrize("row", ROWS, ids=by_id)
def test_fault_of_another_parser_is_not_ours_as_it_was_streamed(row: Row, mode: Mode) -> None:
    check(row, row.get("chunks", tuple(row["input"])), mode)


def test_rows_of_faults_have_their_chunks_whole() -> None:
    assert all("".join(row["chunks"]) == row["input"] for row in ROWS if "chunks" in row)

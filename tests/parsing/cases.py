"""Cases as data: the rows of `corpus/`, and how blocks are compared with them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from parsing import (
    Block,
    Finish,
    Options,
    ReasoningBlock,
    TextBlock,
    ToolSpec,
    ToolUse,
    specs_from_openai,
)
from parsing.options import AGENT

CORPUS = Path(__file__).parent / "corpus"
FINISH = {"stop": Finish.STOP, "length": Finish.LENGTH, "none": None}


@dataclass(frozen=True)
class Case:
    """One message and what it must read as."""

    id: str
    text: str
    blocks: Sequence[Mapping[str, Any]]
    finish: Finish | None = Finish.STOP
    tools: tuple[ToolSpec, ...] = ()
    options: Options = AGENT
    chunks: tuple[str, ...] = field(default=())
    dialect: str = "cline"


@cache
def tools() -> tuple[ToolSpec, ...]:
    """Give the tools that a row means when it names none."""
    return specs_from_openai(json.loads((CORPUS / "tools.json").read_text("utf-8")))


def toml_cases(path: Path) -> Iterator[Case]:
    """Read the rows `[[case]]` of a TOML file."""
    for row in tomllib.loads(path.read_text("utf-8"))["case"]:
        chunks = tuple(row.get("chunks", ()))
        yield Case(
            f"{path.stem}:{row['id']}",
            row["text"] if "text" in row else "".join(chunks),
            row["blocks"],
            FINISH[row.get("finish", "stop")],
            _declared(row["tools"]) if "tools" in row else tools(),
            Options(row.get("profile", "agent"), row.get("starts_in_reasoning")),
            chunks,
            row.get("dialect", "cline"),
        )


def jsonl_cases(path: Path) -> Iterator[Case]:
    """Read the rows of a JSON Lines file whose blocks are written out in full."""
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        yield Case(row["id"], row["text"], row["blocks"])


def _declared(table: Mapping[str, Any]) -> tuple[ToolSpec, ...]:
    return tuple(ToolSpec(name, "", schema) for name, schema in table.items())


def differences(blocks: Sequence[Block], expected: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say where blocks are not what a row expects; a note or fault needs only to contain it."""
    found = [_plain(block) for block in blocks]
    if len(found) != len(expected):
        return [f"{len(found)} blocks, expected {len(expected)}: {found}"]
    return [
        f"block {place}: {one}, expected {dict(two)}"
        for place, (one, two) in enumerate(zip(found, expected, strict=True))
        if not _meets(one, two)
    ]


def _plain(block: Block) -> dict[str, Any]:
    match block:
        case TextBlock():
            return {"text": block.content, "partial": block.partial}
        case ReasoningBlock():
            return {"reasoning": block.reasoning, "partial": block.partial}
        case ToolUse():
            return {
                "tool": block.name,
                "params": dict(block.params),
                "partial": block.partial,
                "fault": block.fault,
                "repaired": block.repaired,
                "arguments": block.arguments,
            }


def _meets(found: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    if found["partial"] != row.get("partial", False):
        return False
    if "tool" not in found:
        kind = "text" if "text" in found else "reasoning"
        return kind in row and found[kind] == row[kind]
    fault, notes = row.get("fault"), row.get("repaired", [])
    params = dict(row.get("params", {})) | dict.fromkeys(row.get("nulls", ()))
    return (
        found["tool"] == row.get("tool")
        and _same(found["params"], params)
        and (found["fault"] is None if fault is None else fault in (found["fault"] or ""))
        and len(found["repaired"]) == len(notes)
        and all(note in told for note, told in zip(notes, found["repaired"], strict=True))
        and row.get("arguments", found["arguments"]) == found["arguments"]
    )


def _same(found: object, wanted: object) -> bool:
    """Compare values and their types: True is not 1, and 1 is not 1.0."""
    return json.dumps(found, sort_keys=True) == json.dumps(wanted, sort_keys=True)

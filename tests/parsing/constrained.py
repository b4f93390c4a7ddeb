"""Dialects that have a constraint, tools for them, and what a constrained text must read as."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from parsing import (
    Dialect,
    Finish,
    Options,
    TextBlock,
    ToolSpec,
    ToolUse,
    dialect_names,
    reader,
    specs_from_openai,
)

TOOLS = specs_from_openai(
    json.loads((Path(__file__).parent / "corpus" / "constraint_tools.json").read_text())
)
OPTIONS = Options(starts_in_reasoning=False)
Call = tuple[str, Mapping[str, Any]]
UNCONSTRAINED = ("none", "cline-v2", "minimax_m3")
CALLS: Sequence[Call] = (
    ("get_time", {}),
    ("write_to_file", {"path": "src/a.py", "content": "x = 1\n\nif x < 2:\n    print('é')\n"}),
    ("write_to_file", {"path": "b", "content": '<p class="q">"\\n"</p>', "mode": "append"}),
    ("run", {"command": "ls -l | wc", "version": 2}),
    ("run", {"quiet": True, "command": "cat <<E\n$x `y`\nE", "ratio": -1.5, "version": 2}),
    ("run", {"command": "ls", "count": 12, "limit": None, "nothing": None, "version": 2}),
    ("plan", {"steps": [{"title": "one"}, {"title": "", "done": False, "inner": []}]}),
    (
        "plan",
        {
            "steps": [{"title": "a", "inner": [{"title": "b"}]}],
            "where": {"x": -3, "tag": "a"},
            "labels": {"k": "v", "w": ""},
            "extra": {"any": [1, "two", None, True, {"x": 0.25}]},
            "either": [True, False],
        },
    ),
)
MISFITS: Sequence[Call] = (
    ("no_such_tool", {}),
    ("get_time", {"zone": "CET"}),
    ("write_to_file", {"path": "a"}),
    ("write_to_file", {"path": "a", "content": "b", "mode": "other"}),
    ("run", {"command": "ls", "version": 3}),
    ("run", {"command": "ls", "count": -1, "version": 2}),
    ("plan", {"steps": []}),
    ("plan", {"steps": [{"done": True}]}),
)


def constrained() -> list[str]:
    """Give the names of the dialects that have a constraint."""
    return [name for name in dialect_names() if name not in UNCONSTRAINED]


def check_reads(
    text: str, protocol: str | Dialect, tools: Sequence[ToolSpec], *, least: int = 1
) -> None:
    """Hold a text to what the constraint promises, in both modes."""
    message = reader(protocol, tools, "both", options=OPTIONS)
    message.feed(text)
    message.close(Finish.STOP)
    blocks = message.blocks
    uses = [block for block in blocks if isinstance(block, ToolUse)]
    assert isinstance(blocks[0], TextBlock) or blocks[0] is uses[0], text
    assert len(uses) >= least, text
    assert len(uses) == len(blocks) - isinstance(blocks[0], TextBlock), text
    known = {tool.name: tool for tool in tools}
    for use in uses:
        assert (use.partial, use.fault, use.repaired) == (False, None, ()), (use, text)
        fits = Draft202012Validator(dict(known[use.name].parameters))
        told = [error.message for error in fits.iter_errors(json.loads(use.arguments))]
        assert told == [], (use, text)

"""One turn that every dialect can write, and what a client must hear of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parsing import (
    Options,
    ReasoningBlock,
    TextBlock,
    ToolUse,
    dialect_names,
    parse,
    specs_from_openai,
)
from tests.ui.gateway.scripted_model import Call, Turn, reasons, spoken

ASKED = "Note what the weather is."
NAMES = tuple(name for name in dialect_names() if name != "none")
FIRST = (
    "cline", "cline-v2", "claude_xml", "hermes", "qwen3_coder", "harmony", "glm45", "glm47",
    "deepseek_v3", "deepseek_v31", "dsml", "deepseek_v32", "deepseek_v4", "deepseek_v41",
    "kimi_k2", "minimax_m2", "llama3_json", "pythonic", "mistral", "mistral_v11", "gemma4",
    "internlm", "fenced_json", "deepseek_r1", "qwen3", "gemma",
)  # fmt: skip
CALLS: Sequence[Call] = (
    ("get_weather", {"city": "Zürich", "days": 3}),
    ("save_note", {"title": 'a "b"', "body": "two\nlines 東京 🚀", "tags": ["x", "y"]}),
)
SHORT: Sequence[Call] = (
    ("get_weather", {"city": "Ü", "days": 3}),
    ("save_note", {"title": 'a "', "body": "x\n🚀"}),
)
READ_AS = {"cline-v2": "cline"}  # the gateway reads no old reading's faults
PARAMETERS: Mapping[str, Any] = {
    "get_weather": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    },
    "save_note": {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "body": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["title", "body"],
    },
}
FUNCTIONS: list[dict[str, Any]] = [
    {"name": name, "description": f"It is {name}.", "parameters": schema, "strict": True}
    for name, schema in PARAMETERS.items()
]
CHAT_TOOLS: list[Any] = [{"type": "function", "function": function} for function in FUNCTIONS]
RESPONSES_TOOLS: list[Any] = [{"type": "function", **function} for function in FUNCTIONS]
MESSAGES_TOOLS: list[Any] = [
    {"name": one["name"], "description": one["description"], "input_schema": one["parameters"]}
    for one in FUNCTIONS
]


@dataclass(frozen=True, slots=True)
class Expected:
    """What is told of an answer; calls are names and arguments."""

    text: str
    reasoning: str
    calls: list[tuple[str, Any]]


def turn(*, short: bool = False) -> Turn:
    reasoning = "1 < 2." if short else "1 < 2, so first the weather."
    return Turn("Let me see.", SHORT if short else CALLS, reasoning)


def expected(name: str, *, short: bool = False) -> Expected:
    """Read the turn's text at once, and check that it says the turn."""
    name, meant = READ_AS.get(name, name), turn(short=short)
    blocks = parse(
        spoken(name, meant), name, specs_from_openai(CHAT_TOOLS), options=Options("serving")
    )
    text = "".join(block.content for block in blocks if isinstance(block, TextBlock))
    thought = "".join(block.reasoning for block in blocks if isinstance(block, ReasoningBlock))
    calls = [
        (block.name, json.loads(block.arguments)) for block in blocks if isinstance(block, ToolUse)
    ]
    assert calls == list(meant.calls), blocks
    assert text.strip() == meant.text, blocks
    assert thought == (meant.reasoning if reasons(name) else ""), blocks
    return Expected(text, thought, calls)

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from parsing import ToolSpec, detect, dialect_names
from parsing.detect import WINDOW

SHEETS = sorted((Path(__file__).parent / "checklist").glob("*.toml"))
TOOLS = tuple(map(ToolSpec, ("now", "get_weather", "write_file")))
NAMELESS = {"unknown", "nameless"}  # calls that name no declared tool
TWINS = {  # what differs in nothing that can be seen at the beginning
    "poolside_v1": "glm45",
    "spark25": "glm45",
    "mimo": "qwen3_coder",
    "qwen3": "hermes",
    "dsml": "deepseek_v32",
    "firefunction": "phi4_mini",
    "xlam": "mistral",
}


def written() -> Iterator[tuple[str, str]]:
    for path in SHEETS:
        sheet = tomllib.loads(path.read_text("utf-8"))
        calls = {name: text for name, text in sheet["calls"].items() if name not in NAMELESS}
        around = sheet.get("open", ""), sheet.get("close", "")
        name: str = sheet["dialect"]
        for text in calls.values() if name in dialect_names() else ():
            yield TWINS.get(name, name), text.join(around)


@pytest.mark.parametrize("before", ["", "Let me see.\n\n", "<think>\nSo.\n</think>\n\n"])
def test_calls_are_known_by_their_marks(before: str) -> None:
    found = [(name, detect(before + text, TOOLS), text) for name, text in written()]

    assert [row for row in found if row[0] != row[1]] == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", None),
        ("Hello.", None),
        ("<think>\nSo.\n</think>\nHello.", None),
        ("Qwen wraps calls in `<tool_call>` tags.", None),
        ("The <now> tool needs nothing.", None),
        ("<now>\n</now>", "cline"),
        ("<then>\n<now>", None),
        ("<tool_call>\n", None),
        ('<tool_call>{"na', "hermes"),
        ("<tool_call>\n<function=n", "qwen3_coder"),
        ("<function=now>\n</function>", "qwen3_coder"),
        ("<tool_call>now\n<arg_key>a", "glm45"),
        ("<tool_call>now<arg_key>a", "glm47"),
        ("<tool_call>now</tool_call>", "glm47"),
        ('<invoke name="now">', "claude_xml"),
        ('<function_calls>\n<invoke name="now">', "claude_xml"),
        ('<minimax:tool_call>\n<invoke name="now">', "minimax_m2"),
        ("[TOOL_CALLS][{", "mistral"),
        ("[TOOL_CALLS] [{", "mistral"),
        ("[TOOL_CALLS]now{", "mistral_v11"),
        ("<|channel|>analysis<|message|>So.", "harmony"),
        ("<|channel>thought\nSo.", "gemma4"),
        ('{"name": "now", "parameters": {}}', "llama3_json"),
        ('{"name": "now", "arguments": {}}', "fenced_json"),
        ('{"name": "Ann", "arguments": {}}', None),
        ("[now()]", "pythonic"),
        ("[then()]", None),
    ],
)
def test_what_follows_a_mark_decides(text: str, name: str | None) -> None:
    assert detect(text, TOOLS) == name


def test_the_first_mark_counts() -> None:
    page = "<write_file>\n<content>\n<tool_call>{}</tool_call>\n</content>\n</write_file>"

    assert detect(page, TOOLS) == "cline"
    assert detect(page) == "hermes"


def test_a_call_after_the_reasoning_counts_before_one_in_it() -> None:
    drafted = '<think>Not <tool_call>{"name": "now"}.</think>\n'

    assert detect(f"{drafted}<now>\n</now>", TOOLS) == "cline"
    assert detect(f"{drafted}Hello.", TOOLS) == "hermes"


def test_only_the_beginning_is_looked_at() -> None:
    call = "<now>\n</now>"

    assert detect(f"{'x' * (WINDOW - len(call))}{call}", TOOLS) == "cline"
    assert detect(f"{'x' * WINDOW}{call}", TOOLS) is None

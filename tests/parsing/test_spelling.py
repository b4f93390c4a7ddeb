from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsing import ToolSpec, ToolUse, Unspellable, parse, spell_call

WRITE = ToolSpec(
    "write_to_file",
    "",
    {
        "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["path", "content"],
    },
)
RUN = ToolSpec(
    "execute_command",
    "",
    {"properties": {"command": {"type": "string"}, "limits": {"type": "array"}}},
)
TOOLS = (WRITE, RUN)
SOUP = st.lists(
    st.sampled_from(
        [
            "a", " ", "\n", "\r\n", "\r", "<", ">", "</", "`", "```\n", "\x1c", "\ufeff",
            "<path>", "</path>", "<content>", "</content>", "</write_to_file>",
            "\n<write_to_file>", "\n<execute_command>", "</command>", "<think>",
        ]
    ),
    max_size=12,
).map("".join)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("write_to_file", {"path": "a.py", "content": "x = 1\n"}),
        ("write_to_file", {"path": "a.py", "content": ""}),
        ("write_to_file", {"path": "a.md", "content": "</content> and <path>b</path>"}),
        ("execute_command", {"command": "echo '</command>'", "limits": [1, "two", None]}),
        ("execute_command", {"command": "cat <<'E'\n<a>\nE"}),
    ],
)
def test_spelled_calls_read_back(name: str, arguments: dict[str, Any]) -> None:
    (use,) = parse(spell_call("cline", TOOLS, name, arguments), "cline", TOOLS)

    assert isinstance(use, ToolUse)
    assert (use.name, use.params, use.repaired) == (name, arguments, ())


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("write_to_file", {"path": " a.py", "content": "x"}),
        ("write_to_file", {"path": "a", "content": "x\n</content>\n</write_to_file>\ny"}),
        ("write_to_file", {"path": "a", "content": "x\r"}),
        ("execute_command", {"command": "true\n<write_to_file>\n<path>"}),
        ("execute_command", {"command": "a", "colour": "red"}),
        ("no_such_tool", {"path": "a"}),
    ],
)
def test_spelling_refuses_what_would_not_read_back(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(Unspellable, match=f"cline cannot write this call of {name}"):
        spell_call("cline", TOOLS, name, arguments)


@given(path=SOUP, content=SOUP)
def test_spelling_gives_the_same_call_or_refuses(path: str, content: str) -> None:
    arguments = {"path": path, "content": content}
    try:
        text = spell_call("cline", TOOLS, "write_to_file", arguments)
    except Unspellable:
        return
    (use,) = parse(text, "cline", TOOLS)

    assert isinstance(use, ToolUse)
    assert use.params == arguments

from __future__ import annotations

import pytest

from parsing import Finish, ToolSpec, parse, reader

TOOLS = (
    ToolSpec("read_file", "", {"properties": {"path": {"type": "string"}}, "required": ["path"]}),
    ToolSpec("run", "", {"properties": {"command": {"type": "string"}}}),
)
MESSAGES = [
    "<think>a `</think>` b</think>\nx",
    "A `<run>` b\n<run>\n<command>echo `</command>` </command>\n</run>\n",
    "```\n<run>\n```\n<read_file>\n<path>a</path>\n</read_file>",
]


@pytest.mark.parametrize("text", MESSAGES)
def test_empty_chunks_change_nothing(text: str) -> None:
    message = reader("cline", TOOLS, "both")
    for char in text:
        message.feed("")
        message.feed(char)
    message.close(Finish.STOP)

    assert message.blocks == parse(text, "cline", TOOLS)
    assert message.text == text

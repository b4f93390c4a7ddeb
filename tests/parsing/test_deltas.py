from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsing import ArgumentsDelta, CallBegan, CallEnded, Finish, Mode, ToolSpec, reader
from tests.parsing.told import Heard, Told

TOOLS = (
    ToolSpec(
        "write_to_file",
        "",
        {
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
            "required": ["path", "content"],
        },
    ),
    ToolSpec(
        "run",
        "",
        {
            "properties": {
                "command": {"type": "string"},
                "wait": {"type": "integer"},
                "tag": {"type": ["string", "null"]},
            },
            "required": ["command"],
        },
    ),
)
WRITE = '<write_to_file>\n<path>a.py</path>\n<content>\nx = "1"\n</content>\n</write_to_file>'
RUN = "<run>\n<command>ls</command>\n<wait>10</wait>\n<tag>null</tag>\n</run>"
MESSAGE = f"Let me.\n<think>First\n  this.</think>\n\n{WRITE}\n\nThen:\n{RUN}\nDone. "
SOUP = st.lists(
    st.sampled_from(
        [
            WRITE, RUN, "<think>hm</think>\n", "a ", "\n", "`", "```\n", "<run>", "</tag>",
            "<content>\r\n", "\r", "nul", "<tag>nul", "</command>", "<", "\n<write_to_file>",
        ]
    ),
    max_size=10,
).map("".join)  # fmt: skip


@pytest.mark.parametrize("mode", ["reparse", "incremental"])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 1000])
def test_joined_deltas_are_the_blocks_after_every_chunk(mode: Mode, size: int) -> None:
    message, told = reader("cline", TOOLS, mode), Told()
    for at in range(0, len(MESSAGE), size):
        told.take(message.feed(MESSAGE[at : at + size]).deltas())
        told.agrees(message.blocks)
    told.take(message.close(Finish.STOP).deltas())

    told.agrees(message.blocks)
    assert [(block.kind, block.name) for block in told.blocks] == [
        ("text", ""), ("reasoning", ""), ("call", "write_to_file"), ("text", ""), ("call", "run"),
        ("text", ""),
    ]  # fmt: skip
    arguments = '{"command": "ls", "wait": 10, "tag": null}'
    assert told.blocks[4] == Heard("call", "run", arguments, ended=True)


@pytest.mark.parametrize("mode", ["reparse", "incremental"])
def test_deltas_may_be_asked_for_seldom(mode: Mode) -> None:
    message, told = reader("cline", TOOLS, mode), Told()
    for place, char in enumerate(MESSAGE):
        change = message.feed(char)
        if place % 17 == 0:
            told.take(change.deltas())
    told.take(message.close(Finish.STOP).deltas())

    told.agrees(message.blocks)


@given(text=SOUP, size=st.integers(1, 9), finish=st.sampled_from(Finish))
@pytest.mark.parametrize("mode", ["reparse", "incremental"])
def test_deltas_of_any_text_add_up(mode: Mode, text: str, size: int, finish: Finish) -> None:
    message, told = reader("cline", TOOLS, mode), Told()
    for at in range(0, len(text), size):
        told.take(message.feed(text[at : at + size]).deltas())
        told.agrees(message.blocks)
    told.take(message.close(finish).deltas())

    told.agrees(message.blocks)


@pytest.mark.parametrize("mode", ["reparse", "incremental"])
def test_a_call_recovered_from_reasoning_is_told_at_the_close(mode: Mode) -> None:
    message = reader("cline", TOOLS, mode)
    message.feed(f"<think>I will.\n{RUN}").deltas()
    arguments = '{"command": "ls", "wait": 10, "tag": null}'

    assert message.close(Finish.STOP).deltas() == [
        CallBegan(1, "run"),
        ArgumentsDelta(1, arguments),
        CallEnded(1),
    ]
    assert message.close(Finish.STOP).deltas() == []

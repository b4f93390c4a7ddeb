from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsing import (
    ArgumentsDelta,
    Block,
    CallBegan,
    CallEnded,
    Delta,
    Finish,
    Mode,
    ReasoningBlock,
    ReasoningDelta,
    TextBlock,
    TextDelta,
    ToolSpec,
    reader,
)

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


@dataclass
class Told:
    """What deltas add up to: (kind, text, ended) of each block."""

    blocks: list[tuple[str, str, bool]] = field(default_factory=list[tuple[str, str, bool]])

    def take(self, deltas: Sequence[Delta]) -> None:
        for delta in deltas:
            match delta:
                case TextDelta(index, text):
                    self._grow(index, "text", text)
                case ReasoningDelta(index, text):
                    self._grow(index, "reasoning", text)
                case CallBegan(index, name):
                    assert index == len(self.blocks)
                    self.blocks.append((f"call {name}", "", False))
                case ArgumentsDelta(index, text):
                    self._grow(index, self.blocks[index][0], text)
                case CallEnded(index):
                    kind, text, ended = self.blocks[index]
                    assert not ended
                    self.blocks[index] = (kind, text, True)

    def _grow(self, index: int, kind: str, text: str) -> None:
        assert text
        if index == len(self.blocks):
            self.blocks.append((kind, "", False))
        found, before, ended = self.blocks[index]
        assert (index, found, ended) == (len(self.blocks) - 1, kind, False)
        self.blocks[index] = (kind, before + text, False)


def shown(blocks: Sequence[Block]) -> list[tuple[str, str, bool]]:
    rows: list[tuple[str, str, bool]] = []
    for block in blocks:
        match block:
            case TextBlock():
                rows.append(("text", block.content, False))
            case ReasoningBlock():
                rows.append(("reasoning", block.reasoning, False))
            case _:
                rows.append((f"call {block.name}", block.arguments, not block.partial))
    return rows


@pytest.mark.parametrize("mode", ["reparse", "incremental"])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 1000])
def test_joined_deltas_are_the_blocks_after_every_chunk(mode: Mode, size: int) -> None:
    message, told = reader("cline", TOOLS, mode), Told()
    for at in range(0, len(MESSAGE), size):
        told.take(message.feed(MESSAGE[at : at + size]).deltas())
        assert told.blocks == shown(message.blocks)
    told.take(message.close(Finish.STOP).deltas())

    assert told.blocks == shown(message.blocks)
    assert [kind for kind, _, _ in told.blocks] == [
        "text", "reasoning", "call write_to_file", "text", "call run", "text",
    ]  # fmt: skip
    assert told.blocks[4] == ("call run", '{"command": "ls", "wait": 10, "tag": null}', True)


@pytest.mark.parametrize("mode", ["reparse", "incremental"])
def test_deltas_may_be_asked_for_seldom(mode: Mode) -> None:
    message, told = reader("cline", TOOLS, mode), Told()
    for place, char in enumerate(MESSAGE):
        change = message.feed(char)
        if place % 17 == 0:
            told.take(change.deltas())
    told.take(message.close(Finish.STOP).deltas())

    assert told.blocks == shown(message.blocks)


@given(text=SOUP, size=st.integers(1, 9), finish=st.sampled_from(Finish))
@pytest.mark.parametrize("mode", ["reparse", "incremental"])
def test_deltas_of_any_text_add_up(mode: Mode, text: str, size: int, finish: Finish) -> None:
    message, told = reader("cline", TOOLS, mode), Told()
    for at in range(0, len(text), size):
        told.take(message.feed(text[at : at + size]).deltas())
        assert told.blocks == shown(message.blocks)
    told.take(message.close(finish).deltas())

    assert told.blocks == shown(message.blocks)


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

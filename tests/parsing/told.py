"""What the deltas of a message add up to, as one who hears only deltas would have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from parsing import (
    ArgumentsDelta,
    Block,
    CallBegan,
    CallEnded,
    Delta,
    Finish,
    Reader,
    ReasoningBlock,
    ReasoningDelta,
    TextBlock,
    TextDelta,
    ToolUse,
)

Event = tuple[str, int | None, str]  # kind, a call's number, what was said


@dataclass
class Heard:
    """One block, put together from its deltas."""

    kind: str  # text, reasoning or call
    name: str = ""
    text: str = ""
    ended: bool = False


@dataclass
class Told:
    """Takes deltas; raises AssertionError for one that no client could follow."""

    blocks: list[Heard] = field(default_factory=list[Heard])
    said: list[Event] = field(default_factory=list[Event])

    def take(self, deltas: Sequence[Delta]) -> None:
        for delta in deltas:
            match delta:
                case TextDelta(index, text):
                    self._grow(index, "text", text)
                    self.said.append(("text", None, text))
                case ReasoningDelta(index, text):
                    self._grow(index, "reasoning", text)
                    self.said.append(("reasoning", None, text))
                case CallBegan(index, name):
                    assert index == len(self.blocks), f"a call began at {index}: {self.blocks}"
                    self.blocks.append(Heard("call", name))
                    self.said.append(("tool_start", self._number(index), name))
                case ArgumentsDelta(index, text):
                    assert index < len(self.blocks), "arguments before their call"
                    self._grow(index, "call", text)
                    self.said.append(("tool_args", self._number(index), text))
                case CallEnded(index):
                    assert not self.blocks[index].ended, "a call ended twice"
                    self.blocks[index].ended = True

    def joined(self, kind: str) -> str:
        return "".join(block.text for block in self.blocks if block.kind == kind)

    @property
    def events(self) -> list[Event]:
        """What was said in its order, neighbours of one kind and call made one."""
        groups = groupby(self.said, key=lambda event: event[:2])
        return [(*about, "".join(event[2] for event in events)) for about, events in groups]

    def agrees(self, blocks: Sequence[Block]) -> None:
        """Check that the deltas add up to these blocks."""
        heard = [(block.kind, block.name, block.text, block.ended) for block in self.blocks]
        shown = [_shown(block) for block in blocks]
        assert heard == shown, f"deltas: {heard}, blocks: {shown}"

    def _grow(self, index: int, kind: str, text: str) -> None:
        assert text, "an empty delta"
        if index == len(self.blocks):
            self.blocks.append(Heard(kind))
        assert index == len(self.blocks) - 1, f"a delta for {index} of {len(self.blocks)} blocks"
        block = self.blocks[index]
        assert (block.kind, block.ended) == (kind, False), f"{kind} for {block}"
        block.text += text

    def _number(self, index: int) -> int:
        return sum(block.kind == "call" for block in self.blocks[:index])


def _shown(block: Block) -> tuple[str, str, str, bool]:
    match block:
        case TextBlock():
            return "text", "", block.content, False
        case ReasoningBlock():
            return "reasoning", "", block.reasoning, False
        case ToolUse():
            return "call", block.name, block.arguments, not block.partial


def hear(message: Reader, chunks: Sequence[str], finish: Finish | None) -> Told:
    """Feed the chunks, close the message, and check that the deltas add up to its blocks."""
    told = Told()
    for chunk in chunks:
        told.take(message.feed(chunk).deltas())
    if finish is not None:
        told.take(message.close(finish).deltas())
    told.agrees(message.blocks)
    return told

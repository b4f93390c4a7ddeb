"""What every reading of a message offers, in whichever mode and dialect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from parsing.blocks import Block, Finish

# Deltas are not frozen: one is made for every chunk, and a frozen one takes three times as long.


@dataclass(slots=True, unsafe_hash=True)
class TextDelta:
    """Text was added to the text block at `index`."""

    index: int
    text: str


@dataclass(slots=True, unsafe_hash=True)
class ReasoningDelta:
    """Text was added to the reasoning block at `index`."""

    index: int
    text: str


@dataclass(slots=True, unsafe_hash=True)
class CallBegan:
    """The block at `index` is a call of this tool."""

    index: int
    name: str


@dataclass(slots=True, unsafe_hash=True)
class ArgumentsDelta:
    """JSON text was added to the arguments of the call at `index`."""

    index: int
    text: str


@dataclass(slots=True, unsafe_hash=True)
class CallEnded:
    """The call at `index` is closed."""

    index: int


Delta = TextDelta | ReasoningDelta | CallBegan | ArgumentsDelta | CallEnded


class Change(Protocol):
    """What the last chunk changed; it speaks of the reader as it is when asked."""

    @property
    def first(self) -> int:
        """The index of the first block that may differ; the blocks below it are as they were."""
        ...

    def deltas(self) -> list[Delta]:
        """Give what was added since deltas were last asked for."""
        ...


class Reader(Protocol):
    """A parser of one message, in whichever mode."""

    def feed(self, chunk: str) -> Change:
        """Read on."""
        ...

    def close(self, finish: Finish) -> Change:
        """End the message."""
        ...

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks so far."""
        ...

    @property
    def text(self) -> str:
        """All text so far."""
        ...

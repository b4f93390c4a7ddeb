"""What came of feeding a message to both modes, and how it is told to programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from parsing import Block, ToolUse
from ui.compare.against import Decision
from ui.compare.pair import Blocks, Step


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where the modes differ: after `fed` characters, in block `index`.

    `chunk` counts the chunks fed, from 1; at the close it is the number of all of them.
    """

    chunk: int
    fed: int
    closed: bool
    index: int
    reparse: Block | None
    incremental: Block | None
    cut: int | None = None  # with every cut in two: the place of this one

    def as_json(self) -> dict[str, Any]:
        """Give the place and both readings of the block."""
        return {
            "chunk": self.chunk,
            "offset": self.fed,
            "cut": self.cut,
            "at_close": self.closed,
            "block": self.index,
            "reparse": self.reparse.as_json() if self.reparse else None,
            "incremental": self.incremental.as_json() if self.incremental else None,
        }


@dataclass(slots=True)
class Comparison:
    """What came of one message.

    `chunks` counts what was fed, `compared` how often the blocks were compared (the close counts),
    `read` the bytes of UTF-8 fed to each mode, more than the message has when it is cut repeatedly.
    """

    source: str
    number: int
    dialect: str
    text: str
    cut: str
    times: tuple[float, ...] = ()
    chunks: int = 0
    compared: int = 0
    read: int = 0
    reparse_s: float = 0.0
    incremental_s: float = 0.0
    blocks: Blocks = ()
    difference: Difference | None = None
    differences: int = 0
    broken: str = ""  # the law that a grown message breaks, in words
    against: tuple[Decision, ...] = ()
    story: dict[str, Any] | None = field(default=None, repr=False)

    @property
    def agrees(self) -> bool:
        """Whether the modes agreed at every comparison, and no law was broken."""
        return self.difference is None and not self.broken

    @property
    def faults(self) -> int:
        """How many calls have a fault."""
        return sum(isinstance(block, ToolUse) and block.fault is not None for block in self.blocks)

    @property
    def place(self) -> str:
        """Where the message was found, in words."""
        return f"{self.source}, message {self.number}"

    def add(self, more: Comparison) -> None:
        """Add what came of other cuts of the same message."""
        self.chunks += more.chunks
        self.compared += more.compared
        self.read += more.read
        self.reparse_s += more.reparse_s
        self.incremental_s += more.incremental_s
        self.differences += more.differences
        if self.difference is None and more.difference is not None:
            self.difference, self.story = more.difference, more.story

    def as_json(self) -> dict[str, Any]:
        """Give all there is to know, for programs."""
        return {
            "source": self.source,
            "number": self.number,
            "dialect": self.dialect,
            "agree": self.agrees,
            "characters": len(self.text),
            "cut": self.cut,
            "chunks": self.chunks,
            "compared": self.compared,
            "divergences": self.differences,
            "faults": self.faults,
            "reparse_s": round(self.reparse_s, 6),
            "incremental_s": round(self.incremental_s, 6),
            "blocks": [block.as_json() for block in self.blocks],
            "divergence": self.difference.as_json() if self.difference else None,
            "broken": self.broken or None,
            "against": [decision.as_json() for decision in self.against],
        }


def first_difference(step: Step, chunk: int, cut: int | None) -> Difference | None:
    """Give the first block in which the modes differ at this step; None where they agree."""
    old, new = step.reparse, step.incremental
    if old == new:
        return None
    shared = min(len(old), len(new))
    index = next((at for at in range(shared) if old[at] != new[at]), shared)
    one = old[index] if index < len(old) else None
    two = new[index] if index < len(new) else None
    return Difference(chunk, step.fed, step.closed, index, one, two, cut)

"""What a message reads as: text, reasoning and tool uses, each possibly partial.

Blocks are values without identity; two readings of the same text give equal blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from parsing.values import Kind, arguments_text, shown, typed


class Finish(Enum):
    """How a message ended: by the model's own will, or cut off."""

    STOP = "stop"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Prose for the person."""

    content: str
    partial: bool = False
    start: int | None = None
    end: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {"type": "text", "content": self.content} | _state(self)


@dataclass(frozen=True, slots=True)
class ReasoningBlock:
    """What the model thinks before it answers."""

    reasoning: str
    partial: bool = False
    start: int | None = None
    end: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {"type": "reasoning", "reasoning": self.reasoning} | _state(self)


@dataclass(frozen=True, slots=True)
class Value:
    """One parameter's value: the text as the dialect trims it, and how it is typed."""

    key: str
    text: str
    closed: bool = True
    kind: Kind = Kind.STRING


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call of a tool.

    `fault` says what is wrong with the call; a call with a fault is never run.  `repaired`
    lists slips that were read leniently; such a call runs, and the model is told once.
    """

    name: str
    values: tuple[Value, ...] = ()
    partial: bool = False
    fault: str | None = None
    repaired: tuple[str, ...] = ()
    start: int | None = None
    end: int | None = None

    @property
    def params(self) -> Mapping[str, Any]:
        """The values so far, typed; of duplicates the last wins.

        An open string is given as far as it came; an open value of another type is absent.
        """
        return {
            value.key: typed(value.text, value.kind) if value.closed else value.text
            for value in self.values
            if shown(value.text, value.kind, closed=value.closed)
        }

    @property
    def arguments(self) -> str:
        """JSON text of the arguments, duplicates kept; unfinished while the call is partial."""
        return arguments_text(
            ((v.key, v.text, v.kind, v.closed) for v in self.values), open_ended=self.partial
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "type": "tool_use",
            "name": self.name,
            "params": dict(self.params),
            "arguments": None if self.start is None else self.arguments,
            "partial": self.partial,
            "fault": self.fault,
            "repaired": list(self.repaired),
            "start": self.start,
            "end": self.end,
        }


Block = TextBlock | ReasoningBlock | ToolUse


def _state(block: TextBlock | ReasoningBlock) -> dict[str, Any]:
    return {"partial": block.partial, "start": block.start, "end": block.end}

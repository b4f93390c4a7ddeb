"""What a message reads as: text, reasoning and tool uses, each possibly partial.

Blocks are values without identity; two readings of the same text give equal blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pydantic_core import from_json

from parsing.forms import arguments_of, json_of, open_text, shown, value_of
from parsing.values import Form, Kind, is_object, string, string_piece


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
    form: Form = Form.TEXT


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call of a tool.

    `fault` says what is wrong with the call; a call with a fault is never run.  `repaired`
    lists slips that were read leniently; such a call runs, and the model is told once.  `raw` is
    the text of all arguments as the model wrote it, in dialects where that is one JSON object.
    """

    name: str
    values: tuple[Value, ...] = ()
    partial: bool = False
    fault: str | None = None
    repaired: tuple[str, ...] = ()
    start: int | None = None
    end: int | None = None
    raw: str | None = None

    @property
    def exact(self) -> bool:
        """The values came byte for byte: in quotes, not between marks on lines of their own."""
        return self.raw is not None or any(value.form is not Form.TEXT for value in self.values)

    @property
    def params(self) -> Mapping[str, Any]:
        """The values so far, typed; of duplicates the last wins.

        An open string is given as far as it came; an open value of another type is absent.
        """
        if self.raw is not None:
            return _params_of(self.raw, partial=self.partial)
        return {
            value.key: value_of(value.text, value.kind, value.form)
            if value.closed
            else open_text(value.text, value.form)
            for value in self.values
            if shown(value.text, value.kind, value.form, closed=value.closed)
        }

    @property
    def arguments(self) -> str:
        """JSON text of the arguments, duplicates kept; unfinished while the call is partial."""
        if self.raw is not None:
            return self.raw if self.raw or self.partial else "{}"
        return arguments_text(self.values, open_ended=self.partial)

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


def arguments_text(values: Iterable[Value], *, open_ended: bool) -> str:
    """Write values as one JSON object, duplicates kept.

    With `open_ended` the result is a prefix of what the finished call will give.
    """
    parts: list[str] = []
    for value in values:
        if not shown(value.text, value.kind, value.form, closed=value.closed):
            break
        head = f"{', ' if parts else '{'}{string(value.key)}: "
        if value.closed:
            parts.append(head + json_of(value.text, value.kind, value.form))
        else:
            parts.append(f'{head}"{string_piece(open_text(value.text, value.form))}')
    joined = "".join(parts)
    if open_ended:
        return joined
    return joined + "}" if joined else "{}"


def _params_of(raw: str, *, partial: bool) -> Mapping[str, Any]:
    if not partial:
        try:
            return arguments_of(raw)
        except ValueError:
            return {}
    try:
        found = from_json(raw, allow_partial="trailing-strings")
    except ValueError:
        return {}
    return found if is_object(found) else {}


def _state(block: TextBlock | ReasoningBlock) -> dict[str, Any]:
    return {"partial": block.partial, "start": block.start, "end": block.end}

"""What a decoder is held to besides a dialect and its tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class NoConstraint(ValueError):
    """A dialect that has no constraint, or not in the form that was asked for."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a decoder may write; None is no bound of the grammar's own."""

    text: bool = True  # text may stand before the calls
    reasoning: bool = False  # and before the text, between the dialect's tags, reasoning
    required: bool = True  # there is a call at least
    fixed: Mapping[str, str] = field(default_factory=dict[str, str])  # parameter → its only value
    max_text: int | None = None  # characters before the first call
    max_lines: int | None = None  # of 80 characters, in a value that is a string
    max_calls: int | None = None


FREE = Bounds()

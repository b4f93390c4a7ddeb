"""No protocol: a message without calls, all of it text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parsing.options import Options
from parsing.spec import ToolSpec
from parsing.table import Dialect, Mode, Slot, Table


def table(tools: Sequence[ToolSpec], options: Options) -> Table:
    """Write the table: one mode, and nothing leads out of it."""
    return Table("text", {"text": Mode(Slot.TEXT, {})})


def spell_call(name: str, values: Mapping[str, str]) -> str:
    """Refuse: raises ValueError."""
    raise ValueError(f"none: there are no calls, so none of {name}")


def describe(tools: Sequence[ToolSpec]) -> str:
    """Say nothing of tools."""
    return ""


NONE = Dialect("none", table, spell_call, describe)

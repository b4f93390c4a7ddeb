"""No protocol: a message without calls, all of it text."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.options import Options
from parsing.shape import Shape
from parsing.spec import ToolSpec
from parsing.table import Dialect, Mode, Slot, Table


def table(tools: Sequence[ToolSpec], options: Options) -> Table:
    """Write the table: one mode, and nothing leads out of it."""
    return Table("text", {"text": Mode(Slot.TEXT, {})})


NONE = Dialect("none", table, Shape(call=()), about="a message without calls")

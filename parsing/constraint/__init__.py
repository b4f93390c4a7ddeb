"""What holds a decoder to a dialect: free text, then calls of these tools, well-formed.

One grammar is made from the dialect's shape, its table and the tools; forms are ways to write it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parsing.constraint.bounds import FREE, Bounds, NoConstraint
from parsing.constraint.calls import Calls
from parsing.constraint.nodes import Grammar
from parsing.constraint.printing import printed
from parsing.constraint.structural import structural
from parsing.constraint.whole_json import schema_of_calls
from parsing.registry import dialect
from parsing.spec import ToolSpec
from parsing.table import Dialect

__all__ = [
    "Bounds",
    "Grammar",
    "NoConstraint",
    "call_schema",
    "constraint",
    "ebnf",
    "gbnf",
    "structural_tag",
]


def constraint(
    protocol: str | Dialect, tools: Sequence[ToolSpec], bounds: Bounds = FREE
) -> Grammar:
    """Make the grammar; raises NoConstraint where there is none."""
    return _calls(protocol, tools, bounds).grammar()


def gbnf(protocol: str | Dialect, tools: Sequence[ToolSpec], bounds: Bounds = FREE) -> str:
    """Write the grammar as llama.cpp takes it; raises NoConstraint."""
    return printed(constraint(protocol, tools, bounds))


def ebnf(protocol: str | Dialect, tools: Sequence[ToolSpec], bounds: Bounds = FREE) -> str:
    """Write the grammar as XGrammar takes it; raises NoConstraint."""
    return printed(constraint(protocol, tools, bounds))


def structural_tag(
    protocol: str | Dialect, tools: Sequence[ToolSpec], bounds: Bounds = FREE
) -> dict[str, Any]:
    """Write XGrammar's structural tag; raises NoConstraint."""
    return structural(_calls(protocol, tools, bounds))


def call_schema(
    protocol: str | Dialect, tools: Sequence[ToolSpec], bounds: Bounds = FREE
) -> dict[str, Any]:
    """Write the JSON schema of what stands between a JSON dialect's marks; raises NoConstraint."""
    return schema_of_calls(_calls(protocol, tools, bounds))


def _calls(protocol: str | Dialect, tools: Sequence[ToolSpec], bounds: Bounds) -> Calls:
    found = dialect(protocol) if isinstance(protocol, str) else protocol
    return Calls(found, tools, bounds)

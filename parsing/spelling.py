"""A call written in a dialect, refused when it would not read back as it was meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parsing.blocks import ToolUse
from parsing.registry import dialect, parse
from parsing.spec import ToolSpec
from parsing.table import Dialect


class Unspellable(ValueError):
    """A call that its dialect has no way to write."""


def spell_call(
    protocol: str | Dialect, tools: Sequence[ToolSpec], name: str, arguments: Mapping[str, Any]
) -> str:
    """Write a call of one of the tools; raises Unspellable when it would read as another call.

    Values that are not strings are written as JSON.
    """
    found = dialect(protocol) if isinstance(protocol, str) else protocol
    text = found.shape.spell(name, arguments)
    blocks = parse(text, found, tools)
    if len(blocks) == 1 and _means(blocks[0], name, arguments):
        return text
    raise Unspellable(
        f"{found.name} cannot write this call of {name}: it would read back as "
        f"{'; '.join(str(block.as_json()) for block in blocks) or 'nothing'}"
    )


def _means(block: object, name: str, arguments: Mapping[str, Any]) -> bool:
    if not isinstance(block, ToolUse) or block.name != name:
        return False
    clean = not block.partial and block.fault is None and not block.repaired
    return clean and list(block.params.items()) == list(arguments.items())

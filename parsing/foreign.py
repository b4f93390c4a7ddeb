"""Finds a call that was written in another dialect than the one that is read.

Law: only what leaves no doubt is found: whole calls without a fault or a lenient reading, of
declared tools, that fit their schemas and end the message.  All dialects whose marks stand in the
text must agree on them.  Examples and reasoning are no calls.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from parsing.blocks import Block, ReasoningBlock, ToolUse
from parsing.buffer import Whole
from parsing.detect import marked
from parsing.lines import Lines
from parsing.options import Options
from parsing.registry import dialect, parse
from parsing.spec import Parameter, ToolSpec
from parsing.table import Dialect
from parsing.values import Kind

_LAST = "fenced_json"
_IN_TEXT = Options(starts_in_reasoning=False)


@dataclass(frozen=True, slots=True)
class ForeignCalls:
    """The calls that end a message, and the name of the dialect they are written in."""

    dialect: str
    uses: tuple[ToolUse, ...]


def foreign_calls(
    text: str,
    protocol: str | Dialect,
    tools: Sequence[ToolSpec],
    blocks: Sequence[Block] | None = None,
) -> ForeignCalls | None:
    """Look for calls in a whole message that holds none in the dialect it was asked for.

    `blocks` are what the message reads as in that dialect, where that is known already.
    """
    asked = dialect(protocol) if isinstance(protocol, str) else protocol
    start = _answer_start(parse(text, asked, tools) if blocks is None else blocks)
    if start is None:
        return None
    answer = text[start:]
    names = [name for name in marked(answer, tools) if name != asked.name]
    found = list(_found(answer, start, [name for name in names if name != _LAST], tools))
    if not found and _LAST in names:
        found = list(_found(answer, start, [_LAST], tools))
    meant = [[(use.name, use.params) for use in calls.uses] for calls in found]
    return found[0] if found and all(calls == meant[0] for calls in meant) else None


def _answer_start(blocks: Sequence[Block]) -> int | None:
    """Give where the last reasoning ends; none where nothing follows it, or a call was read."""
    start = 0
    for block in blocks:
        match block:
            case ToolUse():
                return None
            case ReasoningBlock(end=None):
                return None
            case ReasoningBlock(end=int(end)):
                start = end
            case _:
                pass
    return start


def _found(
    text: str, start: int, names: Sequence[str], tools: Sequence[ToolSpec]
) -> Iterator[ForeignCalls]:
    specs = {tool.name: tool for tool in tools}
    for name in names:
        blocks = parse(text, name, tools, options=_IN_TEXT)
        first = next((at for at, one in enumerate(blocks) if isinstance(one, ToolUse)), None)
        uses = [use for use in blocks[first:] if isinstance(use, ToolUse)]
        whole = first is not None and len(uses) == len(blocks) - first
        if whole and all(_clear(use, specs) for use in uses) and not _inert(text, uses[0]):
            yield ForeignCalls(name, tuple(_moved(use, start) for use in uses))


def _clear(use: ToolUse, specs: Mapping[str, ToolSpec]) -> bool:
    if use.partial or use.fault is not None or use.repaired or use.name not in specs:
        return False
    declared, given = specs[use.name].params, use.params
    needed = {param.name for param in declared.values() if param.required}
    if not needed <= given.keys() <= declared.keys() or _repeats(use):
        return False
    return all(_fits(value, declared[name]) for name, value in given.items())


def _fits(value: Any, param: Parameter) -> bool:
    match value:
        case None:
            return Kind.NULL in param.kind or not param.required
        case bool():
            return Kind.BOOLEAN in param.kind
        case int():
            return bool(param.kind & (Kind.INTEGER | Kind.NUMBER))
        case float():
            return Kind.NUMBER in param.kind
        case str():
            return Kind.STRING in param.kind
        case list():
            return Kind.ARRAY in param.kind
        case _:
            return Kind.OBJECT in param.kind


def _repeats(use: ToolUse) -> bool:
    """Say whether an argument is given twice: which of them is meant is not clear."""
    names = [[value.key for value in use.values]]

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        names.append([name for name, _ in pairs])
        return dict(pairs)

    json.loads(use.raw or "{}", strict=False, object_pairs_hook=keep)
    return any(len(set(each)) < len(each) for each in names)


def _inert(text: str, use: ToolUse) -> bool:
    """Say whether a call stands inside a Markdown fence or inline code."""
    return Lines(0).inert_at(Whole(text), use.start or 0)


def _moved(use: ToolUse, by: int) -> ToolUse:
    start = None if use.start is None else use.start + by
    return replace(use, start=start, end=None if use.end is None else use.end + by)

"""A history with native calls, told as text: a session that was held so goes on in a dialect.

Law: whatever a call was, it and its result stand where they stood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from agent.accumulator import NativeCall
from agent.native import native_use
from agent.providers.base import Message
from parsing import ToolSpec, ToolUse
from tools import heading


class Speller(Protocol):
    """Whatever knows how calls and results are written."""

    @property
    def tools(self) -> Sequence[ToolSpec]: ...

    def spell(self, use: ToolUse) -> str: ...

    def spell_result(self, name: str, heading: str, text: str) -> str: ...


def as_text(messages: Iterable[Message], speller: Speller) -> Iterator[Message]:
    """Give the messages, with each native call and each result spelled in the text."""
    uses: dict[str, ToolUse] = {}
    for message in messages:
        if not message.calls and not message.results:
            yield message
            continue
        for call in message.calls:
            told = NativeCall(call.id, call.name, [call.arguments])
            uses[call.id] = native_use(told, speller.tools, ended=True)
        calls = [speller.spell(uses[call.id]) for call in message.calls]
        results = [
            speller.spell_result(use.name, heading(use), result.text)
            for result in message.results
            if (use := uses.get(result.call_id)) is not None
        ]
        text = "\n\n".join(part for part in (*results, message.text, *calls) if part.strip())
        yield replace(message, text=text, calls=(), results=())

"""How a model is spoken to that calls tools natively.

Law: nothing in the text is a call.  Each native call goes back with its id, and has in the next
message the one result that answers it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import parsing
from agent.accumulator import Accumulator
from agent.dialects import NATIVE
from agent.native import NativeUse, sent
from agent.native_reading import NativeReading
from agent.prompt import native_prompt, shortened
from agent.providers.base import Message, SentResult
from agent.reading import Hearing, Reading
from agent.results import (
    AS_TEXT,
    NO_TOOL,
    Answer,
    native_correction,
    results_text,
    shown_text,
)
from agent.speech import Speech
from parsing import Block, ForeignCalls, Mode, ToolSpec

_TEXT = "cline"
"""Without tools nothing in this dialect is a call, and reasoning in the text is read."""


def speech_of(name: str, tools: Sequence[ToolSpec]) -> Speech:
    """Give the speech for a dialect's name, or for native calls."""
    return NativeSpeech(tools) if name == NATIVE else Speech(name, tools)


class NativeSpeech(Speech):
    """Tools that are told beside the prompt, and calls beside the text."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        super().__init__(parsing.NO_CALLS, tools)
        self._text = parsing.dialect(_TEXT)

    @property
    def name(self) -> str:
        return NATIVE

    @property
    def example(self) -> str:
        return ""

    def offered(self, *, compact: bool) -> tuple[ToolSpec, ...]:
        tools = map(shortened, self.tools) if compact else self.tools
        return tuple(map(_plain, tools))

    def reading(self, mode: Mode, diverged: Callable[[str], None]) -> Hearing:
        """Begin to read one message."""

        def text() -> Reading:
            return Reading(lambda mode: parsing.reader(self._text, (), mode), mode, diverged)

        return NativeReading(text, self.tools)

    def prompt(self, root: Path, *, several: bool, compact: bool) -> str:
        """Write the system prompt, which says nothing of tools."""
        return native_prompt(root, several=several, compact=compact)

    def grammar(self, *, several: bool) -> None:
        """Give none: how a native call is written is the server's."""

    def said(self, so_far: Accumulator, uses: Sequence[NativeUse], mark: str) -> Message:
        """Write a reply down, with its calls as they go back."""
        return replace(so_far.message(mark), calls=tuple(map(sent, uses)))

    def results(self, answers: Iterable[Answer], words: Iterable[str]) -> Message:
        """Write the message that answers a reply; calls that were taken from text are told so."""
        told = list(answers)
        results = tuple(
            SentResult(answer.use.call_id, shown_text(answer))
            for answer in told
            if isinstance(answer.use, NativeUse)
        )
        others = [answer for answer in told if not isinstance(answer.use, NativeUse)]
        return Message("user", results_text(self, others, *words), results=results)

    def retold(self, messages: Iterable[Message]) -> Iterable[Message]:
        """Leave a history as it is: the calls of a text are text."""
        return messages

    def correction(self, calls: ForeignCalls, *, taken: bool) -> str:
        """Say that a call in the text is none."""
        return native_correction(calls, taken=taken)

    def slip(self, blocks: Sequence[Block]) -> str:
        """Say what is wrong with a message that holds no call."""
        return AS_TEXT if self.resembles_calls(blocks) else NO_TOOL


def _plain(tool: ToolSpec) -> ToolSpec:
    """Leave out of a tool's schema what only our own dialects read: some servers refuse it."""
    told = {
        name: {key: value for key, value in schema.items() if not key.startswith("x-")}
        for name, schema in dict(tool.parameters).get("properties", {}).items()
    }
    return ToolSpec(tool.name, tool.description, {**tool.parameters, "properties": told})


def weight(tools: Iterable[ToolSpec]) -> int:
    """Count the characters that tools take beside the prompt."""
    told = ((tool.name, tool.description, dict(tool.parameters)) for tool in tools)
    return sum(len(json.dumps(each)) for each in told)

"""The dialect a model is spoken to in: how it is read, and how everything is spelled for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import parsing
from agent.accumulator import Accumulator
from agent.native import NativeUse
from agent.prompt import system_prompt
from agent.providers.base import Message
from agent.reading import Hearing, Reading
from agent.results import (
    FENCED,
    FOREIGN,
    NO_TOOL,
    Answer,
    correction,
    fenced_texts,
    results_text,
)
from agent.retold import as_text
from parsing import Block, ForeignCalls, Mode, Options, TextBlock, ToolSpec, ToolUse
from parsing.shape import Hole

_SAMPLES = {"path": "src/main.py", "result": "What was done."}

# JSON that names a tool, the tags and calls of other protocols, our own tags spelled wrongly
_FOREIGN = (
    r"""["']?(?:name|tool|tool_name|function)["']?\s*[:=]\s*["'](?:{names})["']"""
    r"""|<(?:tool_call|function_calls?|invoke|function=)[^<]*(?:{names})|\[TOOL_CALL"""
    r"""|^\s*(?:{names})\s*\(|^\s*<\s*(?:{names})\b[^>]*>"""
).replace(r"^\s*", r"(?m:^)[ \t]*")


class Speech:
    """One dialect with the tools it speaks of."""

    def __init__(self, name: str, tools: Sequence[ToolSpec]) -> None:
        self.dialect = parsing.dialect(name)
        self.tools = tuple(tools)

    @property
    def name(self) -> str:
        return self.dialect.name

    def offered(self, *, compact: bool) -> tuple[ToolSpec, ...]:
        """Give the tools that are told beside the prompt: none, the prompt describes them."""
        del compact
        return ()

    def reading(self, mode: Mode, diverged: Callable[[str], None]) -> Hearing:
        """Begin to read one message."""
        answer = Options(starts_in_reasoning=False)
        return Reading(
            lambda mode: parsing.reader(self.dialect, self.tools, mode),
            mode,
            diverged,
            lambda mode: parsing.reader(self.dialect, self.tools, mode, options=answer),
            self.tools,
        )

    def prompt(self, root: Path, *, several: bool, compact: bool) -> str:
        """Write the system prompt."""
        return system_prompt(
            self.dialect.shape,
            self.tools,
            root,
            several=several,
            compact=compact,
            quotes=not self._read(f"```\n{self.example}\n```"),
        )

    def grammar(self, *, several: bool) -> str | None:
        """Write what holds a llama.cpp decoder to calls of the tools, if there is such a thing."""
        from parsing.constraint import Bounds, NoConstraint, gbnf

        bounds = Bounds(reasoning=True, max_calls=None if several else 1)
        try:
            return gbnf(self.dialect, self.tools, bounds)
        except NoConstraint:
            return None

    def said(self, so_far: Accumulator, uses: Sequence[NativeUse], mark: str) -> Message:
        """Write a reply down; calls that came natively stand in its text, spelled."""
        return so_far.message(*map(self.spell, uses), mark)

    def results(self, answers: Iterable[Answer], words: Iterable[str]) -> Message:
        """Write the message that answers a reply."""
        return Message("user", results_text(self, answers, *words))

    def retold(self, messages: Iterable[Message]) -> Iterable[Message]:
        """Tell a history that was held with native calls in this dialect."""
        return as_text(messages, self)

    def spell_result(self, name: str, heading: str, text: str) -> str:
        """Write one call's result, headed where the dialect itself does not name the tool."""
        shape = self.dialect.shape
        headed = text if Hole.NAME in shape.result else f"{heading}\n{text}"
        return shape.spell_result(name, headed)

    def spell(self, use: ToolUse) -> str:
        """Write a call that came another way as the model should have written it."""
        if not use.partial and use.fault is None:
            return self.dialect.shape.spell(use.name, use.params)
        return f"[A call of {use.name} that cannot be shown: {use.arguments}]"

    def foreign(self, text: str, blocks: Sequence[Block]) -> ForeignCalls | None:
        """Look for calls in another dialect in a message that was read and holds none."""
        return parsing.foreign_calls(text, self.dialect, self.tools, blocks)

    def correction(self, calls: ForeignCalls, *, taken: bool) -> str:
        """Say what dialect is expected instead, and how the calls are written in it."""
        told = [(use.name, use.params) for use in calls.uses]
        spelled = self.dialect.shape.spell_all(told)
        same = [(use.name, use.params) for use in self._read(spelled)] == told
        own = spelled if same else None
        return correction(calls, self.name, own, self.example, taken=taken)

    @property
    def example(self) -> str:
        """Give a call to show: of read_file, else of the first tool."""
        named = [tool for tool in self.tools if tool.name == "read_file"] or list(self.tools)
        if not named:
            return ""
        wanted = named[0].params.values()
        values = {p.name: _SAMPLES.get(p.name, "…") for p in wanted if p.required}
        return self.dialect.shape.spell(named[0].name, values)

    def slip(self, blocks: Sequence[Block]) -> str:
        """Say what is wrong with a message that holds no call."""
        for text in fenced_texts(blocks):
            if self._read(text):
                return FENCED
        return FOREIGN if self.resembles_calls(blocks) else NO_TOOL

    def resembles_calls(self, blocks: Sequence[Block]) -> bool:
        """Say whether a text has something of a call in it, in whatever form."""
        names = "|".join(re.escape(tool.name) for tool in self.tools)
        foreign = re.compile(_FOREIGN.format(names=names), re.IGNORECASE)
        said = (block.content for block in blocks if isinstance(block, TextBlock))
        return bool(names) and any(foreign.search(text) for text in said)

    def _read(self, text: str) -> list[ToolUse]:
        """Read the whole calls of a text that is no reasoning."""
        options = Options(starts_in_reasoning=False)
        blocks = parsing.parse(text, self.dialect, self.tools, options=options)
        return [block for block in blocks if isinstance(block, ToolUse) and not block.partial]

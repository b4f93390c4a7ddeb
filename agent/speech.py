"""The dialect a model is spoken to in: how it is read, and how everything is spelled for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import parsing
from agent.prompt import system_prompt
from agent.reading import Reading
from agent.results import Answer, fenced_texts, results_text
from parsing import Block, Mode, ToolSpec, ToolUse

_SAMPLES = {"path": "src/main.py", "result": "What was done."}


class Speech:
    """One dialect with the tools it speaks of."""

    def __init__(self, name: str, tools: Sequence[ToolSpec]) -> None:
        self.dialect = parsing.dialect(name)
        self.tools = tuple(tools)

    @property
    def name(self) -> str:
        return self.dialect.name

    def reading(self, mode: Mode, diverged: Callable[[str], None]) -> Reading:
        """Begin to read one message."""
        return Reading(lambda mode: parsing.reader(self.dialect, self.tools, mode), mode, diverged)

    def prompt(self, root: Path, *, several: bool, compact: bool) -> str:
        """Write the system prompt."""
        return system_prompt(self.dialect, self.tools, root, several=several, compact=compact)

    def results(self, answers: Iterable[Answer], words: Iterable[str]) -> str:
        """Write the message that answers a reply."""
        return results_text(self, answers, *words)

    def spell_result(self, heading: str, text: str) -> str:
        """Write one call's result."""
        return f"{heading}\n{text}"

    def spell(self, use: ToolUse) -> str:
        """Write a call that came another way as the model should have written it."""
        values = {key: _text(value) for key, value in use.params.items()}
        try:
            if not use.partial and use.fault is None:
                return self.dialect.spell_call(use.name, values)
        except ValueError:  # the speller refuses what would not read back
            pass
        return f"[A call of {use.name} that cannot be shown: {use.arguments}]"

    @property
    def example(self) -> str:
        """Give a call to show: of read_file, else of the first tool."""
        named = [tool for tool in self.tools if tool.name == "read_file"] or list(self.tools)
        if not named:
            return ""
        wanted = named[0].params.values()
        values = {p.name: _SAMPLES.get(p.name, "…") for p in wanted if p.required}
        return self.dialect.spell_call(named[0].name, values)

    def fenced_call(self, blocks: Iterable[Block]) -> bool:
        """Say whether a whole call stands in a code fence of the message."""
        return any(
            isinstance(block, ToolUse) and not block.partial
            for text in fenced_texts(blocks)
            for block in parsing.parse(text, self.dialect, self.tools)
        )


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

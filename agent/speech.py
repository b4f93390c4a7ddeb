"""The dialect a model is spoken to in: how it is read, and how everything is spelled for it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import parsing
from agent.prompt import system_prompt
from agent.reading import Reading
from agent.results import FENCED, FOREIGN, NO_TOOL, Answer, fenced_texts, results_text
from parsing import Block, Mode, TextBlock, ToolSpec, ToolUse

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

    def reading(self, mode: Mode, diverged: Callable[[str], None]) -> Reading:
        """Begin to read one message."""
        return Reading(lambda mode: parsing.reader(self.dialect, self.tools, mode), mode, diverged)

    def prompt(self, root: Path, *, several: bool, compact: bool) -> str:
        """Write the system prompt."""
        return system_prompt(self.dialect.shape, self.tools, root, several=several, compact=compact)

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
                return self.dialect.shape.spell(use.name, values)
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
        return self.dialect.shape.spell(named[0].name, values)

    def slip(self, blocks: Sequence[Block]) -> str:
        """Say what is wrong with a message that holds no call."""
        for text in fenced_texts(blocks):
            uses = parsing.parse(text, self.dialect, self.tools)
            if any(isinstance(use, ToolUse) and not use.partial for use in uses):
                return FENCED
        names = "|".join(re.escape(tool.name) for tool in self.tools)
        foreign = re.compile(_FOREIGN.format(names=names), re.IGNORECASE)
        said = (block.content for block in blocks if isinstance(block, TextBlock))
        return FOREIGN if names and any(foreign.search(text) for text in said) else NO_TOOL


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

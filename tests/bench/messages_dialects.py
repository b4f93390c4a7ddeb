"""Messages in every dialect's own syntax, of any size, and what they say."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from parsing import Block, Dialect, Options, TextBlock, ToolSpec, ToolUse, dialect, dialect_names
from parsing.grammar import Grammar
from parsing.registry import compiled
from parsing.shape import Hole
from tests.bench.messages import filled, prose

_STRING = {"type": "string"}
TOOLS = (
    ToolSpec(
        "write_file",
        "",
        {"properties": {"path": _STRING, "content": _STRING}, "required": ["path", "content"]},
    ),
    ToolSpec(
        "note",
        "",
        {
            "properties": {
                **dict.fromkeys(("title", "author", "text"), _STRING),
                "count": {"type": "integer"},
                "done": {"type": "boolean"},
                "tags": {"type": "array", "items": _STRING},
            },
            "required": ["title"],
        },
    ),
    ToolSpec("now", "", {"properties": {}}),
)
NAMES = tuple(name for name in dialect_names() if name not in ("none", "cline-v2"))
Call = tuple[str, dict[str, Any]]

_CODE = '''
def told(x: list[int]) -> dict[str, int]:
    """Say "hi" & more <b>; that is all."""
    if x < 3 and {"a": [1, 2]}:
        print('it\\'s', "a\\tb", x[0], f"{x!r}")
    return {}  # done

'''
_SMALL: tuple[Call, ...] = (
    (
        "note",
        {"title": "a < b", "author": "Zoë", "count": 3, "done": True, "tags": ["x", "y"]},
    ),
    ("write_file", {"path": "a/b.py", "content": "x = 1"}),
    ("now", {}),
    ("note", {"title": 'say "so"', "text": "end", "count": -1}),
)


@dataclass(frozen=True)
class Said:
    """A message, and the text or the calls that it must be read as."""

    text: str
    prose: str = ""
    calls: tuple[Call, ...] = ()

    def is_read_as(self, blocks: tuple[Block, ...]) -> bool:
        told = "".join(block.content for block in blocks if isinstance(block, TextBlock))
        uses = [block for block in blocks if isinstance(block, ToolUse)]
        read = tuple((use.name, dict(use.params)) for use in uses)
        return told == self.prose and read == self.calls


@dataclass(frozen=True)
class Spoken:
    """A dialect, ready to read and to write."""

    name: str

    @cached_property
    def dialect(self) -> Dialect:
        return dialect(self.name)

    @cached_property
    def grammar(self) -> Grammar:
        return compiled(self.dialect, TOOLS, Options(starts_in_reasoning=False))

    @property
    def is_json(self) -> bool:
        """All arguments stand in it as one JSON object."""
        return Hole.ARGUMENTS in self.dialect.shape.call

    def spell(self, *calls: Call) -> str:
        return self.dialect.shape.spell_all(calls)

    def long_value(self, size: int) -> Said:
        """One call that writes a file, as long as the text may be."""
        unit = len(json.dumps(_CODE)) / len(_CODE) if self.is_json else 1
        call = ("write_file", {"path": "a.py", "content": filled(_CODE, int(size / unit))})
        return Said(f"Sure.\n{self.spell(call)}", "Sure.", (call,))

    def small_calls(self, size: int) -> Said:
        """Calls of short values."""
        times = max(1, size // len(self.spell(*_SMALL)))
        calls = _SMALL * times
        return Said(self.spell(*calls), calls=calls)

    def plain(self, size: int) -> Said:
        """Text without a call."""
        text = prose(size).strip()
        return Said(text, text)

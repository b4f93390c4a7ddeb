"""A message to try: its text, how it is cut, and what is asked of the reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any

from parsing.blocks import Finish
from parsing.options import AGENT, Options
from parsing.spec import ToolSpec


def _tool(name: str, *required: str, **properties: Any) -> ToolSpec:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return ToolSpec(name, f"The tool {name}.", schema)


_STRING = {"type": "string"}
READ = _tool("read_file", "path", path=_STRING)
WRITE = _tool("write_to_file", "path", "content", path=_STRING, content=_STRING)
TYPED = _tool(
    "typed-values",
    count={"type": "integer"},
    ratio={"type": "number"},
    flag={"type": "boolean"},
    tags={"type": "array", "items": _STRING},
    table={"type": "object"},
    note={"type": ["string", "null"]},
    either={"anyOf": [{"type": "integer"}, {"type": "string"}]},
    max_size={"type": ["integer", "null"]},
)
RUN = _tool("run", command=_STRING, timeout={"type": ["integer", "null"]})
NOW = _tool("now")
TOOL_SETS: tuple[tuple[ToolSpec, ...], ...] = (
    (READ, WRITE, TYPED, RUN, NOW),
    (READ,),
    (NOW,),
    (WRITE, RUN),
    (),
)
"""What messages are tried with, the first most often."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `cuts` are the places where its chunks end, the last one left out."""

    dialect: str
    text: str
    cuts: tuple[int, ...] = ()
    tools: tuple[ToolSpec, ...] = TOOL_SETS[0]
    options: Options = AGENT
    finish: Finish = Finish.STOP

    @property
    def chunks(self) -> tuple[str, ...]:
        places = (0, *self.cuts, len(self.text))
        return tuple(self.text[start:end] for start, end in pairwise(places) if start < end)

    def without(self, start: int, end: int) -> Message:
        """Take a piece out."""
        text = self.text[:start] + self.text[end:]
        moved = {min(cut, max(start, cut - (end - start))) for cut in self.cuts}
        return replace(self, text=text, cuts=tuple(sorted(moved - {0, len(text)})))


def cuts_of(chunks: Sequence[str]) -> tuple[int, ...]:
    """Give the places where chunks end, the last one left out."""
    return tuple(accumulate(map(len, chunks)))[:-1]

"""What must hold for every dialect, made from a sheet of its literals.

`<dialect>.toml` beside this file says how the dialect writes a few fixed calls; the cases and what
they read as are the same for all.  Members of a sheet:

- `dialect`; `profiles` (both); `marks`: what a tokenizer would have as one token;
- `open`, `between`, `close`: around and between the calls of one section; `lead`: white space
  that belongs to the opening mark; `sections = false`: a message has but one;
  `blanks = false`: blanks between calls are of the format;
- `say`, `think`: what stands before and after text and reasoning (no `think`: it has none);
  `glue`: what stands between the parts of a message;
- `nested`: a call in reasoning is a "call" or "prose" (serving; for the agent it is prose);
- `unknown`: a call of no declared tool is "dropped" (serving; a fault for the agent) or "text";
- `calls`: `now()`, `weather(city="Paris", days=3)`, `unknown()`; and where the format has it:
  `repeated` (city Paris, then Bern), `swapped` (arguments before the name), `cut` (in the value
  "Paris", after "Par"), `nameless` (cut in the name), `malformed`, `quoting` (a file whose content
  is `quoted`), `unended` (weather without what closes it), `forgotten` (the same, then `now`);
- `case`: rows of their own: `id`, `text`, `content`, `reasoning`, `calls`, `profile`, …
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parsing import Finish, Profile, ToolSpec

HERE = Path(__file__).parent
TOOLS = (
    ToolSpec("now", "", {"type": "object", "properties": {}}),
    ToolSpec(
        "get_weather",
        "",
        {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}},
    ),
    ToolSpec(
        "write_file",
        "",
        {
            "type": "object",
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        },
    ),
)
FIRST = {
    *("cline", "claude_xml", "hermes", "qwen3_coder", "harmony", "glm45", "glm47"),
    *("deepseek_v3", "deepseek_v31", "dsml", "kimi_k2", "minimax_m2", "llama3_json", "pythonic"),
    *("mistral", "mistral_v11", "gemma4", "internlm", "fenced_json"),
}
PROFILES: tuple[Profile, ...] = ("serving", "agent")


@dataclass(frozen=True)
class Call:
    """A call as it must be read; `state` is complete, partial, fault, bad (either), or any."""

    name: str
    arguments: str | None = None  # none: whatever they are
    state: str = "complete"


NOW = Call("now", "{}")
WEATHER = Call("get_weather", '{"city": "Paris", "days": 3}')


@dataclass(frozen=True)
class Case:
    """One message, in one profile."""

    id: str
    profile: Profile
    text: str
    content: Sequence[str] = ()  # in parts: the agent's are trimmed
    reasoning: Sequence[str] = ()
    calls: Sequence[Call] = ()
    finish: Finish = Finish.STOP
    starts_in_reasoning: bool = False


class Sheet:
    """A dialect's literals, and the cases made of them."""

    def __init__(self, path: Path) -> None:
        table: Mapping[str, Any] = tomllib.loads(path.read_text("utf-8"))
        self.dialect: str = table["dialect"]
        self.marks: tuple[str, ...] = tuple(table["marks"])
        self.profiles: tuple[Profile, ...] = tuple(table.get("profiles", PROFILES))
        self.calls: Mapping[str, str] = table["calls"]
        self.lead: str = table.get("lead", "")
        self.glue: str = table.get("glue", "")
        self.say: tuple[str, str] = tuple(table.get("say", ("", "")))
        self.think: tuple[str, str] | None = tuple(table["think"]) if "think" in table else None
        self.sections: bool = table.get("sections", True)
        self.blanks: bool = table.get("blanks", True)
        self.nested: str = table.get("nested", "call")
        self.unknown: str = table.get("unknown", "dropped")
        self.quoted: str = table.get("quoted", "")
        self._open: str = table.get("open", "")
        self._between: str = table.get("between", "")
        self._close: str = table.get("close", "")
        self._rows: Sequence[Mapping[str, Any]] = table.get("case", ())

    @property
    def first(self) -> bool:
        """It is of the first group of dialects, which are tried at more cuts."""
        return self.dialect in FIRST

    @property
    def plain(self) -> bool:
        """Text and calls follow each other as they are."""
        return not any((*self.say, self.glue))

    def section(self, *calls: str) -> str:
        return self._open + self._between.join(self.calls[call] for call in calls) + self._close

    def opened(self, call: str) -> str:
        """A section that is not closed."""
        return self._open + self.calls[call]

    def message(self, *parts: str) -> str:
        return self.glue.join(parts)

    def text(self, words: str) -> str:
        return self.say[0] + words + self.say[1]

    def has(self, *calls: str) -> bool:
        return all(call in self.calls for call in calls)

    @property
    def rows(self) -> Iterator[Case]:
        """The rows that the sheet itself has, in the profiles that they name."""
        for row in self._rows:
            calls = tuple(Call(*call) for call in row.get("calls", ()))
            for profile in row.get("profiles", self.profiles):
                yield Case(
                    row["id"],
                    profile,
                    row["text"],
                    row.get("content", ()),
                    row.get("reasoning", ()),
                    calls,
                    Finish(row.get("finish", "stop")),
                    row.get("starts_in_reasoning", False),
                )

    @property
    def quotation(self) -> Call:
        return Call("write_file", json.dumps({"content": self.quoted}, ensure_ascii=False))


def sheets() -> list[Sheet]:
    return [Sheet(path) for path in sorted(HERE.glob("*.toml"))]

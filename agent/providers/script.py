"""What a scripted model says: turns of parts, how they are cut into chunks, and what goes wrong."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, cycle, repeat
from typing import Literal, TypeAlias

from agent.providers.base import JsonObject, Usage

# Characters a chunk (0: all at once), several sizes in turn, or the ends of words or of lines.
Cuts: TypeAlias = int | tuple[int, ...] | Literal["word", "line"]
FaultKind = Literal["stall", "break", "error", "rate_limit", "overloaded", "unreachable", "refused"]
FAULTS: tuple[FaultKind, ...] = (
    "stall",
    "break",
    "error",
    "rate_limit",
    "overloaded",
    "unreachable",
    "refused",
)


@dataclass(frozen=True, slots=True)
class Say:
    """Text of the answer; its own cuts go before those of the turn."""

    text: str
    cuts: Cuts | None = None


@dataclass(frozen=True, slots=True)
class Think:
    """Text of the reasoning channel."""

    text: str
    cuts: Cuts | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Seconds in which nothing comes."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Call:
    """A native call."""

    name: str
    arguments: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """Provider data that comes back with the history."""

    data: JsonObject


Part: TypeAlias = Say | Think | Pause | Call | Keep


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong once `after` characters were told, the first `times` that the turn plays."""

    kind: FaultKind
    after: int = 0
    times: int = 1
    message: str = ""
    status: int = 500
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer."""

    parts: tuple[Part, ...] = ()
    cuts: Cuts = 0
    pause: float = 0.0  # seconds before each chunk but the first
    first_pause: float = 0.0  # … before the first
    usage: Usage | None = None
    finish: str = "stop"
    fault: Fault | None = None
    expect: str | None = None  # a regular expression, searched in the last message of the user


@dataclass(frozen=True, slots=True)
class Script:
    """All turns of a model that plays a part."""

    turns: tuple[Turn, ...]
    model: str = "script"
    source: str = "the script"

    @classmethod
    def of(cls, *texts: str, cuts: Cuts = 0) -> "Script":
        """Make the plainest script: each text is a turn."""
        return cls(tuple(Turn((Say(text),), cuts=cuts) for text in texts))


def cut(text: str, cuts: Cuts) -> Iterator[str]:
    """Cut a text into chunks; put together they are the text."""
    match cuts:
        case "word":
            yield from re.findall(r"\s*\S+|\s+\Z", text)
        case "line":
            yield from re.findall(r"[^\n]*\n|[^\n]+\Z", text)
        case int() | tuple():
            yield from _sized(text, cuts)


def _sized(text: str, cuts: int | tuple[int, ...]) -> Iterator[str]:
    sizes = repeat(cuts) if isinstance(cuts, int) else chain(cycle(cuts), repeat(0))
    start = 0
    for size in sizes:
        end = start + size if size > 0 else len(text)
        if start < len(text):
            yield text[start:end]
        start = end
        if start >= len(text):
            return

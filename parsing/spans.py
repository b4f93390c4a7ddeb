"""What a message is made of while it is read: runs of text and calls, all by their offsets."""

from __future__ import annotations

from dataclasses import dataclass

from parsing.table import Slot, Trim
from parsing.values import Form, Kind

SPACE, NEWLINE = Trim.SPACE, Trim.NEWLINE


class Param:
    """One value of a call, by its offsets; `known` says that it counts among the values."""

    __slots__ = ("end", "form", "key", "kind", "known", "start", "trim")

    def __init__(self, key: str, start: int, kind: Kind, trim: Trim, form: Form) -> None:
        self.key = key
        self.start = start
        self.end: int | None = None
        self.kind = kind
        self.trim = trim
        self.form = form
        self.known = True


@dataclass(slots=True)
class Run:
    """A run of text or reasoning, by its offsets."""

    slot: Slot
    start: int
    end: int | None = None
    after_call: bool = False
    before_call: bool = False


@dataclass(slots=True)
class Args:
    """All arguments of a call as one JSON text, by its offsets."""

    start: int
    end: int | None = None


class Call:
    """A call, by its offsets; a note that is a pair of offsets is junk between its parts."""

    __slots__ = (
        "_keyed",
        "_keys",
        "args",
        "end",
        "fault",
        "hidden",
        "name",
        "notes",
        "params",
        "start",
    )

    def __init__(self, name: str | None, start: int) -> None:
        self.name = name  # none until it is read
        self.start = start
        self.end: int | None = None
        self.fault: str | None = None
        self.params: list[Param] = []
        self.args: Args | None = None
        self.notes: list[str | tuple[int, int]] = []
        self.hidden = False  # a call of an unknown name leaves no trace
        self._keys: set[str] | None = None  # of the first `_keyed` parameters
        self._keyed = 0

    def given(self, name: str) -> bool:
        """Say whether the call has had this parameter; each parameter is looked at once."""
        keys = self._keys = set[str]() if self._keys is None else self._keys
        keys.update(param.key for param in self.params[self._keyed :])
        self._keyed = len(self.params)
        return name in keys


@dataclass(slots=True)
class Thought:
    """A stretch of reasoning between its marks, by its offsets; calls inside it do not end it."""

    start: int
    end: int | None = None


Span = Run | Call


def trimmed(text: str, trim: Trim, *, closed: bool) -> str:
    """Drop what a value sheds; of an open one, also what it may shed when it closes."""
    if trim is SPACE:
        return text.strip()
    if trim is not NEWLINE:
        return text
    if text.startswith("\n"):
        text = text[1:]
    elif text.startswith("\r\n"):
        text = text[2:]
    if text.endswith("\n"):
        return text[:-2] if text.endswith("\r\n") else text[:-1]
    return text if closed or not text.endswith("\r") else text[:-1]


def arguments_trimmed(text: str) -> str:
    """Drop the white space around arguments; what stands inside a bracket is kept as it is."""
    text = text.lstrip()
    return text if text[:1] in ("{", "[") else text.rstrip()

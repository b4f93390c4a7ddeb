"""Text that grows, told piece by piece: what its slot sheds is held back, and nothing else."""

from __future__ import annotations

from typing import Protocol

from parsing.quoted import Quoted
from parsing.table import Trim
from parsing.values import Form

SPACE, NONE = Trim.SPACE, Trim.NONE  # looking a member up in its enum is dear
_NOTHING: frozenset[str] = frozenset()
_BREAK = frozenset("\n\r")
_WHITE = frozenset(char for char in map(chr, range(0x3001)) if char.isspace())


class Flow(Protocol):
    """An open run of text."""

    looked: int  # how far the text was taken
    begun: bool  # something was told
    settled: bool  # text that ends with none of `waits` is told as it is
    waits: frozenset[str]

    def take(self, new: str, *, closed: bool = False) -> str:
        """Take the text that was added; give what can be told."""
        ...


class Spaced:
    """An open run whose slot sheds all white space at both ends."""

    __slots__ = ("_space", "begun", "looked", "settled")
    waits = _WHITE

    def __init__(self, start: int) -> None:
        self.looked = start  # how far the text was taken
        self.begun = False
        self.settled = False
        self._space: list[str] = []  # white space that is told once something follows it

    def take(self, new: str, *, closed: bool = False) -> str:
        """Take the text that was added; give what can be told."""
        bare = new.rstrip()
        if not bare:
            if self.begun and new:
                self._space.append(new)
                self.settled = False
            return ""
        after = new[len(bare) :]
        if not self.begun:
            self.begun = True
            bare = bare.lstrip()
        elif self._space:
            bare = "".join(self._space) + bare
            self._space.clear()
        self.settled = not after
        if after:
            self._space.append(after)
        return bare


class Framed:
    """An open run whose slot sheds one framing newline on each side."""

    __slots__ = ("_kept", "begun", "looked", "settled")
    waits = _BREAK

    def __init__(self, start: int) -> None:
        self.looked = start  # how far the text was taken
        self.begun = False
        self.settled = False
        self._kept = ""  # what may be the framing newline, or half of it

    def take(self, new: str, *, closed: bool = False) -> str:
        """Take the text that was added; give what can be told."""
        new = self._kept + new
        if not self.begun:
            if not closed and new in ("", "\r"):
                self._kept = new
                return ""
            self.begun = True
            new = new[1 if new[:1] == "\n" else 2 if new[:2] == "\r\n" else 0 :]
        told = new
        if new[-1:] in _BREAK:
            bare = new.removesuffix("\n")
            told = bare.removesuffix("\r") if len(bare) < len(new) or not closed else bare
        self._kept = new[len(told) :]
        self.settled = not self._kept
        return told


class Exact:
    """An open run whose slot sheds nothing."""

    __slots__ = ("begun", "looked", "settled")
    waits = _NOTHING

    def __init__(self, start: int) -> None:
        self.looked = start
        self.begun = False
        self.settled = True

    def take(self, new: str, *, closed: bool = False) -> str:
        """Take the text that was added; give what can be told."""
        self.begun = self.begun or bool(new)
        return new


class ArgumentsFlow:
    """Open arguments as the model wrote them."""

    __slots__ = ("_spaced", "begun", "looked", "settled")
    waits = _NOTHING

    def __init__(self, start: int) -> None:
        self.looked = start
        self.begun = False
        self.settled = False  # they stand inside a bracket: all white space is theirs
        self._spaced = Spaced(start)  # else

    def take(self, new: str, *, closed: bool = False) -> str:
        """Take the text that was added; give what can be told."""
        if self.settled:
            return new
        if not self.begun:
            new = new.lstrip()
            self.begun = bool(new)
            if new[:1] in ("{", "["):
                self.settled = True
                return new
        return self._spaced.take(new)


class AfterCall:
    """An open run of which leading newlines wait: between two calls they are no text."""

    __slots__ = ("_kept", "begun", "looked", "settled")
    waits = _NOTHING

    def __init__(self, start: int) -> None:
        self.looked = start
        self.begun = False
        self.settled = False
        self._kept: list[str] = []

    def take(self, new: str, *, closed: bool = False) -> str:
        """Take the text that was added; give what can be told."""
        if self.begun:
            return new
        self._kept.append(new)
        if not new.strip("\n") and not closed:
            return ""
        told = "".join(self._kept)
        self._kept.clear()
        self.begun = bool(told)
        return told


class QuotedFlow(Quoted):
    """An open value that is a quoted string in a notation of its own."""

    __slots__ = ("looked",)
    waits = _NOTHING

    def __init__(self, start: int, form: Form) -> None:
        super().__init__(form)
        self.looked = start


def flow_of(start: int, trim: Trim, form: Form = Form.TEXT) -> Flow:
    """Make the flow of a run or a value that begins here."""
    if form in (Form.PYTHON, Form.GEMMA):
        return QuotedFlow(start, form)
    if trim is SPACE:
        return Spaced(start)
    return Exact(start) if trim is NONE else Framed(start)

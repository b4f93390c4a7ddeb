"""A quoted string that is still being written: what it says so far."""

from __future__ import annotations

import re

from parsing.literals import string_part
from parsing.values import Form

GEMMA_QUOTES = ('<|"|>', "<escape>")
_TRIPLE = ('"""', "'''")


class Quoted:
    """Takes a value's text piece by piece, and looks at each character a few times at most."""

    __slots__ = (
        "_before",
        "_ends",
        "_half",
        "_python",
        "begun",
        "ended",
        "never",
        "quote",
        "rest",
        "settled",
    )

    def __init__(self, form: Form) -> None:
        self._python = form is Form.PYTHON
        self._before = ""
        self._half = ""
        self._ends = ""  # the character with which the end of the open string begins
        self.begun = False
        self.settled = False  # text with no quote and no escape says itself
        self.quote = ""
        self.ended = False
        self.never = False  # the value does not begin with a quote
        self.rest = ""  # what came after the string, or some of it

    def take(self, new: str, *, closed: bool = False) -> str:
        """Take the text that was added; give what it says."""
        if self._half:
            new = self._half + new
            self._half = ""
        ends = self._ends
        if ends and ends not in new:
            if not self._python:
                return new
            if "\\" in new:
                new, self._half = string_part(new)
            self.settled = not self._half
            return new
        self.settled = False
        return self._take(new)

    def _take(self, text: str) -> str:
        if self.never:
            return ""
        if self.ended:
            self.rest = self.rest or text.strip()
            return ""
        if not self.quote:
            begun = self._open(text)
            if begun is None:
                return ""
            text = begun
        end = self._end(text)
        if end is None:
            said, self._half = self._said(text)
            return said
        self.ended, self._ends = True, ""
        self.rest = text[end + len(self.quote) :]
        said, half = string_part(text[:end]) if self._python else (text[:end], "")
        return said + half

    def _said(self, text: str) -> tuple[str, str]:
        """Part what an open string says from what may be half an escape, or half of its end."""
        if self._python:
            return string_part(text)
        for size in range(min(len(self.quote) - 1, len(text)), 0, -1):
            if text.endswith(self.quote[:size]):
                return text[:-size], text[-size:]
        return text, ""

    def _open(self, new: str) -> str | None:
        """Look for the opening quote; give what stands after it."""
        self._before = (self._before + new).lstrip()
        self._find(self._before)
        self._ends = self.quote[:1]
        self.begun = bool(self.quote)
        return self._before[len(self.quote) :] if self.quote else None

    def _find(self, text: str) -> None:
        if not self._python:
            begun = [quote for quote in GEMMA_QUOTES if text.startswith(quote)]
            self.quote = begun[0] if begun else ""
            self.never = not begun and not any(q.startswith(text) for q in GEMMA_QUOTES)
            return
        if text[:3] in _TRIPLE:
            self.quote = text[:3]
        elif text[:2] in ('""', "''") and len(text) == 2:
            return
        elif text[:1] in ("'", '"') and len(text) > 1:
            self.quote = text[:1]
        else:
            self.never = bool(text) and text[:1] not in ("'", '"')

    def _end(self, text: str) -> int | None:
        if not self._python:
            end = text.find(self.quote)
            return end if end >= 0 else None
        body = _BODIES[self.quote].match(text)
        end = body.end() if body else 0
        return end if text.startswith(self.quote, end) else None


_BODIES = {
    quote: re.compile(
        rf"(?:[^\\{quote[0]}]|\\.{'' if len(quote) == 1 else f'|{quote[0]}(?!{quote[:2]})'})*+",
        re.DOTALL,
    )
    for quote in ("'", '"', *_TRIPLE)
}

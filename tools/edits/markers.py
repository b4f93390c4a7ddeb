"""The marker lines of a SEARCH/REPLACE edit.

Law: a marker is a whole line (trailing blanks allowed, leading ones not), and no marker line
ever reaches a file.  Seven characters are the format; Cline takes three or more, the older
`<<<<<<< SEARCH` and `>>>>>>> REPLACE`, and a stray `>` behind (its diff.ts, v4.0.10).
"""

from __future__ import annotations

import re
from enum import Enum

SEVEN = 7


class Mark(Enum):
    """What a marker line stands for."""

    START = "------- SEARCH"
    DIVIDER = "======="
    END = "+++++++ REPLACE"


_START = re.compile(r"(-{3,}|<{3,}) SEARCH>?[ \t]*")
_DIVIDER = re.compile(r"(={3,})[ \t]*")
_END = re.compile(r"(\+{3,}|>{3,}) REPLACE>?[ \t]*")
_SPOILT_END = re.compile(
    r"(?:\+{3,}|>{3,})\s*R?E?P?L?A?C?E?|[-+=<>]{3,}\s*(?:REPLACE|SEARCH|END)\b.*",
    re.IGNORECASE,
)


def mark_of(line: str) -> tuple[Mark, int] | None:
    """Give what a line marks and how many marker characters it has, if it is a marker."""
    for mark, pattern in ((Mark.START, _START), (Mark.END, _END), (Mark.DIVIDER, _DIVIDER)):
        if found := pattern.fullmatch(line):
            return mark, len(found[1])
    return None


def spoilt_end(line: str) -> bool:
    """Say whether a line was meant to be an end marker: cut off, indented or misspelt."""
    return _SPOILT_END.fullmatch(line.strip()) is not None


def escaped(line: str) -> tuple[Mark, int] | None:
    """Give the marker behind backslashes: the first one makes the line content and goes."""
    return mark_of(line.lstrip("\\")) if line.startswith("\\") else None

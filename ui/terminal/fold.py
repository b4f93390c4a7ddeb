"""Styled lines that are too wide, broken at blanks beside their label.

Law: what is quoted (a diff, a command, code) is left as it is; nothing else is broken within a
word where a blank is near.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ui.terminal.cells import cut, width
from ui.terminal.styles import Fragment, Line

_QUOTED = ("class:added", "class:removed", "class:code", "class:quoted")
_LABELS = ("class:key", "class:dim", "class:warn", "class:mark", "class:bad", "class:ok")
_LEAD = re.compile(r"\s*(?:[-*+•] |\d{1,3}[.)] )?\s*")
_NARROWEST = 14  # cells beside a label below which the label hangs no text
_UNBOUNDED = 1_000  # columns from which on it is no screen, and nothing is folded


def fold(lines: list[Line], columns: int) -> list[Line]:
    """Break each line that does not fit into `columns` - 1 cells."""
    if columns > _UNBOUNDED:
        return lines
    return [row for line in lines for row in _folded(line, max(10, columns - 1))]


def _folded(line: Line, room: int) -> Iterator[Line]:
    text = "".join(part for _, part in line)
    if width(text) <= room or any(style in _QUOTED for style, _ in line):
        yield line
        return
    hang = _hang(line, text)
    if room - hang < _NARROWEST:
        hang = min(hang, 4, room // 4)
    start, lead = 0, 0
    while (end := _end(text, start, room - lead)) < len(text):
        first = start + (len(text[:hang]) if start == 0 else 1)
        blank = text.rfind(" ", first, end + 1)
        stop, after = (blank, blank + 1) if blank > 0 else (end, end)
        yield _row(line, start, stop, lead)
        start, lead = after, hang
    yield _row(line, start, len(text), lead)


def _end(text: str, start: int, cells: int) -> int:
    """Give the place up to which text fits; only so much of it is looked at as can matter."""
    return start + max(1, cut(text[start : start + 4 * cells], cells))


def _hang(line: Line, text: str) -> int:
    """Count the cells in front of what a line says."""
    style, label = line[0]
    if len(line) > 1 and style.split(" ")[0] in _LABELS:
        said = line[1][1]
        return width(label) + len(said) - len(said.lstrip(" "))
    found = _LEAD.match(text)
    return width(found[0]) if found else 0


def _row(line: Line, start: int, stop: int, lead: int) -> Line:
    """Give the part of a line between two places of its text."""
    row: list[Fragment] = [("", " " * lead)] if lead else []
    at = 0
    for style, text in line:
        part = text[max(0, start - at) : max(0, stop - at)]
        if part:
            row.append((style, part))
        at += len(text)
    return tuple(row)

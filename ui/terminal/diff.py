"""A unified diff as coloured lines with their line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ui.terminal.styles import Line, shown

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def diff_lines(diff: str, indent: str = "  ") -> list[Line]:
    """Style `diff`; the file headers are left out, as the call's row names the file."""
    return list(_lines(diff, indent))


def counts(diff: str) -> tuple[int, int]:
    """Count the added and the removed lines."""
    signs = [sign for sign, _, _ in _body(diff)]
    return signs.count("+"), signs.count("-")


def _lines(diff: str, indent: str) -> Iterator[Line]:
    first = True
    rows = list(_body(diff))
    crlf = all(text.endswith("\r") for sign, _, text in rows if sign in " +-")
    for sign, number, raw in rows:
        text = shown(raw.removesuffix("\r") if crlf else raw)
        label = ("class:dim", f"{indent}{number or '':>5} ")
        match sign:
            case "@":
                if not first:
                    yield (("class:dim", f"{indent}{'...':>5}"),)
                first = False
            case "+":
                yield (label, ("class:added", f"+ {text}"))
            case "-":
                yield (label, ("class:removed", f"- {text}"))
            case "\\":
                yield (label, ("class:dim", f"  ({text})"))
            case _:
                yield (label, ("class:quoted", f"  {text}"))


def _body(diff: str) -> Iterator[tuple[str, int, str]]:
    """Yield sign, line number and text of what is inside hunks."""
    old = new = old_left = new_left = 0
    for row in diff.split("\n"):
        if old_left <= 0 and new_left <= 0:
            if hunk := _HUNK.match(row):
                old, new = int(hunk[1]), int(hunk[3])
                old_left, new_left = int(hunk[2] or "1"), int(hunk[4] or "1")
                yield "@", new, ""
            elif row.startswith("\\"):
                yield "\\", 0, row[2:]
            continue
        sign = row[:1] or " "
        match sign:
            case "+":
                yield "+", new, row[1:]
                new, new_left = new + 1, new_left - 1
            case "-":
                yield "-", old, row[1:]
                old, old_left = old + 1, old_left - 1
            case "\\":
                yield "\\", 0, row[2:]
            case _:
                yield " ", new, row[1:]
                old, new = old + 1, new + 1
                old_left, new_left = old_left - 1, new_left - 1

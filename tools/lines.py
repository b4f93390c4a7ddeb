"""A text as lines with their endings: LF, CRLF or CR, each line its own."""

from __future__ import annotations

import re

_BREAK = re.compile(r"(\r\n|\n|\r)")


def split_lines(text: str) -> tuple[list[str], list[str]]:
    """Part a text into lines and their endings; the last one may have none."""
    texts, endings = _parted(text)
    if texts[-1] == "":
        texts.pop()
    else:
        endings.append("")
    return texts, endings


def alike(old: list[str], new: list[str]) -> int:
    """Count the lines that are the same from the start on."""
    same, most = 0, min(len(old), len(new))
    while same < most:  # halves are compared as wholes: much faster than line by line
        middle = (same + most + 1) // 2
        if old[same:middle] == new[same:middle]:
            same = middle
        else:
            most = middle - 1
    return same


def alike_at_end(old: list[str], new: list[str], head: int) -> int:
    """Count the lines that are the same at the end, apart from the first `head` ones."""
    return alike(old[head:][::-1], new[head:][::-1])


def _parted(text: str) -> tuple[list[str], list[str]]:
    if "\r" not in text:
        texts = text.split("\n")
        return texts, ["\n"] * (len(texts) - 1)
    parts = _BREAK.split(text)
    return parts[::2], parts[1::2]

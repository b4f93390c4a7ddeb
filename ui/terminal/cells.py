"""Text measured in terminal cells: how wide it is, where it is cut, where it is wrapped."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache


def width(text: str) -> int:
    """Count the cells `text` takes; a wide character takes two, a combining one none."""
    return len(text) if text.isascii() else sum(map(_cells, text))


@lru_cache(maxsize=4096)
def _cells(char: str) -> int:
    if char.isascii():
        return 1
    from wcwidth import wcwidth  # it comes with prompt_toolkit, which counts the same way

    return max(0, wcwidth(char))


def cut(text: str, cells: int) -> int:
    """Give the index up to which `text` fits into `cells`."""
    if len(text) <= cells and text.isascii():
        return len(text)
    used = 0
    for at, char in enumerate(text):
        used += _cells(char)
        if used > cells:
            return at
    return len(text)


def clip(text: str, cells: int, mark: str = "…") -> str:
    """Shorten `text` to at most `cells`, a cut end shown by `mark`."""
    if cells <= 0:
        return ""
    if width(text) <= cells:
        return text
    return text[: cut(text, max(0, cells - width(mark)))] + mark


def wrap(text: str, cells: int, hang: str = "") -> list[str]:
    """Break one line at blanks (a word that is too long, anywhere); `hang` leads later rows.

    A row never changes when more text is added behind it, except the last.
    """
    return list(_rows(text, max(1, cells), hang))


def _rows(text: str, cells: int, hang: str) -> Iterator[str]:
    lead = ""
    hang = hang if width(hang) < cells // 2 else ""
    while True:
        at = cut(text, max(1, cells - width(lead)))
        if at >= len(text):
            yield lead + text
            return
        at = max(at, 1)
        space = text.rfind(" ", 1, at + 1)
        if space > 0 and text[:space].strip():
            yield lead + text[:space].rstrip()
            text = text[space + 1 :]
        else:
            yield lead + text[:at]
            text = text[at:]
        lead = hang

"""The definition, first half: how a text fits a tag, and what a line says about it.

Each function looks at the text from scratch; `mark` is where the last accepted tag ended, which
begins a new line for every rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

BLANKS = " \t"
BLANKS_INSIDE_A_TAG = 8
INDENT_OF_A_FENCE = 3


class Fit(Enum):
    """How a text fits a tag."""

    NO = auto()
    HALF = auto()  # the text ends before the tag does
    WHOLE = auto()


def fit(text: str, at: int, tag: str) -> tuple[Fit, int]:
    """Compare the text at `at` with a tag: `-` is as good as `_`, and a few blanks may stand
    before `>`."""
    here = at
    for wanted in tag[:-1]:
        if here == len(text):
            return Fit.HALF, here
        if text[here] != wanted and {text[here], wanted} != {"-", "_"}:
            return Fit.NO, at
        here += 1
    blanks = 0
    while here < len(text) and text[here] in BLANKS and blanks < BLANKS_INSIDE_A_TAG:
        here, blanks = here + 1, blanks + 1
    if here == len(text):
        return Fit.HALF, here
    return (Fit.WHOLE, here + 1) if text[here] == ">" else (Fit.NO, at)


def find(text: str, at: int, tags: Sequence[str]) -> tuple[Fit, str, int]:
    """Find the one tag that stands at `at`: the exact one, else the only one that fits."""
    fits = [(tag, *fit(text, at, tag)) for tag in tags]
    whole = [(tag, end) for tag, found, end in fits if found is Fit.WHOLE]
    exact = [(tag, end) for tag, end in whole if text.startswith(tag[:-1], at)]
    for tag, end in exact or (whole if len(whole) == 1 else []):
        return Fit.WHOLE, tag, end
    if any(found is Fit.HALF for _, found, _ in fits):
        return Fit.HALF, "", at
    return Fit.NO, "", at


def after_space(text: str, at: int) -> int:
    """Give the first place from `at` on that is not white space."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def line_before(text: str, mark: int, at: int) -> str:
    """Give what stands before `at` on its line."""
    return text[mark:at].rpartition("\n")[2]


def at_line_start(text: str, mark: int, at: int) -> bool:
    """Say whether only white space stands before `at` on its line."""
    return not line_before(text, mark, at).strip()


def inert(text: str, mark: int, at: int) -> bool:
    """Say whether `at` lies in a Markdown fence, or after an unclosed run of backticks."""
    *lines, line = text[mark:at].split("\n")
    fence: tuple[str, int] | None = None
    for past in lines:
        fence = _closed(fence, past) if fence else opened(past)
    return bool(fence or _unclosed(line) or opened(line))


def opened(line: str) -> tuple[str, int] | None:
    """Give the character and the length of the fence that this line opens."""
    bare = line.lstrip(BLANKS)
    if len(line) - len(bare) > INDENT_OF_A_FENCE:
        return None
    for mark in "`~":
        length = len(bare) - len(bare.lstrip(mark))
        if length >= 3 and not (mark == "`" and "`" in bare[length:]):
            return mark, length
    return None


def _closed(fence: tuple[str, int], line: str) -> tuple[str, int] | None:
    mark, length = fence
    bare = line.lstrip(BLANKS)
    run = bare.rstrip(BLANKS + "\r")
    small = len(line) - len(bare) <= INDENT_OF_A_FENCE
    return None if small and len(run) >= length and not run.strip(mark) else fence


def _unclosed(line: str) -> bool:
    run, opener = 0, 0
    for character in line + "\n":
        if character == "`":
            run += 1
            continue
        if run and not opener:
            opener = run
        elif run == opener:
            opener = 0
        run = 0
    return opener > 0

"""Grows messages: sentences that follow a dialect's table, with slips, and soups of its tags.

Every choice is made by a `Pick`: a seeded `random.Random` for the soak, hypothesis in the tests.
The first of a row of choices is the plainest, so that hypothesis shrinks towards plain messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

from parsing import Options, ToolSpec, dialect
from parsing.table import Edge, Mode, Slot, Table

T = TypeVar("T")

SPACES = ["", "\n", " ", "\n\n", "\t", "\r\n", "\n  ", "\n    ", "\u00a0", "\r", "\x1c", "\x0b"]
WORDS = ["a", "null", "nul", "7", "true", "x < y", "a.py", "[1]", '"', "é", "\ud800", "😀", "}"]
MARKDOWN = [
    "`",
    "```",
    "``",
    "~~~",
    "````",
    "```py\n",
    "\n```\n",
    "\n~~~\n",
    "   ```\n",
    "    ```\n",
]
STRANGERS = ["<b>", "</b>", "<", "</", "<a", "<1>", "<!--", "<é>", "<read_files>", "<think", "<>"]


class Pick(Protocol):
    """Chooses one of several."""

    def __call__(self, of: Sequence[T], /) -> T: ...


def seeded(seed: int) -> Pick:
    """Give the choices of a seed."""
    return Random(seed).choice


def cline_table(tools: Sequence[ToolSpec]) -> Table:
    return dialect("cline").table(tools, Options())


def sentence(table: Table, pick: Pick) -> str:
    """Walk the table from tag to tag, mostly as it wants to be walked."""
    mode, parts = table.modes[table.start], [""]
    for _ in range(pick(range(1, 16))):
        parts.append(_filling(mode, pick))
        if pick([*range(8)]) == 7:
            parts.append(_stray(table, pick))
            continue
        tag, edge = _step(mode, pick)
        parts += [pick(["", "\n"]) if edge.line_start else "", _spelled(tag, pick)]
        mode = table.modes[edge.to]
    text = "".join(parts)
    return text[: pick(range(len(text) + 1))] if pick([*range(5)]) == 4 else text


def soup(table: Table, pick: Pick) -> str:
    """Throw tags, pieces of tags, white space, words and Markdown together."""
    tags = sorted({str(tag) for mode in table.modes.values() for tag in mode.edges})
    rows = [SPACES, WORDS, tags, tags, tags, MARKDOWN, STRANGERS]
    parts: list[str] = []
    for _ in range(pick(range(30))):
        word = pick(pick(rows))
        cut = pick([*range(12)]) == 11
        parts.append(word[: pick(range(len(word) + 1))] if cut else _spelled(word, pick))
    return "".join(parts)


def _step(mode: Mode, pick: Pick) -> tuple[str, Edge]:
    edges = [(str(tag), edge) for tag, edge in mode.edges.items()]
    forward = [(tag, edge) for tag, edge in edges if _ends(tag) == (mode.slot is Slot.VALUE)]
    return pick(forward if forward and pick([*range(4)]) else edges)


def _ends(tag: str) -> bool:
    return tag.startswith("</")


def _stray(table: Table, pick: Pick) -> str:
    return pick([*STRANGERS, *map(str, pick(list(table.modes.values())).edges)])


def _filling(mode: Mode, pick: Pick) -> str:
    if mode.slot is Slot.GAP:
        return pick([*SPACES, "", "", "", "junk"])
    parts = [pick(SPACES)]
    for _ in range(pick(range(4))):
        parts += [pick(pick([WORDS, WORDS, MARKDOWN, STRANGERS])), pick(SPACES)]
    return "".join(parts)


def _spelled(tag: str, pick: Pick) -> str:
    if not tag.endswith(">"):
        return tag
    match pick([*range(12)]):
        case 11:
            return tag.replace("_", "-")
        case 10:
            return tag[:-1] + pick([" ", "\t", " " * 8, " " * 9]) + ">"
        case _:
            return tag

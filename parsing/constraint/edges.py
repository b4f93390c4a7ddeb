"""What a dialect's table says of the text in a value and before a call: what may not be in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from parsing.constraint.nodes import SPACES
from parsing.marks import Mark, OneOf, parts_of
from parsing.table import Act, Edge, Mode, Slot, Table

_AWAY = (Act.OPEN_REASONING, Act.DROP)


@dataclass(frozen=True, slots=True)
class Prose:
    """What text before a call may not hold, and not begin with."""

    excluded: frozenset[str]
    first: frozenset[str]
    on_a_line: bool  # the call that follows begins a line of its own


def prose(table: Table, opener: str) -> Prose:
    """Give the characters without which no mark of the text can come about.

    `opener` is what the dialect writes first when it calls.
    """
    mode = table.modes[table.text]
    excluded = set("`~") if mode.inert else set[str]()
    first, on_a_line = set(SPACES), mode.inert
    for mark, edge in mode.edges.items():
        letters = "".join(_literals(mark))
        if edge.at_start:
            first.add(letters[0])
        elif not edge.after_call and not excluded.intersection(letters):
            excluded.add(letters.strip()[0])
        if edge.act not in _AWAY and opener.startswith(head(mark)):
            on_a_line = on_a_line or edge.line_start
    return Prose(frozenset(excluded), frozenset(first), on_a_line)


def reasoning_tags(table: Table) -> list[tuple[str, str]]:
    """Give the tags between which a message may begin with reasoning; patterns are left out."""
    return [
        (opens, closes)
        for opens, edge in table.modes[table.text].edges.items()
        if edge.act is Act.OPEN_REASONING
        for closes, end in table.modes[edge.to].edges.items()
        if end.act is Act.CLOSE_REASONING
        if isinstance(opens, str) and isinstance(closes, str)
    ]


def reasons_in_frames(table: Table) -> bool:
    """Claim that reasoning is reached through other marks than tags of reasoning."""
    tagged = {
        edge.to
        for mode in table.modes.values()
        for edge in mode.edges.values()
        if edge.act is Act.OPEN_REASONING
    }
    return any(m.slot is Slot.REASONING and n not in tagged for n, m in table.modes.items())


def head(mark: Mark) -> str:
    """Give the text that every spelling of a mark begins with."""
    first = parts_of(mark)[0]
    return first if isinstance(first, str) else ""


def _literals(mark: Mark) -> Iterable[str]:
    for part in parts_of(mark):
        if isinstance(part, str):
            yield part
        elif isinstance(part, OneOf) and len(part.words) == 1:
            yield part.words[0]


def value_edges(table: Table, tool: str, param: str) -> Mapping[Mark, Edge]:
    """Give the marks that lead out of the values of a parameter."""
    found: dict[Mark, Edge] = {}
    for mode in _reached(table, tool, param):
        if mode.slot is Slot.VALUE:
            found |= mode.edges
    return found


def value_words(table: Table, tool: str, param: str, *, loose: bool) -> frozenset[str]:
    """Give what a value must not hold: the beginnings of marks that would end or nest it.

    With `loose` blanks may stand before a tag's end.  Of other calls' openers two characters do:
    exact words would make the rules ten times as long.
    """
    return frozenset(
        head(mark)[:2] if loose and edge.act is Act.CUT_CALL else _word(mark, loose=loose)
        for mark, edge in value_edges(table, tool, param).items()
    )


def _word(mark: Mark, *, loose: bool) -> str:
    return mark[:-1] if loose and isinstance(mark, str) else head(mark)


def _reached(table: Table, tool: str, param: str) -> list[Mode]:
    """Give the modes in which a call of this tool and this parameter may be."""
    waiting, seen = [table.text], {table.text: table.modes[table.text]}
    while waiting:
        for edge in table.modes[waiting.pop()].edges.values():
            named = not edge.name or edge.name in (tool, param)
            if named and edge.act not in _AWAY and edge.to in table.modes and edge.to not in seen:
                seen[edge.to] = table.modes[edge.to]
                waiting.append(edge.to)
    return list(seen.values())


def leads_away(table: Table, mark: Mark) -> bool:
    """Claim that what this mark of text opens may go on as text without a call."""
    mode = table.modes.get(table.modes[table.text].edges[mark].to)
    ways = mode.edges.values() if mode is not None and mode.slot is Slot.FRAME else ()
    return any(edge.act is Act.GO and edge.to == table.text for edge in ways)

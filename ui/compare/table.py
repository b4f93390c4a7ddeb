"""The table of a comparison, in columns of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from ui.compare.totals import Totals
from ui.sanitise import one_line
from ui.terminal.cells import width

_ROWS = 48
_SOURCE = 44  # columns for the name of a source
_HEAD = ("", "messages", "compared", "divergences", "blocks", "faults", "reparse", "incremental")


def table(rows: Sequence[Totals], total: Totals) -> Iterator[str]:
    """Give a line for each row, the first of them where there are many, and one for all."""
    dialects = len({row.dialect for row in rows}) > 1
    shown = [_cells(row, dialects=dialects) for row in rows[:_ROWS]]
    if len(rows) > _ROWS:
        shown.append(_cells(_rest(rows[_ROWS:]), dialects=False))
    if len(rows) > 1:
        shown.append(_cells(total, dialects=False))
    lines = [_HEAD, *shown]
    wide = [max(width(line[at]) for line in lines) for at in range(len(_HEAD))]
    for line in lines:
        first = line[0] + " " * (wide[0] - width(line[0]))
        rest = (f"{cell:>{wide[at]}}" for at, cell in enumerate(line[1:], 1))
        yield "  ".join((first, *rest)).rstrip()


def _cells(row: Totals, *, dialects: bool) -> tuple[str, ...]:
    name = f"{_short(row.source)} ({row.dialect})" if dialects else _short(row.source)
    figures = (row.messages, row.compared, row.divergences, row.blocks, row.faults)
    return (name, *(f"{figure:,}" for figure in figures), *map(_speed, row.speeds))


def _short(source: str) -> str:
    """Keep the end of a long name: that is where files of one folder differ."""
    line = one_line(source, 4096)
    return line if len(line) <= _SOURCE else f"…{line[1 - _SOURCE :]}"


def _speed(speed: float | None) -> str:
    if speed is None:
        return "–"
    return f"{speed:,.2f} MB/s" if speed >= 1 else f"{speed:.3f} MB/s"


def _rest(rows: Sequence[Totals]) -> Totals:
    rest = Totals(f"{len(rows):,} more")
    for row in rows:
        for field in fields(Totals):
            if field.name not in ("source", "dialect"):
                setattr(rest, field.name, getattr(rest, field.name) + getattr(row, field.name))
    return rest

"""Comparisons added up: by source and dialect, and all together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ui.compare.comparison import Comparison


@dataclass(slots=True)
class Totals:
    """What came of some messages; `read` counts bytes of UTF-8 fed to each mode."""

    source: str
    dialect: str = ""
    messages: int = 0
    characters: int = 0
    chunks: int = 0
    compared: int = 0
    read: int = 0
    divergences: int = 0
    blocks: int = 0
    faults: int = 0
    reparse_s: float = 0.0
    incremental_s: float = 0.0
    unlike: int = 0  # messages that the other dialect reads differently
    decisions: Counter[str] = field(default_factory=Counter[str])

    def add(self, found: Comparison) -> None:
        """Count a message in."""
        self.messages += 1
        self.characters += len(found.text)
        self.chunks += found.chunks
        self.compared += found.compared
        self.read += found.read
        self.divergences += found.differences
        self.blocks += len(found.blocks)
        self.faults += found.faults
        self.reparse_s += found.reparse_s
        self.incremental_s += found.incremental_s
        self.unlike += bool(found.against)
        self.decisions.update(decision.what for decision in found.against)

    @property
    def speeds(self) -> tuple[float | None, float | None]:
        """Megabytes a second of the reparse and of the incremental mode."""
        return _speed(self.read, self.reparse_s), _speed(self.read, self.incremental_s)

    def as_json(self) -> dict[str, Any]:
        """Give the figures by name."""
        reparse, incremental = self.speeds
        return {
            "messages": self.messages,
            "characters": self.characters,
            "chunks": self.chunks,
            "compared": self.compared,
            "divergences": self.divergences,
            "blocks": self.blocks,
            "faults": self.faults,
            "reparse_s": round(self.reparse_s, 6),
            "incremental_s": round(self.incremental_s, 6),
            "reparse_mb_s": reparse,
            "incremental_mb_s": incremental,
        }


def all_of(comparisons: Sequence[Comparison]) -> Totals:
    """Add all up."""
    total = Totals("all")
    for found in comparisons:
        total.add(found)
    return total


def by_source(comparisons: Sequence[Comparison]) -> list[Totals]:
    """Add up what belongs to the same source and dialect, in order."""
    rows: dict[tuple[str, str], Totals] = {}
    for found in comparisons:
        key = (found.source, found.dialect)
        rows.setdefault(key, Totals(*key)).add(found)
    return list(rows.values())


def _speed(read: int, seconds: float) -> float | None:
    return round(read / seconds / 1e6, 3) if read and seconds else None

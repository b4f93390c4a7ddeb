"""Dialects that other packages bring, found through the entry points `tagline.dialects`.

Law: a package is imported only when its dialect is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from parsing.aliases import folded
from parsing.table import Dialect, GrammarError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "tagline.dialects"


def plugin_names(own: Iterable[str]) -> tuple[str, ...]:
    """Give the names of the dialects that packages bring, without importing any of them.

    Our `own` names, and aliases among them, cannot be taken over; nor can one package another's.
    """
    taken = _taken(own)
    return tuple(point.name for point in _points() if folded(point.name) not in taken)


def refused(own: Iterable[str], name: str | None = None) -> tuple[str, ...]:
    """Say which dialects of packages (of this name) are not used, and why."""
    taken = _taken(own)
    return tuple(
        f"the dialect {point.name!r} of {_package(point)} is not used: "
        f"{taken[key]} one of that name"
        for point in _points()
        if (key := folded(point.name)) in taken and (name is None or key == folded(name))
    )


def plugin(name: str) -> Dialect:
    """Import a package's dialect; raises GrammarError when the package does not give it."""
    point = next(point for point in _points() if folded(point.name) == folded(name))
    found: object
    called = f"the dialect {point.name!r} of {_package(point)}"
    try:
        found = point.load()
        if callable(found):
            found = found()
    except Exception as error:
        raise GrammarError(
            f"{called} cannot be loaded: {point.value} gave {type(error).__name__}: {error}"
        ) from error
    if not isinstance(found, Dialect):
        raise GrammarError(
            f"{called} is none: {point.value} is of type {type(found).__name__}, "
            "expected a parsing.Dialect or a function that gives one"
        )
    if folded(found.name) != folded(point.name):
        raise GrammarError(f"{called} calls itself {found.name!r}; the two names must be the same")
    return found


def _taken(own: Iterable[str]) -> dict[str, str]:
    """Give the names that a package cannot have, and who has them."""
    counts = Counter(folded(point.name) for point in _points())
    several = [name for name, count in counts.items() if count > 1]
    return {
        **dict.fromkeys(several, "another package brings"),
        **dict.fromkeys(map(folded, own), "Tagline has"),
    }


@cache
def _points() -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points  # slow, and seldom needed

    return tuple(sorted(set(entry_points(group=GROUP)), key=lambda point: point.name))


def _package(point: EntryPoint) -> str:
    return f"the package {point.dist.name} {point.dist.version}" if point.dist else "a package"

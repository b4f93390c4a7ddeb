"""Dialects that other packages bring, found through the entry points `tagline.dialects`.

Law: a package is imported only when its dialect is asked for.
"""

from __future__ import annotations

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
    taken = set(map(folded, own))
    counts = [folded(point.name) for point in _points()]
    return tuple(
        point.name
        for point in _points()
        if folded(point.name) not in taken and counts.count(folded(point.name)) == 1
    )


def refused(own: Iterable[str]) -> dict[str, str]:
    """Say by name which dialects of packages are not used, and why."""
    names = tuple(own)
    taken, kept = set(map(folded, names)), plugin_names(names)
    return {
        point.name: f"the dialect {point.name!r} of {_package(point)} is not used: "
        + (
            "Tagline has one of that name."
            if folded(point.name) in taken
            else "another package brings one of that name."
        )
        for point in _points()
        if point.name not in kept
    }


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


@cache
def _points() -> tuple[EntryPoint, ...]:
    from importlib.metadata import entry_points  # slow, and seldom needed

    return tuple(sorted(set(entry_points(group=GROUP)), key=lambda point: point.name))


def _package(point: EntryPoint) -> str:
    return f"the package {point.dist.name} {point.dist.version}" if point.dist else "a package"

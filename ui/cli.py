"""The command `tagline`: the only front door.

Law: the floors must be the ones beside this file, and the version is told before anything is
imported that costs time.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder

from ui import VERSION

FLOORS = ("agent", "parsing", "tools", "ui")


def main() -> int:
    """Run the command line of this process and give its exit code."""
    stranger = misplaced_floor()
    if stranger is not None:
        print(stranger, file=sys.stderr)
        return 2
    if sys.argv[1:2] in (["--version"], ["-V"], ["-v"]):
        print(f"tagline {VERSION}")
        return 0
    from ui.cli_run import run

    return run(sys.argv[1:])


def misplaced_floor() -> str | None:
    """Say which floor was found elsewhere than beside this one, if any was."""
    house = __file__.rpartition("/")[0].rpartition("/")[0]
    for floor in FLOORS:
        spec = PathFinder.find_spec(floor)
        place = (spec.origin if spec is not None else None) or "nowhere"
        if place != f"{house}/{floor}/__init__.py":
            return _misplaced(floor, place, house)
    return None


def _misplaced(floor: str, place: str, house: str) -> str:
    return (
        f"tagline: the package `{floor}` was found in {place!r},\n"
        f"  expected beside `ui` in {house!r}. Another package of that name is in the way\n"
        "  (PYTHONPATH, or an environment shared with other projects). Unset PYTHONPATH, or give\n"
        "  Tagline an environment of its own, for example with pipx."
    )

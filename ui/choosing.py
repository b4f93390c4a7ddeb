"""Asks which of a folder's sessions is to go on."""

from __future__ import annotations

from pathlib import Path

from agent import Sessions
from ui.doors.session_pages import listed_line
from ui.exits import Complaint

_MOST = 9


def choose(place: Path) -> str:
    """List the latest sessions of a folder and give the id that was chosen."""
    sessions = Sessions()
    found = sessions.list(place, limit=_MOST)
    sessions.close()
    if not found:
        raise Complaint(f"there is no session of {place} to go on with (tagline sessions --all)")
    for number, listed in enumerate(found, 1):
        print(f"{number}  {listed_line(listed, cwd=False)}")
    while True:
        number = _number(f"Which one? [1-{len(found)}, Enter: 1] ")
        if 1 <= number <= len(found):
            return found[number - 1].id


def _number(question: str) -> int:
    """Ask once; 0 is no number of the list."""
    try:
        said = input(question).strip() or "1"
    except EOFError:
        print()
        raise Complaint("no session was chosen") from None
    return int(said) if said.isascii() and said.isdigit() else 0

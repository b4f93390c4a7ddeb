"""A change to one file, planned whole in memory, then written at once.

Law: what the preview showed is what is written; if the file is another by then, nothing is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tools.diffs import counted, unified_diff
from tools.errors import NothingToChange
from tools.files import TextFile, decoded, read_bytes, write_bytes
from tools.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Place:
    """A path the model named, and what is there: no bytes for no file, no text for a binary."""

    path: Path
    name: str
    data: bytes | None
    file: TextFile | None


@dataclass(frozen=True, slots=True)
class Change:
    """What a file is to become, and how that differs from what it is."""

    place: Place
    data: bytes
    diff: str

    @property
    def counts(self) -> str:
        added, removed = counted(self.diff)
        return f"+{added} -{removed} lines"


def look(workspace: Workspace, given: str) -> Place:
    """Look at the file a path names; raises FileChanged when the model saw another one."""
    path = workspace.resolve_file(given)
    name = workspace.shown(path)
    if not path.exists():
        return Place(path, name, None, None)
    data = read_bytes(path, name)
    workspace.check_unchanged(path, data)
    return Place(path, name, data, decoded(data))


def change(place: Place, text: str, data: bytes) -> Change:
    """Plan what the file is to become; raises NothingToChange."""
    if data == place.data:
        raise NothingToChange(f"{place.name} has exactly this content already; nothing to write.")
    old = place.file.text if place.file else None
    return Change(place, data, unified_diff(old, text, place.name))


def save(workspace: Workspace, planned: Change) -> None:
    """Write it; what the model wrote is what it has seen."""
    place = planned.place
    write_bytes(place.path, planned.data, place.name, expected=place.data)
    workspace.saw(place.path, planned.data)

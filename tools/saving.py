"""A change to one file, planned whole in memory, then written at once.

Law: what the preview showed is what is written; if the file is another by then, nothing is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tools.diffs import counted, unified_diff
from tools.errors import NotFound, NothingToChange
from tools.files import TextFile, decoded, read_bytes, write_bytes
from tools.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Target:
    """A path the model named, and what is there: no bytes for no file, no text for a binary."""

    path: Path
    name: str
    data: bytes | None
    file: TextFile | None


@dataclass(frozen=True, slots=True)
class Change:
    """What a file is to become, and how that differs from what it is."""

    target: Target
    data: bytes
    diff: str

    @property
    def counts(self) -> str:
        added, removed = counted(self.diff)
        return f"+{added} -{removed} lines"


def look(workspace: Workspace, given: str) -> Target:
    """Look at the file a path names; raises FileChanged when the model saw another one."""
    path = workspace.resolve_file(given)
    name = workspace.shown(path)
    try:
        data = read_bytes(path, name)
    except NotFound:
        return Target(path, name, None, None)
    workspace.check_unchanged(path, data)
    return Target(path, name, data, decoded(data))


def change(target: Target, text: str, data: bytes) -> Change:
    """Plan what the file is to become; raises NothingToChange."""
    if data == target.data:
        raise NothingToChange(f"{target.name} has exactly this content already; nothing to write.")
    old = target.file.text if target.file else None
    return Change(target, data, unified_diff(old, text, target.name))


def save(workspace: Workspace, planned: Change) -> None:
    """Write it; what the model wrote is what it has seen."""
    target = planned.target
    write_bytes(target.path, planned.data, target.name, expected=target.data)
    workspace.saw(target.path, planned.data)

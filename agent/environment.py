"""What a model is told about the place it works in: folder, system, day, and a few file names."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from datetime import date
from os import scandir
from pathlib import Path

_UNSHOWN = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
"""What no line of a prompt can hold: control characters, and bytes that are no Unicode."""

_SKIPPED = frozenset({"node_modules", "__pycache__", "venv", "dist", "build", "target"})


def environment_text(root: Path, *, today: date | None = None, most: int = 40) -> str:
    """Describe the place in a few lines; at most `most` file names, folders first to be cut."""
    names = list(_names(root, most + 1))
    listed = "\n".join(map(_shown, names[:most])) or "(empty)"
    more = "\n(more; use list_files)" if len(names) > most else ""
    system = f"{platform.system()} {platform.release()}"
    day = (today or date.today()).isoformat()
    return (
        f"- Workspace: {_shown(str(root))} (all paths are relative to it)\n- System: {system}\n"
        f"- Date: {day}\n"
        f"- Files in the workspace at the start:\n{listed}{more}"
    )


def _shown(name: str) -> str:
    return _UNSHOWN.sub("\ufffd", name)


def _names(root: Path, most: int) -> Iterator[str]:
    """Walk breadth first, so that what lies at the top is named before what lies deep."""
    folders, told = [root], 0
    while folders and told < most:
        folder = folders.pop(0)
        for name, is_folder in _entries(folder):
            path = folder / name
            if is_folder:
                folders.append(path)
            if told < most:
                told += 1
                yield f"{path.relative_to(root).as_posix()}{'/' if is_folder else ''}"


def _entries(folder: Path) -> list[tuple[str, bool]]:
    try:
        with scandir(folder) as found:
            entries = [(e.name, e.is_dir(follow_symlinks=False)) for e in found]
    except OSError:
        return []
    return sorted(
        (name, is_folder)
        for name, is_folder in entries
        if not name.startswith(".") and not (is_folder and name in _SKIPPED)
    )

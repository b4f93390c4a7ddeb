"""A walk through a folder: breadth first, sorted, without what nobody wants to read.

The law: a link is told and never followed, so a walk does not leave the folder it began in.
"""

import os
import stat
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.ignore import NO_RULES, UNWANTED, Rules


@dataclass(frozen=True, slots=True)
class Entry:
    """Something found on the walk; `target` is where a link leads, as the link says it."""

    path: Path
    mode: int
    target: str | None = None
    unread: bool = False
    """A folder that could not be opened."""

    @property
    def folder(self) -> bool:
        return stat.S_ISDIR(self.mode)

    @property
    def file(self) -> bool:
        return stat.S_ISREG(self.mode)


def listing(folder: Path) -> list[Entry]:
    """Give everything in one folder, sorted by name; raises OSError."""
    with os.scandir(folder) as found:
        return [_entry(folder / item.name) for item in sorted(found, key=_name)]


def walk(start: Path, root: Path) -> Iterator[Entry]:
    """Walk below `start`; the ignore files from `root` down to it count as well.

    Raises OSError only where `start` itself cannot be read.
    """
    waiting = deque([(start, Rules.above(start, root))])
    first = True
    while waiting:
        folder, rules = waiting.popleft()
        rules = rules.within(folder)
        try:
            found = listing(folder)
        except OSError:
            if first:
                raise
            yield Entry(folder, stat.S_IFDIR, unread=True)
            continue
        first = False
        for entry in found:
            if _unwanted(entry, rules):
                continue
            yield entry
            if entry.folder:
                waiting.append((entry.path, rules))


def printable(name: str) -> str:
    """Give a file's name as one line of valid Unicode, whatever its bytes are."""
    text = os.fsencode(name).decode("utf-8", "replace")
    return text if text.isprintable() else "".join(map(_shown, text))


def _shown(character: str) -> str:
    return character if character.isprintable() else ascii(character)[1:-1]


def _name(item: os.DirEntry[str]) -> str:
    return item.name


def _entry(path: Path) -> Entry:
    try:
        mode = path.lstat().st_mode
        target = str(path.readlink()) if stat.S_ISLNK(mode) else None
    except OSError:
        return Entry(path, 0)
    return Entry(path, mode, target)


def _unwanted(entry: Entry, rules: Rules) -> bool:
    if entry.folder and entry.path.name in UNWANTED:
        return True
    return rules is not NO_RULES and rules.ignore(entry.path, folder=entry.folder)

"""The folder the agent works in: every path resolves inside it, and what was read is remembered.

Law: a path given by the model is resolved as the system would (links, `..`, the deepest parent
that exists) before it is compared with the root, whole parts at a time; and a file that changed
since the model saw it is not overwritten.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

from tools.errors import BadPath, FileChanged, NotFound, NotPermitted, OutsideWorkspace, WrongKind

_LONGEST_NAME = 255  # bytes, of one part; the limit of all usual file systems
_LONGEST_PATH = 4095


class Workspace:
    """A root folder, and the files the model has seen in it.

    A file that was never read may be overwritten: the question for consent shows the whole
    diff.  A file that was read, was changed by somebody else and is still there may not, until
    it is read again.  A file that has gone is a new file.
    """

    def __init__(self, root: Path | str) -> None:
        self.root = Path(os.path.realpath(Path(root).expanduser()))
        if not self.root.is_dir():
            raise NotFound(f"The workspace {self.root} is not a directory.")
        self._seen: dict[Path, str] = {}

    def resolve(self, given: str) -> Path:
        """Give the real path of what the model named.

        Raises BadPath, OutsideWorkspace and NotPermitted.  Relative paths start at the root,
        absolute ones must lie inside it; a leading `~/` is the home folder.
        """
        path = self._joined(given)
        real = Path(os.path.realpath(path))
        if not real.is_relative_to(self.root):
            led = f" (it leads to {real})" if real != path else ""
            raise OutsideWorkspace(
                f"{given!r} lies outside the workspace{led}. Only paths inside {self.root} can "
                "be used; give one relative to it."
            )
        try:
            looped = real.is_symlink()
        except OSError as error:
            raise NotPermitted(f"{given!r} cannot be reached: {error.strerror}.") from None
        if looped:
            raise BadPath(f"{given!r} is a link that leads to itself.")
        return real

    def resolve_file(self, given: str) -> Path:
        """Give the real path of a file that is there or could be; raises WrongKind besides."""
        real = self.resolve(given)
        last = given.strip().rsplit("/", 1)[-1]
        if last in ("", ".", "..") or real.is_dir():
            raise WrongKind(f"{given!r} names a directory; give the path of a file.")
        for parent in real.relative_to(self.root).parents:
            if (self.root / parent).exists() and not (self.root / parent).is_dir():
                raise WrongKind(f"{given!r} cannot be: {str(parent)!r} is a file, not a directory.")
        return real

    def shown(self, path: Path) -> str:
        """Give a path as the model and the person read it: relative to the root."""
        return (
            path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)
        )

    def _joined(self, given: str) -> Path:
        name = given.strip()
        if not name:
            raise BadPath("The path is empty; give one relative to the workspace.")
        if "\0" in name or "\n" in name:
            raise BadPath(f"{given!r} cannot be a path: it holds a NUL or a line break.")
        if name == "~" or name.startswith("~/"):
            name = str(Path(name).expanduser())
        try:
            raw = os.fsencode(name)
        except UnicodeEncodeError:
            raise BadPath(f"{given!r} cannot be a path: it is not valid Unicode.") from None
        if len(raw) > _LONGEST_PATH or any(len(p) > _LONGEST_NAME for p in raw.split(b"/")):
            raise BadPath(f"The path {given[:60]!r}… is too long for the file system.")
        return self.root / name

    def saw(self, path: Path, data: bytes) -> None:
        """Remember a file's whole bytes as what the model knows of it (`path` is resolved)."""
        self._seen[path] = _hash(data)

    def check_unchanged(self, path: Path, data: bytes) -> None:
        """Raise FileChanged when `data`, a file's present bytes, is not what the model last saw."""
        if self._seen.get(path) not in (None, _hash(data)):
            raise FileChanged(
                f"{self.shown(path)} has changed since you read it, so nothing was written. Read "
                "it again, then repeat the change on what is there now."
            )

    def export(self) -> dict[str, str]:
        """Give what was seen, by shown path, for whoever keeps sessions (it is plain JSON)."""
        return {self.shown(path): seen for path, seen in self._seen.items()}

    def restore(self, exported: Mapping[str, str]) -> None:
        """Take over what was seen in an earlier session, as `export` gave it."""
        self._seen.update((self.root / name, seen) for name, seen in exported.items())


def _hash(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()

"""Which files are asked for even where reading or editing is allowed: secrets, git's own files."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import PurePath

from tools.consent import Effect
from tools.errors import ToolError
from tools.workspace import Workspace

SECRET_FILES = (
    ".env*",
    "*.pem",
    "*.p12",
    "*.pfx",
    "id_*",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".aws/credentials",
    ".docker/config.json",
    ".ssh/*",
)
"""Reading one of these asks, whatever is allowed (matched against the last parts of a path)."""

GUARDED_FOLDERS = (".git",)
"""Writing below one of these asks, whatever is allowed: what lies there may be run."""


def is_secret(path: PurePath) -> bool:
    """Say whether a file of this name usually holds keys or passwords."""
    return any(_ends(path, pattern) for pattern in SECRET_FILES)


def cautions_for(given: str, effect: Effect, workspace: Workspace) -> tuple[str, ...]:
    """Give the reasons to ask about this path, one line each.

    Both the name as given and the file behind a link count.
    """
    try:
        real = workspace.resolve(given)
    except ToolError:
        return ()
    names = (PurePath(given), real)
    found: list[str] = []
    if any(is_secret(name) for name in names):
        found.append(f"{given} looks like a file of keys or passwords")
    inside = real.relative_to(workspace.root).parts
    if effect is Effect.EDIT and any(folder in inside for folder in GUARDED_FOLDERS):
        found.append(f"{given} belongs to git itself, and git may run it")
    return tuple(found)


def _ends(path: PurePath, pattern: str) -> bool:
    wanted = pattern.split("/")
    parts = path.parts[-len(wanted) :]
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))

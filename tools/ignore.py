"""What a walk leaves out: folders of tools and builds, and what `.gitignore` files name.

The law is git's: the deepest file that says something about a path decides, its last line first,
and nothing below an ignored folder comes back.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

UNWANTED = frozenset(
    {
        *(".git", ".hg", ".svn", ".jj", "node_modules", "bower_components", "__pycache__"),
        *(".venv", "venv", ".tox", ".nox", ".mypy_cache", ".ruff_cache", ".pytest_cache"),
        *(".hypothesis", ".eggs", ".ipynb_checkpoints", ".cache", "dist", ".gradle", ".next"),
        *(".nuxt", ".svelte-kit", ".turbo", ".parcel-cache", ".terraform", ".dart_tool", "Pods"),
    }
)
_LARGEST = 1_000_000


@dataclass(frozen=True)
class Rules:
    """The ignore files on the way to a folder, the deepest first."""

    base: Path
    spec: Optional["GitIgnoreSpec"]
    outer: Optional["Rules"]

    @classmethod
    def above(cls, start: Path, root: Path) -> "Rules":
        """Gather from `root` down to the parent of `start`.

        Whoever names an ignored folder wants to see it: then these rules do not count.
        """
        rules = NO_RULES
        if not start.is_relative_to(root):
            return rules
        for folder in reversed(start.parents):
            if folder.is_relative_to(root):
                rules = rules.within(folder)
                below = folder / start.relative_to(folder).parts[0]
                if rules.ignore(below, folder=True):
                    return NO_RULES
        return rules

    def within(self, folder: Path) -> "Rules":
        """Add the ignore file of a folder further down."""
        spec = _spec(folder / ".gitignore")
        return Rules(folder, spec, None if self is NO_RULES else self) if spec else self

    def ignore(self, path: Path, *, folder: bool) -> bool:
        """Say whether a path is left out."""
        rules: Rules | None = self
        while rules is not None and rules.spec is not None:
            name = path.relative_to(rules.base).as_posix() + ("/" if folder else "")
            said = rules.spec.check_file(name).include
            if said is not None:
                return said
            rules = rules.outer
        return False


NO_RULES = Rules(Path(), None, None)


def _spec(path: Path) -> Optional["GitIgnoreSpec"]:
    try:
        if not path.is_file() or path.is_symlink() or path.stat().st_size > _LARGEST:
            return None
        lines = path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return None
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(line for line in lines if _valid(line))


def _valid(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True

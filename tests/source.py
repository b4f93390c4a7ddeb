"""The repository as its own tests see it: files, modules, and who imports whom.

Every import counts: at the top, inside a function, under TYPE_CHECKING, or named as a dotted string
(that is how a registry or a lazy export says it).
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("parsing", "tools", "agent", "ui")  # from the ground up

Edges = Mapping[str, Mapping[str, int]]  # importer -> imported -> line


@cache
def files() -> tuple[Path, ...]:
    """Everything that belongs to the repository: tracked, or new and not ignored."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0:
        names = listed.stdout.decode().split("\0")
        paths = (ROOT / name for name in names if name)
    else:  # an unpacked archive
        paths = (path for path in ROOT.rglob("*") if not _derived(path.relative_to(ROOT)))
    return tuple(sorted(path for path in paths if path.is_file()))


def _derived(path: Path) -> bool:
    return any(part == "__pycache__" or part in {".git", ".venv"} for part in path.parts)


def said(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def python_files(*folders: str) -> tuple[Path, ...]:
    chosen = folders or (*FLOORS, "tests")
    return tuple(
        path
        for path in files()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in chosen
    )


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes(), said(path))


@cache
def modules() -> Mapping[str, Path]:
    return {_module(path): path for path in python_files(*FLOORS)}


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def edges() -> Edges:
    return {name: imports(tree(path), frozenset(modules())) for name, path in modules().items()}


def imports(module: ast.Module, known: frozenset[str]) -> Mapping[str, int]:
    """Return the known modules that `module` names, each with the first line that does."""
    found: dict[str, int] = {}
    for name, line in _named(module, known):
        while name and name not in known:
            name = name.rpartition(".")[0]
        if name:
            found[name] = min(line, found.get(name, line))
    return found


def _named(module: ast.Module, known: frozenset[str]) -> Iterator[tuple[str, int]]:
    for node in ast.walk(module):
        match node:
            case ast.Import(names=names):
                yield from ((alias.name, node.lineno) for alias in names)
            case ast.ImportFrom(module=str(origin), names=names, level=0):
                yield from ((f"{origin}.{alias.name}", node.lineno) for alias in names)
            case ast.Constant(value=str(text)) if "." in text and text in known:
                yield text, node.lineno
            case _:
                pass


def circle(graph: Edges) -> list[str] | None:
    """Return one way from a module back to itself, or None."""
    done: set[str] = set()
    for start in graph:
        way = _back(start, graph, [], done)
        if way:
            return way
    return None


def _back(name: str, graph: Edges, way: list[str], done: set[str]) -> list[str] | None:
    if name in way:
        return [*way[way.index(name) :], name]
    if name in done:
        return None
    for target in graph.get(name, ()):
        found = _back(target, graph, [*way, name], done) if target != name else None
        if found:
            return found
    done.add(name)
    return None

"""The repository as its own tests see it: files, modules, and who imports whom.

Every import counts: at the top, inside a function, under TYPE_CHECKING, or by a dotted string given
to `import_module`. A registry may name modules of its floor as data; towards other floors that
counts too.
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


@cache
def names() -> Edges:
    return {name: named(tree(path), frozenset(modules())) for name, path in modules().items()}


def imports(module: ast.Module, known: frozenset[str]) -> Mapping[str, int]:
    """Return the known modules that `module` imports, each with the first line that does."""
    found: dict[str, int] = {}
    for name, line in _imported(module):
        while name and name not in known:
            name = name.rpartition(".")[0]
        if name:
            found[name] = min(line, found.get(name, line))
    return found


def _imported(module: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(module):
        match node:
            case ast.Import(names=names):
                yield from ((alias.name, node.lineno) for alias in names)
            case ast.ImportFrom(module=str(origin), names=names, level=0):
                yield from ((f"{origin}.{alias.name}", node.lineno) for alias in names)
            case ast.Call(
                func=ast.Name(id="import_module") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(text)), *_],
            ):
                yield text, node.lineno
            case _:
                pass


def named(module: ast.Module, known: frozenset[str]) -> Mapping[str, int]:
    """Return the known modules that stand in `module` as dotted strings."""
    return {
        node.value: node.lineno
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if "." in node.value and node.value in known
    }


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

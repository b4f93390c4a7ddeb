from __future__ import annotations

import ast
import importlib
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import source

TOP = {
    *("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"),
    *source.FLOORS,
    "tests",
}
LINES = 300
VAGUE = {"common", "helper", "helpers", "manager", "managers", "misc", "util", "utils"}
SILENCED = re.compile(
    r"(type:\s*ignore|pyright:\s*(ignore|basic|standard)|mypy:\s*\S+|(ruff:\s*)?noqa)"
    r"(\[[^\]]*\])?(:\s*[A-Z]+\d+(,\s*[A-Z]+\d+)*)?|pragma:\s*no\s+cover"
)
FOREIGN = {
    "a path of one machine": r"/[r]oot/|/[w]ork/|/[t]mp/venv\b|/[o]pt/wheels",
    "an address of a package registry": r"pypi\.org|pythonhosted\.org|registry\.npmjs|index[-_]url",
    "a folder beside the repository": r"\.\./shared\b",
    "a floor run as a module": r"python[\d.]*\s+-m\s+(agent|parsing|tools|ui)\b",
}


def texts() -> Iterator[tuple[str, str]]:
    for path in source.files():
        data = path.read_bytes()
        if b"\0" not in data:
            yield source.said(path), data.decode("utf-8", "replace")


def at(path: Path, node: ast.AST) -> str:
    return f"{source.said(path)}:{getattr(node, 'lineno', 1)}"


def test_house_has_exactly_this_top_level() -> None:
    top = {path.relative_to(source.ROOT).parts[0] for path in source.files()}

    assert {name for name in top if not name.startswith(".")} == TOP
    assert {".ci", ".gitignore", ".pre-commit-config.yaml"} <= top


def test_house_imports_only_downwards_between_floors() -> None:
    height = {floor: number for number, floor in enumerate(source.FLOORS)}
    upward = [
        f"{name}:{line} imports {target}"
        for found in (source.edges(), source.names())
        for name, targets in found.items()
        for target, line in targets.items()
        if height[target.partition(".")[0]] > height[name.partition(".")[0]]
    ]

    assert upward == []


def test_house_imports_nothing_from_its_tests() -> None:
    found = [
        at(path, node)
        for path in source.python_files(*source.FLOORS)
        for node in ast.walk(source.tree(path))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "tests")
        or (isinstance(node, ast.Import) and any(a.name.startswith("tests") for a in node.names))
    ]

    assert found == []


@pytest.mark.parametrize("floor", source.FLOORS)
def test_house_has_no_import_circle_inside(floor: str) -> None:
    inside = {
        name: {target: line for target, line in targets.items() if target.split(".")[0] == floor}
        for name, targets in source.edges().items()
        if name.split(".")[0] == floor
    }

    assert source.circle(inside) is None


def test_source_sees_lazy_typed_and_named_imports() -> None:
    text = (
        "import a.b\n"
        "if TYPE_CHECKING:\n    from a import c\n"
        "def f():\n    from a.d import name\n    import_module('a.e')\n    return {'kind': 'a.f'}\n"
    )

    known = frozenset({"a", "a.b", "a.c", "a.d", "a.e", "a.f"})

    assert source.imports(ast.parse(text), known) == {"a.b": 1, "a.c": 3, "a.d": 5, "a.e": 6}
    assert source.named(ast.parse(text), known) == {"a.e": 6, "a.f": 7}
    assert source.circle({"a": {"b": 1}, "b": {"c": 1}, "c": {"b": 1}}) == ["b", "c", "b"]
    assert source.circle({"a": {"b": 1, "c": 1}, "b": {"c": 1}, "c": {}}) is None


def test_house_imports_are_absolute() -> None:
    relative = [
        at(path, node)
        for path in source.python_files()
        for node in ast.walk(source.tree(path))
        if isinstance(node, ast.ImportFrom) and node.level
    ]

    assert relative == []


def test_house_files_are_short() -> None:
    counts = {source.said(path): path.read_bytes().count(b"\n") for path in source.python_files()}

    assert {name: count for name, count in counts.items() if count > LINES} == {}


def test_house_folders_are_packages() -> None:
    folders = {path.parent for path in source.python_files()}
    tests = {folder for path in folders for folder in (path, *path.parents)}
    inside = {path for path in tests if path.is_relative_to(source.ROOT) and path != source.ROOT}

    assert [
        source.said(path) for path in sorted(inside) if not (path / "__init__.py").exists()
    ] == []


def test_house_names_say_what_a_module_is() -> None:
    vague = [
        source.said(path)
        for path in source.python_files()
        if VAGUE & set(path.stem.split("_")) or VAGUE & set(path.parent.name.split("_"))
    ]

    assert vague == []


@pytest.mark.parametrize("floor", source.FLOORS)
def test_floor_says_its_law_and_map(floor: str) -> None:
    assert (source.ROOT / floor / "README.md").is_file()


@pytest.mark.parametrize("floor", source.FLOORS)
def test_floor_keeps_its_public_names_honest(floor: str) -> None:
    module = importlib.import_module(floor)
    public: list[str] = list(module.__all__)
    missing = [name for name in public if not hasattr(module, name)]
    unsaid = sorted(set(bound(source.ROOT / floor / "__init__.py", floor)) - set(public))

    assert missing == []
    assert unsaid == []
    assert len(public) == len(set(public))


def bound(path: Path, floor: str) -> Iterator[str]:
    for node in ast.walk(source.tree(path)):
        match node:
            case ast.ImportFrom(module=str(origin), names=names) if origin.split(".")[0] == floor:
                yield from (a.asname or a.name for a in names if not a.name.startswith("_"))
            case _:
                pass
    for node in source.tree(path).body:
        match node:
            case (
                ast.ClassDef(name=name)
                | ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
            ) if not name.startswith("_"):
                yield name
            case _:
                pass


@pytest.mark.parametrize("kind", FOREIGN)
def test_house_holds_nothing_foreign(kind: str) -> None:
    pattern = re.compile(FOREIGN[kind], re.IGNORECASE)
    found = [
        f"{name}:{number}: {line.strip()[:80]}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]

    assert found == []


def test_house_reads_no_folder_beside_it() -> None:
    found = [
        at(path, node)
        for path in source.python_files()
        if path != Path(__file__)
        for node in ast.walk(source.tree(path))
        if isinstance(node, ast.Constant) and node.value == "shared"
    ]

    assert found == []


def test_house_casts_nothing() -> None:
    found = [
        at(path, node)
        for path in source.python_files()
        for node in ast.walk(source.tree(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"cast", "typing.cast"}
    ]

    assert found == []


def test_house_silences_no_check_without_a_reason() -> None:
    found = [
        f"{source.said(path)}:{token.start[0]}: {token.string}"
        for path in source.python_files()
        for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
        if token.type == tokenize.COMMENT and unexplained(token.string)
    ]

    assert found == []


def unexplained(comment: str) -> bool:
    rest, silenced = SILENCED.subn("", comment)
    return silenced > 0 and len(re.sub(r"\W", "", rest)) < 6


@pytest.mark.parametrize(
    ("comment", "bare"),
    [
        ("# no" + "qa", True),
        ("# no" + "qa: E501", True),
        ("# no" + "qa: E501, PLR0911  the table is read across", False),
        ("# type" + ": ignore[arg-type]", True),
        ("# type" + ": ignore[arg-type]  # the stub lacks it", False),
        ("# type" + ": ignore[a]  # no" + "qa: B1", True),
        ("# an ordinary word", False),
    ],
)
def test_unexplained_wants_a_reason(comment: str, bare: bool) -> None:
    assert unexplained(comment) is bare


def test_tests_speak_through_their_names() -> None:
    said = [
        at(path, node)
        for path in source.python_files("tests")
        for node in ast.walk(source.tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and ast.get_docstring(node)
    ]

    assert said == []

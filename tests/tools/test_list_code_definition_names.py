from __future__ import annotations

import asyncio
import tomllib
from pathlib import Path

import pytest

from tools.definitions import LANGUAGES, Language, definitions, language_of
from tools.errors import NotFound, OutsideWorkspace, WrongKind
from tools.list_code_definition_names import ListCodeDefinitionNames
from tools.tool import Context
from tools.workspace import Workspace

CASES: list[dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("corpus").joinpath("definitions.toml").read_text("utf-8")
)["case"]
ODD = [
    "",
    "\n",
    "(" * 50_000,
    "{" * 50_000,
    "class A{" * 5_000,
    "if x:\n" * 2_000,
    "\0\0",
    "`$(" * 999,
]


def defined(folder: Path, path: str = ".") -> str:
    tool = ListCodeDefinitionNames().bind({"path": path})
    return asyncio.run(tool.run(Context(Workspace(folder)))).for_model


@pytest.mark.parametrize("case", [pytest.param(case, id=case["language"]) for case in CASES])
def test_definitions_are_found(case: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / case["file"]).write_text(case["text"])
    shown = case["shown"].rstrip("\n").split("\n")

    expected = "\n".join([case["file"], *(f"│{line}" for line in shown)])

    language = language_of(Path(case["file"]))
    assert language is not None
    assert language.name == case["language"]
    assert defined(tmp_path) == expected
    assert defined(tmp_path, case["file"]) == expected


def test_definitions_have_a_case_for_each_language() -> None:
    assert {case["language"] for case in CASES} == {language.name for language in LANGUAGES}


def test_definitions_have_one_language_for_each_extension() -> None:
    ends = [end for language in LANGUAGES for end in language.extensions]

    assert len(ends) == len(set(ends))


@pytest.mark.parametrize("language", [pytest.param(one, id=one.name) for one in LANGUAGES])
def test_definitions_raise_on_nothing(language: Language) -> None:
    for text in ODD:
        lines = text.count("\n") + 1
        assert all(1 <= found.line <= lines for found in definitions(text, language))


def test_list_code_definition_names_shows_the_files_of_one_directory(tmp_path: Path) -> None:
    (tmp_path / "b.py").write_text("def b(): pass\n")
    (tmp_path / "a.go").write_text("package a\n")
    (tmp_path / "notes.txt").write_text("def no(): pass\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "c.py").write_text("def c(): pass\n")

    assert defined(tmp_path) == "a.go\n(no definitions)\n\nb.py\n│1 | def b(): pass"
    assert defined(tmp_path, "deep") == "deep/c.py\n│1 | def c(): pass"


def test_list_code_definition_names_tells_what_it_could_not_read(tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(b"def f\0(): pass")
    (tmp_path / "good.py").write_text("class A: pass\n")
    with (tmp_path / "huge.py").open("wb") as file:
        file.truncate(10**9)

    found = defined(tmp_path)

    assert "binary.py\n(not read: binary.py is a binary file" in found
    assert "good.py\n│1 | class A: pass" in found
    assert "huge.py\n(not read: huge.py has 1,000,000,000 bytes" in found


def test_list_code_definition_names_stops_at_50_files(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"m{number:02}.py").write_text(f"def f{number}(): pass\n")

    found = defined(tmp_path)

    assert found.count("def f") == 50
    assert found.endswith("(10 more source files are not shown.)")


def test_list_code_definition_names_stops_in_a_giant_file(tmp_path: Path) -> None:
    (tmp_path / "many.py").write_text("def f(): pass\n" * 1000)

    found = defined(tmp_path)

    assert found.count("def f") == 200
    assert found.endswith("(800 more definitions are not shown.)")


def test_list_code_definition_names_says_where_to_look(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "notes.txt").touch()
    (tmp_path / "link.py").symlink_to("/etc/passwd")

    assert defined(tmp_path) == "No source files are directly in '.'. Its directories: src/."
    with pytest.raises(NotFound):
        defined(tmp_path, "missing")
    with pytest.raises(WrongKind, match="read_file"):
        defined(tmp_path, "notes.txt")
    with pytest.raises(OutsideWorkspace):
        defined(tmp_path, "link.py")

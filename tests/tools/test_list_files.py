from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.errors import NotFound, OutsideWorkspace, WrongKind
from tools.list_files import ListFiles
from tools.tool import Context
from tools.walk import walk
from tools.workspace import Workspace

TREE = {
    ".gitignore": "*.log\n!keep.log\n/made/\nnotes/*.txt\n!notes/b.txt\n[bad\n",
    ".github/ci.yml": "",
    "a.log": "",
    "keep.log": "",
    "made/x.py": "",
    "notes/a.txt": "",
    "notes/b.txt": "",
    "src/.gitignore": "keep.log\n!a.log\n",
    "src/a.log": "",
    "src/keep.log": "",
    "src/made/y.py": "",
    "src/main.py": "",
    "src/deep/er/z.py": "",
    "node_modules/m/index.js": "",
    "src/__pycache__/main.pyc": "",
    "dist/out.js": "",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path.resolve()


def listed(folder: Path, path: str = ".", **more: bool) -> list[str]:
    tool = ListFiles().bind({"path": path, **more})
    return asyncio.run(tool.run(Context(Workspace(folder)))).for_model.split("\n")


def test_list_files_shows_all_of_one_directory(folder: Path) -> None:
    assert listed(folder) == [
        *(".github/", ".gitignore", "a.log", "dist/", "keep.log", "made/", "node_modules/"),
        *("notes/", "src/"),
    ]
    assert listed(folder, "src/deep") == ["src/deep/er/"]


def test_list_files_leaves_ignored_files_out_when_recursive(folder: Path) -> None:
    assert listed(folder, recursive=True) == [
        *(".github/", ".github/ci.yml", ".gitignore", "keep.log", "notes/", "notes/b.txt"),
        *("src/", "src/.gitignore", "src/a.log", "src/deep/", "src/deep/er/", "src/deep/er/z.py"),
        *("src/made/", "src/made/y.py", "src/main.py"),
    ]


@pytest.mark.parametrize(
    ("path", "entries"),
    [
        ("src/deep", ["src/deep/er/", "src/deep/er/z.py"]),
        ("notes", ["notes/b.txt"]),
        ("made", ["made/x.py"]),
        ("node_modules", ["node_modules/m/", "node_modules/m/index.js"]),
    ],
)
def test_list_files_shows_an_ignored_directory_that_is_asked_for(
    path: str, entries: list[str], folder: Path
) -> None:
    assert listed(folder, path, recursive=True) == entries


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the judge here")
def test_walk_ignores_what_git_ignores(folder: Path) -> None:
    for name in ("node_modules", "dist", "src/__pycache__"):
        shutil.rmtree(folder / name)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)

    walked = {str(e.path.relative_to(folder)) for e in walk(folder, folder) if e.file}

    assert walked == set(said.stdout.split())


def test_list_files_shows_links_and_does_not_follow_them(folder: Path) -> None:
    (folder / "out").symlink_to("/etc")
    (folder / "inside").symlink_to("src")
    (folder / "broken").symlink_to("nowhere")
    (folder / "round").symlink_to(".")

    lines = listed(folder, recursive=True)

    assert [line for line in lines if "->" in line] == [
        *("broken -> nowhere", "inside -> src", "out -> /etc", "round -> ."),
    ]
    assert not [line for line in lines if line.startswith(("out/", "inside/", "round/"))]
    with pytest.raises(OutsideWorkspace):
        listed(folder, "out")


def test_list_files_shows_odd_names_on_one_line(tmp_path: Path) -> None:
    (tmp_path / "two\nlines").touch()
    (tmp_path / "bell\x07\x1b[31m").touch()
    (tmp_path / os.fsdecode(b"\xff\xfe")).touch()
    os.mkfifo(tmp_path / "pipe")

    lines = listed(tmp_path)

    assert lines == ["bell\\x07\\x1b[31m", "pipe (pipe)", "two\\nlines", "\ufffd\ufffd"]


def test_list_files_shows_the_first_200_breadth_first(tmp_path: Path) -> None:
    (tmp_path / "a" / "deep").mkdir(parents=True)
    for number in range(150):
        (tmp_path / "a" / "deep" / f"{number:03}").touch()
        (tmp_path / f"top{number:03}").touch()

    lines = listed(tmp_path, recursive=True)

    assert len(lines) == 202
    assert sum(line.startswith("top") for line in lines) == 150
    assert lines[-1].startswith("(More than 200 entries")
    assert len(listed(tmp_path / "a", "deep")) == 150


def test_list_files_tells_what_it_cannot_list(folder: Path) -> None:
    (folder / "empty").mkdir()

    assert listed(folder, "empty") == ["(empty is empty.)"]
    with pytest.raises(NotFound):
        listed(folder, "missing")
    with pytest.raises(WrongKind, match="read_file"):
        listed(folder, "keep.log")

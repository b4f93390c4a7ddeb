from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.tools.uses import plant
from tools import (
    BadPath,
    FileChanged,
    NotPermitted,
    OutsideWorkspace,
    ToolError,
    Workspace,
    WrongKind,
)

TREE = {
    "w/a.py": "x\n",
    "w/sub/b.py": "y\n",
    "w/in": "-> sub",
    "w/out": "-> ../outside",
    "w/dangling.txt": "-> ../outside/new.txt",
    "w/inner-dangling.txt": "-> sub/new.txt",
    "w/loop": "-> loop",
    "w/~tilde.txt": "t\n",
    "w-secret/key": "k\n",
    "outside/old.txt": "o\n",
}
INSIDE = {
    "a.py": "a.py",
    "./a.py": "a.py",
    " a.py\t": "a.py",
    "sub/../a.py": "a.py",
    "sub/b.py": "sub/b.py",
    "in/b.py": "sub/b.py",
    "in/../a.py": "a.py",
    "new/deep/c.py": "new/deep/c.py",
    "gone/../a.py": "a.py",
    "inner-dangling.txt": "sub/new.txt",
    "~tilde.txt": "~tilde.txt",
    ".": ".",
    "sub/": "sub",
}
OUTSIDE = (
    "..",
    "../outside/old.txt",
    "../w-secret/key",
    "sub/../../outside/old.txt",
    "out/old.txt",
    "out/new/deeper.txt",
    "dangling.txt",
    "/etc/passwd",
    "~/x",
    "~",
    "gone/../../outside/old.txt",
)
BAD = ("", "  ", "a\0b", "a\nb", "x" * 256, "漢" * 100, "d/" * 2100 + "x", "\ud800", "loop")
NO_FILE = ("sub", "sub/", "new/", "in", ".", "sub/..", "a.py/", "a.py/b", "a.py/b/c", "new/.")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    plant(tmp_path, TREE)
    return Workspace(tmp_path / "w")


@pytest.mark.parametrize("given", INSIDE)
def test_path_inside_resolves(given: str, workspace: Workspace) -> None:
    assert workspace.shown(workspace.resolve(given)) == INSIDE[given]


def test_path_absolute_resolves_inside(workspace: Workspace) -> None:
    assert workspace.resolve(f"{workspace.root}/sub/b.py") == workspace.root / "sub" / "b.py"


@pytest.mark.parametrize("given", OUTSIDE)
def test_path_outside_is_refused(given: str, workspace: Workspace) -> None:
    with pytest.raises(OutsideWorkspace, match="outside the workspace"):
        workspace.resolve(given)


@pytest.mark.parametrize("given", BAD)
def test_path_that_cannot_be_is_refused(given: str, workspace: Workspace) -> None:
    with pytest.raises(BadPath):
        workspace.resolve(given)


@pytest.mark.parametrize("given", NO_FILE)
def test_path_of_no_file_is_refused(given: str, workspace: Workspace) -> None:
    with pytest.raises(WrongKind):
        workspace.resolve_file(given)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_path_in_a_closed_folder_is_told(workspace: Workspace) -> None:
    (workspace.root / "sub").chmod(0)

    with pytest.raises(NotPermitted, match="cannot be reached: Permission denied"):
        workspace.resolve("sub/b.py")


def test_workspace_reached_by_a_link_is_the_folder_itself(tmp_path: Path) -> None:
    plant(tmp_path, TREE | {"link": "-> w"})
    workspace = Workspace(tmp_path / "link")

    assert workspace.root == tmp_path / "w"
    assert workspace.resolve(f"{tmp_path}/link/a.py") == tmp_path / "w" / "a.py"


def test_workspace_must_be_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="not a directory"):
        Workspace(tmp_path / "none")


def test_workspace_remembers_what_was_seen(workspace: Workspace) -> None:
    path = workspace.resolve("in/b.py")
    workspace.check_unchanged(path, b"never seen")

    workspace.saw(path, b"y\n")

    workspace.check_unchanged(path, b"y\n")
    with pytest.raises(FileChanged, match="changed since you read it"):
        workspace.check_unchanged(path, b"z\n")


def test_workspace_takes_over_what_another_saw(workspace: Workspace) -> None:
    path = workspace.resolve("in/b.py")
    workspace.saw(path, b"y\n")
    exported = json.loads(json.dumps(workspace.export()))
    other = Workspace(workspace.root)

    other.restore(exported)

    assert other.export() == workspace.export()
    assert list(exported) == ["sub/b.py"]
    with pytest.raises(FileChanged):
        other.check_unchanged(path, b"z\n")

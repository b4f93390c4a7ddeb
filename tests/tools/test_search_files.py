from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tools import ripgrep, search_files
from tools.errors import BadArguments, NotFound, OutsideWorkspace, TimedOut
from tools.ripgrep import Search, find_ripgrep, ripgrep_arguments, run_search
from tools.search_files import SearchFiles
from tools.tool import Context
from tools.workspace import Workspace

FILES = {
    ".gitignore": "ignored.py\n",
    "code.py": "one\ntwo\nthree\nfour\nfive\nsix\ntwo\n",
    "dash": "a -> b\n-1\n--pre=x\n",
    "ignored.py": "two\n",
    "src/two.ts": "x\r\ntwo\r\n",
    "node_modules/m/two.js": "two\n",
    ".github/ci.yml": "two\n",
    "weird name.py": "two  |  : - \n",
    "binary": "two\0two\n",
}
CODE = "code.py\n│----\n│1-one\n│2:two\n│3-three\n│----\n│6-six\n│7:two\n│----"
CI = ".github/ci.yml\n│----\n│1:two\n│----"
TS = "src/two.ts\n│----\n│1-x\n│2:two\n│----"
NAME = "weird name.py\n│----\n│1:two  |  : - \n│----"


@pytest.fixture(params=["ripgrep", "python"])
def workspace(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Workspace:
    if request.param == "python":
        monkeypatch.setattr(search_files, "find_ripgrep", lambda: None)
    root = tmp_path / "root"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, newline="")
    return Workspace(root)


def search(workspace: Workspace, regex: str, path: str = ".", **more: Any) -> str:
    tool = SearchFiles().bind({"path": path, "regex": regex, **more})
    return asyncio.run(tool.run(Context(workspace))).for_model


@pytest.mark.parametrize(
    ("path", "pattern", "count", "files"),
    [
        (".", None, "5 results", [CI, CODE, TS, NAME]),
        (".", "*.ts", "1 result", [TS]),
        (".", "*.{ts,yml}", "2 results", [CI, TS]),
        (".", "*.ts, *.yml", "2 results", [CI, TS]),
        (".", "src/**/*.ts", "1 result", [TS]),
        (".", "*.py", "3 results", [CODE, NAME]),
        (".", "!*.py", "2 results", [CI, TS]),
        ("src", None, "1 result", [TS]),
        ("code.py", None, "2 results", [CODE]),
        ("code.py", "*.ts", "2 results", [CODE]),
        ("src", "src/**/*.ts", "1 result", [TS]),
    ],
)
def test_search_files_shows_hits_by_file(
    path: str, pattern: str | None, count: str, files: list[str], workspace: Workspace
) -> None:
    found = search(workspace, r"^two\b", path, file_pattern=pattern)

    assert found == "\n\n".join((f"Found {count}.", *files))


def test_search_files_finds_the_end_of_a_line_that_ends_with_crlf(workspace: Workspace) -> None:
    assert search(workspace, "^two$", "src") == f"Found 1 result.\n\n{TS}"


def test_search_files_names_a_file_with_a_line_break_in_its_name(workspace: Workspace) -> None:
    (workspace.root / "a\n.env").write_text("here\n")

    assert search(workspace, "here") == "Found 1 result.\n\na\\n.env\n│----\n│1:here\n│----"


def test_search_files_tells_which_files_it_looked_at_in_vain(workspace: Workspace) -> None:
    found = search(workspace, "two", file_pattern=".ts")

    assert found == "Found 0 results. Only files named like .ts were searched."


def test_search_files_shows_an_ignored_directory_that_is_asked_for(workspace: Workspace) -> None:
    assert search(workspace, "two", "node_modules").startswith("Found 1 result.\n\nnode_modules/m/")
    assert search(workspace, "two", "ignored.py").startswith("Found 1 result.")


@pytest.mark.parametrize(
    ("regex", "count"),
    [("->", 1), ("-1", 1), ("--pre=x", 1), ("--pre=/tmp/evil.sh", 0), ("--", 1), ("-e", 0)],
)
def test_search_files_takes_no_pattern_for_an_option(
    regex: str, count: int, workspace: Workspace
) -> None:
    assert search(workspace, regex).startswith(f"Found {count} result")


def test_search_files_runs_no_preprocessor(workspace: Workspace, tmp_path: Path) -> None:
    evil, trace = tmp_path / "evil.sh", tmp_path / "trace"
    evil.write_text(f"#!/bin/sh\ntouch {trace}\n")
    evil.chmod(0o755)
    (workspace.root / "--pre=evil").write_text("x")

    for given in (f"--pre={evil}", f"--pre {evil}", f"x\n--pre={evil}"):
        for values in ({"regex": given}, {"regex": "two", "file_pattern": given}):
            with suppress(BadArguments):
                search(workspace, **values)
    found = search(workspace, "x", "--pre=evil")

    assert found == "Found 1 result.\n\n--pre=evil\n│----\n│1:x\n│----"
    assert not trace.exists()


def test_search_files_reads_no_configuration(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rc").write_text("--invert-match\n")
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(tmp_path / "rc"))

    assert search(workspace, "two", "src").startswith("Found 1 result.")


def test_search_files_does_not_follow_links_out(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.rs").write_text("SECRET\n")
    (workspace.root / "link.rs").symlink_to(tmp_path / "outside" / "secret.rs")
    (workspace.root / "linked").symlink_to(tmp_path / "outside")

    assert search(workspace, "SECRET") == "Found 0 results."
    for path in ("link.rs", "linked", "linked/secret.rs"):
        with pytest.raises(OutsideWorkspace):
            search(workspace, "SECRET", path)


def test_search_files_only_names_files_of_secrets(workspace: Workspace) -> None:
    (workspace.root / ".env").write_text("KEY=1\n")

    assert search(workspace, "KEY") == "Found 0 results.\n\n(Not shown, may hold secrets: .env)"
    assert "│1:KEY=1" in search(workspace, "KEY", ".env")


@pytest.mark.parametrize("regex", ["foo(", "[", "*", "a{2,1}"])
def test_search_files_quotes_ripgrep_on_an_invalid_regex(regex: str, workspace: Workspace) -> None:
    with pytest.raises(BadArguments, match=r"ripgrep says:\n(.*\n)*.*error"):
        search(workspace, regex)


@pytest.mark.parametrize("given", [{"regex": ""}, {"regex": "\0"}, {"regex": "\ud800"}])
def test_search_files_refuses_what_cannot_be_searched(
    given: dict[str, str], workspace: Workspace
) -> None:
    with pytest.raises(BadArguments):
        search(workspace, **given)


def test_search_files_tells_a_path_that_is_not_there(workspace: Workspace) -> None:
    with pytest.raises(NotFound, match="missing"):
        search(workspace, "x", "missing")


def test_search_files_stops_at_300_hits(workspace: Workspace) -> None:
    (workspace.root / "many").write_text("needle\n" * 5000)

    found = search(workspace, "needle")

    assert found.startswith("Found 300+ results. There are more.")
    assert found.count(":needle") == 300


def test_search_files_bounds_what_it_shows(workspace: Workspace) -> None:
    for number in range(400):
        (workspace.root / f"wide{number}").write_text("needle " + "é" * 100_000 + "\n")

    found = search(workspace, "needle")

    assert len(found.encode()) < 280 * 1024
    assert found.startswith("Found ")
    assert "There are more" in found.partition("\n")[0]


def test_search_files_ends_a_search_that_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_files, "find_ripgrep", lambda: None)
    monkeypatch.setattr(search_files, "_SECONDS", 0.5)
    (tmp_path / "file").write_text("a" * 40 + "!\n")

    with pytest.raises(TimedOut, match=r"longer than 0\.5 s"):
        search(Workspace(tmp_path), "(a+)+$")


def test_search_files_leaves_nothing_running_when_cancelled(tmp_path: Path) -> None:
    async def cancelled() -> int:
        command = [sys.executable, "-c", "import os, signal; print(os.getpid(), flush=True); "]
        command[-1] += "signal.pause()"
        work = asyncio.create_task(run_search(command, tmp_path, 60))
        for _ in range(3):
            await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        return len([p for p in asyncio.all_tasks() if p is not asyncio.current_task()])

    assert asyncio.run(cancelled()) == 0


def test_ripgrep_gets_what_the_model_gives_as_a_value_only() -> None:
    arguments = ripgrep_arguments(Search(Path(), "--pre=/tmp/evil.sh", ("--pre=x", "-a/*")))

    assert arguments[-4:] == ["-e", "--pre=/tmp/evil.sh", "--", "./"]
    assert "--type-add=wanted:--pre=x" in arguments
    assert "--glob=-a/*" in arguments
    assert "--no-config" in arguments


def test_ripgrep_is_found_beside_this_python() -> None:
    found = find_ripgrep()

    assert found is not None
    assert Path(found).name == "rg"
    assert ripgrep.LONGEST_LINE == 500

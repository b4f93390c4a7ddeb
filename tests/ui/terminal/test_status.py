import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from ui.terminal.cells import width
from ui.terminal.status import Standing, branch_of
from ui.terminal.styles import ASCII, UNICODE, glyphs, text_of

STANDING = Standing(
    version="1.2.3",
    model="a-model",
    endpoint="http://localhost:8080/v1",
    dialect="cline",
    mode="reparse",
    allowed=frozenset(),
    folder=Path("/somewhere/project"),
    branch="topic",
)


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=n", "-c", "user.email=e@e", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def test_branch_is_read_where_there_is_one(tmp_path: Path) -> None:
    assert branch_of(tmp_path) is None
    repository = tmp_path / "r"
    (repository / "deep").mkdir(parents=True)
    git(repository, "init", "-q")
    assert branch_of(repository / "deep") == "main"
    git(repository, "commit", "-q", "--allow-empty", "-m", "m")
    git(repository, "worktree", "add", "-q", "-b", "other/one", "../w")
    assert branch_of(tmp_path / "w") == "other/one"
    git(repository, "checkout", "-q", "--detach")
    detached = branch_of(repository)
    assert detached is not None
    assert len(detached) == 9


@pytest.mark.parametrize("columns", [20, 30, 45, 80])
def test_status_line_fits_the_screen(columns: int) -> None:
    line = text_of([STANDING.line(columns, UNICODE)]).rstrip("\n")
    assert width(line) < columns
    assert line.startswith("a-model")


def test_status_line_tells_tokens_and_branch() -> None:
    told = replace(STANDING, sent=12_345, tokens=678)
    line = text_of([told.line(100, UNICODE)])
    assert line == "a-model · cline · reparse · ask · 12.3k in 678 out · topic\n"


def test_status_gives_way_to_a_hint() -> None:
    hinted = replace(STANDING, hint="Ctrl-C again leaves")
    assert text_of([hinted.line(100, ASCII)]) == "Ctrl-C again leaves\n"


@pytest.mark.parametrize(
    ("allowed", "name", "words"),
    [
        ((), "ask", "before every edit and every command; reading is free"),
        (("edit",), "auto-edit", "before every command; edits are allowed"),
        (("run",), "auto-run", "before every edit; commands are allowed"),
        (("edit", "run"), "yolo", "never: every edit and every command is allowed"),
    ],
)
def test_first_screen_says_what_is_asked(allowed: tuple[str, ...], name: str, words: str) -> None:
    told = replace(STANDING, allowed=frozenset(allowed))
    assert told.approvals == name
    assert text_of(told.welcome(100, ASCII)).split("\n") == [
        "tagline 1.2.3  - /help for help, Ctrl-D to leave",
        "  model  a-model @ http://localhost:8080/v1",
        "  folder /somewhere/project (topic)",
        f"  asks   {words}",
        "  reads  dialect cline - mode reparse",
        "",
    ]


@pytest.mark.parametrize(
    ("encoding", "look"),
    [("utf-8", UNICODE), ("ascii", ASCII), ("latin-1", ASCII), (None, ASCII), ("none-such", ASCII)],
)
def test_glyphs_are_those_the_encoding_carries(encoding: str | None, look: object) -> None:
    assert glyphs(encoding) is look

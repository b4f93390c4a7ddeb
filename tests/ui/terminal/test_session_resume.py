import os
import re
from pathlib import Path

import pytest

from tests.ui.terminal.tty import Tty, script, tagline

DONE = "<attempt_completion>\n<result>\nAll done here.\n</result>\n</attempt_completion>\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (tmp_path / "home").mkdir()
    return place


def left(tty: Tty) -> None:
    tty.until("✓ Done")
    tty.type("\x04")
    assert tty.ended() == 0


def test_resume_without_an_id_lets_the_person_choose(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", "First.\n" + DONE, "Second.\n" + DONE)
    for task in ("the first task", "the other task"):
        with tagline(folder, "--script", str(scripted), task) as tty:
            left(tty)
    with tagline(folder, "--script", str(scripted), "--resume") as tty:
        tty.until("the other task", "the first task", "Which one? [1-2, Enter: 1]")
        assert re.search(r"^1 .*the other task$", tty.page, re.MULTILINE)
        tty.type("7\r")
        tty.wait(lambda: tty.page.count("Which one?") == 2, "it is asked again")
        tty.type("2\r")
        tty.until("Going on with session", "last task  the first task", "❯")


def test_resumed_session_keeps_its_dialect_and_its_mode(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", DONE, DONE)
    with tagline(
        folder, "--script", str(scripted), "--dialect", "cline-v2", "--mode", "both", "task"
    ) as tty:
        left(tty)
    with tagline(folder, "--script", str(scripted), "--continue") as tty:
        tty.until("Going on with session", "cline-v2", "both", "❯")
    with tagline(folder, "--script", str(scripted), "--continue", "--dialect", "cline") as tty:
        assert "cline-v2" not in tty.until("Going on with session", "both", "❯")


@pytest.mark.parametrize("task", [(), ("the task",)], ids=["idle", "at work"])
def test_session_whose_terminal_vanishes_is_hung_up(folder: Path, task: tuple[str, ...]) -> None:
    stream = {"steps": [{"text": "Here it comes"}, {"pause": 600.0}]}
    scripted = script(folder.parent / "s.jsonl", stream)
    with tagline(folder, "--script", str(scripted), *task) as tty:
        tty.until("Here it comes" if task else "❯")
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, tty.child.child_fd)  # the last holder of the terminal lets go
        os.close(null)
        tty.child.wait()
        assert tty.child.exitstatus == 129

from __future__ import annotations

import re
import shutil
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pexpect
import pytest

from tests.ui.command import Tagline, argv, environment
from ui.demo.places import FOLDER

# what the demo runs, in order; an interrupted call is sent again, a recorded one never
CALLS = (
    "list_files",
    "read_file",
    "read_file",
    "execute_command",
    "replace_in_file",
    "write_to_file",
    "execute_command",
    "attempt_completion",
)
MOMENTS = (
    "I will look at the project",
    "✓ Read shop.py",
    "✗ Run python3",
    "Both are confirmed",
    "✓ Write receipt.xml",
)


def rows(tagline: Tagline, kind: str) -> list[str]:
    path = tagline.home / "state" / "sessions.db"
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT data FROM row WHERE kind = ? ORDER BY number", (kind,))
        return [data for (data,) in found]


def tools(tagline: Tagline, kind: str) -> list[str]:
    return [re.findall(r'"tool": "(\w+)"', data)[0] for data in rows(tagline, kind)]


def workspaces(tagline: Tagline) -> list[Path]:
    return list((tagline.home / "tmp").glob(f"{FOLDER}*"))


def lines(process: subprocess.Popen[bytes]) -> Iterator[str]:
    assert process.stdout is not None
    for line in process.stdout:
        yield line.decode()


def kill_at(tagline: Tagline, moment: str) -> None:
    with tagline.start("demo", "--speed", "4") as process:
        assert any(moment in line for line in lines(process))
        process.kill()
    assert process.returncode == -signal.SIGKILL


def test_demo_ends_with_green_tests_and_both_modes_agreeing(tagline: Tagline) -> None:
    ran = tagline.run("demo")

    assert (ran.code, ran.err) == (0, "")
    assert "2 of 3 failed → 3 passed" in ran.out
    assert re.search(r"[1-9]\d* chunks, read in both modes at once: no difference", ran.out)
    assert "-     return full - full * discount\n" in ran.out
    assert "+     return full - round(full * discount / 100)\n" in ran.out
    assert "\x1b" not in ran.out
    assert tools(tagline, "call_finished") == list(CALLS)
    assert workspaces(tagline) == []


def test_demo_keeps_its_folder_when_asked(tagline: Tagline) -> None:
    ran = tagline.run("demo", "--keep")

    (place,) = workspaces(tagline)
    assert ran.code == 0
    assert f"kept: {place.resolve()}" in ran.out
    assert "<content>" in (place / "receipt.xml").read_text()


@pytest.mark.parametrize("moment", MOMENTS)
def test_demo_goes_on_after_sigkill(tagline: Tagline, moment: str) -> None:
    kill_at(tagline, moment)
    recorded = tools(tagline, "call_finished")
    begun = tools(tagline, "call_started")

    ran = tagline.run("--continue")

    assert ran.code == 0, ran.out + ran.err
    assert "The demo goes on" in ran.out
    assert "3 passed" in ran.out
    assert workspaces(tagline) == []
    told = "".join(rows(tagline, "user"))
    assert ("was interrupted: the program ended while it ran" in told) == (begun != recorded)


def test_demo_tells_the_model_of_a_call_that_was_begun_and_not_recorded(tagline: Tagline) -> None:
    with tagline.start("demo", "--speed", "4") as process:
        assert any("Two things look wrong" in line for line in lines(process))
        while "execute_command" not in tools(tagline, "call_started"):
            assert process.poll() is None
        process.kill()
    assert "execute_command" not in tools(tagline, "call_finished")

    ran = tagline.run("--continue")

    assert ran.code == 0, ran.out + ran.err
    assert "was interrupted: the program ended while it ran" in "".join(rows(tagline, "user"))
    assert tools(tagline, "call_finished") == list(CALLS)


def test_demo_never_runs_a_recorded_call_again(tagline: Tagline) -> None:
    kill_at(tagline, "✓ Edit shop.py")

    ran = tagline.run("--continue")

    assert ran.code == 0, ran.out + ran.err
    assert tools(tagline, "call_started") == list(CALLS)


@pytest.mark.parametrize(
    ("more", "coloured"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, True),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_demo_is_coloured_only_where_colour_is_wanted(
    tagline: Tagline, more: dict[str, str], *, coloured: bool
) -> None:
    first, *rest = argv("demo", "--speed", "0")
    child = pexpect.spawn(
        first,
        rest,
        cwd=str(tagline.folder),
        env=environment(tagline.home, more),
        encoding="utf-8",
        timeout=60,
    )
    child.expect(pexpect.EOF)
    child.close()

    assert child.exitstatus == 0
    shown = child.before or ""
    assert ("\x1b[31m-     return full" in shown) == coloured
    assert ("\x1b" in shown) == coloured
    assert "3 passed" in shown


def test_demo_runs_the_tests_where_there_is_no_python3(tagline: Tagline) -> None:
    programs = tagline.home / "bin"
    programs.mkdir()
    for name in ("bash", "sh"):
        (programs / name).symlink_to(shutil.which(name) or "")

    ran = Tagline(tagline.folder, tagline.home, {"PATH": str(programs)}).run("demo")

    assert ran.code == 0, ran.out
    assert "Run python3 -m unittest" not in ran.out


def test_demo_interrupted_says_how_to_go_on(tagline: Tagline) -> None:
    with tagline.start("demo", "--speed", "1") as process:
        assert any("Both are confirmed" in line for line in lines(process))
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        rest = process.stdout.read().decode()

    assert process.returncode == 130
    assert "To go on: tagline --continue" in rest
    assert tagline.run("--continue").code == 0


def test_demo_terminated_ends_with_its_code(tagline: Tagline) -> None:
    with tagline.start("demo", "--speed", "1") as process:
        assert any("Two things look wrong" in line for line in lines(process))
        process.terminate()
        assert process.stdout is not None
        process.stdout.read()

    assert process.returncode == 143


def test_demo_whose_reader_goes_away_leaves_no_folder(tagline: Tagline) -> None:
    shell = '"$@" | head -n 3 >/dev/null; echo "${PIPESTATUS[0]}"'
    ended = subprocess.run(
        ["bash", "-c", shell, "bash", *argv("demo", "--speed", "0")],
        cwd=tagline.folder,
        env=environment(tagline.home),
        capture_output=True,
        check=False,
    )

    assert (ended.stdout, ended.stderr) == (b"1\n", b"")
    assert not list((tagline.home / "tmp").glob("tagline-demo-*"))

import os
import signal
import termios
from pathlib import Path

import pytest

from tests.ui.terminal.tty import QUESTION, Tty, script, tagline

COMMAND = "sleep 300 & echo $! > child; echo $$ > shell; echo begun; sleep 300"
RUN = f"<execute_command>\n<command>{COMMAND}</command>\n</execute_command>\n"
DONE = "<attempt_completion>\n<result>\nAll done here.\n</result>\n</attempt_completion>\n"
STREAM = {"steps": [{"text": "Here it comes"}, {"pause": 600.0}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (tmp_path / "home").mkdir()
    return place


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def begun(tty: Tty, folder: Path) -> list[int]:
    tty.until("❯")
    tty.type("run it\r")
    tty.until(QUESTION)
    tty.type("y")
    tty.until("  │ begun")
    return [int((folder / name).read_text()) for name in ("child", "shell")]


def test_interrupt_in_mid_command_ends_its_whole_tree(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", RUN, {"text": DONE, "expect": "nterrupt"})
    with tagline(folder, "--script", str(scripted)) as tty:
        pids = begun(tty, folder)
        assert all(map(alive, pids))
        tty.type("\x03")
        tty.until("Interrupted; what came is kept.")
        tty.wait(lambda: not any(map(alive, pids)), "the tree is gone")
        tty.type("go on\r")
        tty.until("✓ Done")


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["terminated", "hung up"],
)
def test_signal_restores_the_terminal_and_ends_the_command(
    folder: Path, number: signal.Signals, code: int
) -> None:
    scripted = script(folder.parent / "s.jsonl", RUN, DONE)
    with tagline(folder, "--script", str(scripted)) as tty:
        before = termios.tcgetattr(tty.child.child_fd)
        pids = begun(tty, folder)
        assert termios.tcgetattr(tty.child.child_fd)[3] != before[3]
        os.kill(tty.pid, number)
        assert tty.ended() == code
        assert not any(map(alive, pids))
        assert_restored(tty)


def assert_restored(tty: Tty) -> None:
    """Look at the codes that were sent last, and at the line settings."""
    for code in (b"\x1b[?2004", b"\x1b[?25"):
        on, off = (b"h", b"l") if code.endswith(b"4") else (b"l", b"h")
        assert tty.raw.rfind(code + off) > tty.raw.rfind(code + on)
    assert b"\x1b[?1049h" not in tty.raw
    assert b"\x1b[?1000h" not in tty.raw
    local = termios.tcgetattr(tty.child.child_fd)[3]
    assert local & termios.ICANON
    assert local & termios.ECHO


def test_ctrl_c_twice_leaves_a_working_session(folder: Path) -> None:
    stubborn = f"<execute_command>\n<command>trap '' TERM INT; {COMMAND}</command>\n"
    turn = f"{stubborn}</execute_command>\n"
    scripted = script(folder.parent / "s.jsonl", turn, DONE)
    with tagline(folder, "--script", str(scripted)) as tty:
        pids = begun(tty, folder)
        tty.type("\x03", "\x03")
        assert tty.ended() == 130
        assert "To go on: tagline --resume" in tty.page
        assert not any(map(alive, pids))
        assert_restored(tty)


def test_ctrl_c_twice_leaves_an_idle_session(folder: Path) -> None:
    with tagline(folder, "--script", str(script(folder.parent / "s.jsonl", DONE))) as tty:
        tty.until("❯")
        tty.type("half a message", "\x03")
        tty.until("❯", gone=["half a message"])
        tty.type("\x03")
        tty.until("Ctrl-C again leaves")
        tty.type("\x03")
        assert tty.ended() == 0
        assert_restored(tty)


def test_suspended_session_comes_back(folder: Path) -> None:
    shell = ["bash", "-c", 'set -m; "$@"; echo the shell again; read -r; fg', "sh"]
    scripted = script(folder.parent / "s.jsonl", STREAM)
    with tagline(folder, "--script", str(scripted), under=shell) as tty:
        tty.until("❯")
        tty.type("a draft", "\x1a")
        tty.until("the shell again", gone=["❯ a draft"])
        assert termios.tcgetattr(tty.child.child_fd)[3] & termios.ECHO
        tty.type("\n")
        tty.until("❯ a draft")
        tty.type(" goes on")
        tty.until("❯ a draft goes on")


def test_crash_in_the_session_restores_the_terminal(folder: Path) -> None:
    with tagline(folder, "--script", str(script(folder.parent / "s.jsonl", DONE))) as tty:
        tty.until("❯")
        os.kill(tty.pid, signal.SIGINT)
        tty.until("Ctrl-C again leaves")
        os.kill(tty.pid, signal.SIGINT)
        assert tty.ended() == 0
        assert_restored(tty)


def test_session_that_was_left_goes_on(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", "First.\n" + DONE, "Second.\n" + DONE)
    with tagline(folder, "--script", str(scripted), "the first task") as tty:
        tty.until("First.", "✓ Done")
        tty.type("\x04")
        assert tty.ended() == 0
    with tagline(folder, "--script", str(scripted), "--continue") as tty:
        tty.until("Going on with session", "last task  the first task", "completed", "❯")
        tty.type("the second task\r")
        tty.until("Second.", "✓ Done")
        assert "First." not in tty.page
        tty.type("\x04")
        assert tty.ended() == 0


def test_session_that_was_killed_goes_on_by_itself(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", STREAM)
    with tagline(folder, "--script", str(scripted), "the task") as tty:
        tty.until("Here it comes")
        os.kill(tty.pid, signal.SIGKILL)
        assert tty.ended() == 137
    more = script(folder.parent / "t.jsonl", STREAM, "And on.\n" + DONE)
    with tagline(folder, "--script", str(more), "--continue") as tty:
        tty.until("it was cut off, and goes on now", "And on.", "✓ Done")

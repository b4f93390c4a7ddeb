from __future__ import annotations

import json
import os
import signal

import pexpect
import pytest

from tests.ui.command import Tagline, argv, environment, write

WRITE = "<write_to_file>\n<path>a.txt</path>\n<content>\nhi\n</content>\n</write_to_file>"
RUN = "<execute_command>\n<command>{}</command>\n</execute_command>"
LIST = "<list_files>\n<path>.</path>\n</list_files>"


def test_exec_runs_what_is_allowed_and_shows_it(tagline: Tagline) -> None:
    text = f"Look.\n{WRITE}\n{RUN.format('cat a.txt')}\n{LIST}"

    ran = tagline.run("exec", "--yes", "-", stdin=text)

    assert (ran.code, ran.err) == (0, "")
    assert "+ hi" in ran.out
    assert "[execute_command for 'cat a.txt'] Result:\nhi\n" in ran.out
    assert "a.txt" in ran.out.partition("[list_files")[2]
    assert (tagline.folder / "a.txt").read_text() == "hi\n"


def test_exec_reads_freely_and_refuses_the_rest_where_nobody_can_be_asked(
    tagline: Tagline,
) -> None:
    path = write(tagline.home, "m.txt", f"{LIST}\n{WRITE}\n{LIST}")

    ran = tagline.run("exec", path)

    assert ran.code == 4
    assert "--yes allows everything" in ran.err
    assert "nobody was there to ask" in ran.err
    assert "+ hi" in ran.out.partition("refused")[0]
    assert "skipped" in ran.out
    assert not (tagline.folder / "a.txt").exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("no call at all", 4),
        ("", 4),
        (RUN.format("exit 7"), 1),
        ("<read_file>\n<path>missing</path>\n</read_file>", 1),
        ("<write_to_file>\n<path>a</path>\n<content>\nhalf", 1),
        (f"{RUN.format('exit 7')}\n{LIST}", 1),
        (f"{LIST}\n<attempt_completion>\n<result>ok</result>\n</attempt_completion>", 0),
    ],
)
def test_exec_ends_with_the_code_of_its_worst_call(tagline: Tagline, text: str, code: int) -> None:
    assert tagline.run("exec", "-y", "-", stdin=text).code == code


def test_exec_works_in_the_folder_that_is_told(tagline: Tagline) -> None:
    (tagline.home / "other").mkdir()

    ran = tagline.run("exec", "-y", "-C", str(tagline.home / "other"), stdin=WRITE)

    assert ran.code == 0
    assert (tagline.home / "other" / "a.txt").exists()


def test_exec_gives_json_a_call(tagline: Tagline) -> None:
    ran = tagline.run("exec", "-y", "--json", stdin=f"{WRITE}\n{RUN.format('exit 3')}")

    first, second = map(json.loads, ran.out.splitlines())
    assert ran.code == 1
    assert (first["tool"], first["status"], first["failed"]) == ("write_to_file", "done", False)
    assert "+hi" in first["diff"]
    assert (second["exit_code"], second["params"]) == (3, {"command": "exit 3"})


@pytest.mark.parametrize(
    ("answer", "code", "there"),
    [("y", 0, True), ("yes", 0, True), ("", 4, False), ("n", 4, False), ("better not", 4, False)],
)
def test_exec_asks_a_person(tagline: Tagline, answer: str, code: int, *, there: bool) -> None:
    path = write(tagline.home, "m.txt", f"{WRITE}\n{LIST}")
    first, *rest = argv("exec", path)
    child = pexpect.spawn(
        first, rest, cwd=str(tagline.folder), env=environment(tagline.home), timeout=30
    )
    child.expect_exact("+ hi")
    child.expect_exact("Allow?")
    child.sendline(answer)
    child.expect(pexpect.EOF)
    child.close()

    assert child.exitstatus == code
    assert (tagline.folder / "a.txt").exists() == there


def test_exec_puts_the_models_question_to_a_person(tagline: Tagline) -> None:
    text = (
        "<ask_followup_question>\n<question>Which?</question>\n"
        '<options>["left", "right"]</options>\n</ask_followup_question>'
    )
    first, *rest = argv("exec", write(tagline.home, "m.txt", text))
    child = pexpect.spawn(
        first, rest, cwd=str(tagline.folder), env=environment(tagline.home), timeout=30
    )
    child.expect_exact("Which?")
    child.expect_exact("2. right")
    child.expect_exact("Answer: ")
    child.sendline("2")
    child.expect_exact("right")
    child.expect(pexpect.EOF)
    child.close()

    assert child.exitstatus == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_exec_ends_its_command_when_it_is_ended(
    tagline: Tagline, number: signal.Signals, code: int
) -> None:
    command = "exec 3> alive; echo yes >&3; sleep 600"
    path = write(tagline.home, "m.txt", RUN.format(command))
    os.mkfifo(tagline.folder / "alive")
    with tagline.start("exec", "-y", path) as process, (tagline.folder / "alive").open() as alive:
        assert alive.readline() == "yes\n"
        process.send_signal(number)
        assert process.stderr is not None
        err = process.stderr.read()
        assert alive.read() == ""  # the end: nobody holds it open any more

    assert (process.returncode, err.strip()) == (code, b"")

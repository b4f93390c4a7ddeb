from __future__ import annotations

import json
from typing import Any

import pexpect
import pytest

from agent import Sessions
from agent.sessions.hold import hold
from tests.ui.command import Tagline, argv, environment, write

DONE = "Hello \x1b[2J.\n<attempt_completion>\n<result>\nok\n</result>\n</attempt_completion>"


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def play(tagline: Tagline, task: str) -> None:
    path = write(tagline.home, "s.jsonl", json.dumps({"text": DONE}) + "\n")
    assert tagline.run("-p", task, "--script", path).code == 0


def test_sessions_are_listed_by_folder(tagline: Tagline) -> None:
    assert tagline.run("sessions").out == "No sessions.\n"
    play(tagline, "first \x1b[31mtask")
    play(tagline, "second task")
    elsewhere = Tagline(tagline.home, tagline.home)
    play(elsewhere, "third task")

    listed = tagline.run("sessions").out.splitlines()
    told = objects(tagline.run("sessions", "--all", "--json").out)

    assert [line.split("  ")[-1] for line in listed] == ["second task", "first \\x1b[31mtask"]
    assert [item["title"] for item in told] == ["third task", "second task", "first \x1b[31mtask"]
    assert len(tagline.run("sessions", "-n", "1").out.splitlines()) == 1


def test_session_is_shown_by_the_beginning_of_its_id(tagline: Tagline) -> None:
    play(tagline, "the task")
    session_id = tagline.run("sessions").out.split()[0]

    shown = tagline.run("sessions", "show", session_id[:6])

    assert shown.code == 0
    assert shown.out.startswith(f"session {session_id} in {tagline.folder.resolve()}\n")
    assert "the task" in shown.out
    assert "Hello \\x1b[2J." in shown.out
    assert "attempt_completion: completed" in shown.out
    assert "end: completed (exit code 0)" in shown.out
    assert shown.out.index("── assistant") < shown.out.index("attempt_completion: completed")
    assert tagline.run("sessions", "show").out == shown.out


def test_a_session_that_was_cut_off_is_listed_so(tagline: Tagline) -> None:
    store = Sessions(tagline.home / "state" / "sessions.db")
    store.begin(tagline.folder).record("task_started", {"task": "x"})
    store.close()

    assert "not ended (cut off, or at work)" in tagline.run("sessions").out
    assert objects(tagline.run("sessions", "--json").out)[0]["cut_off"] is True


def test_no_session_to_show_is_said(tagline: Tagline) -> None:
    ran = tagline.run("sessions", "show")

    assert (ran.code, ran.out) == (2, "")
    assert "there is no session of this folder to show" in ran.err


def test_session_is_shown_as_json_rows(tagline: Tagline) -> None:
    play(tagline, "the task")
    session_id = tagline.run("sessions").out.split()[0]

    rows = objects(tagline.run("sessions", "show", session_id, "--json").out)

    assert rows[-1]["kind"] == "task_finished"
    assert [row["data"]["text"] for row in rows if row["kind"] == "assistant"] == [DONE]


def test_a_damaged_store_is_said_in_words(tagline: Tagline) -> None:
    (tagline.home / "state").mkdir()
    (tagline.home / "state" / "sessions.db").write_bytes(b"no database at all" * 100)

    ran = tagline.run("sessions")

    assert (ran.code, ran.out) == (2, "")
    assert "sessions.db" in ran.err


@pytest.mark.parametrize("arguments", [(), ("-p", "more")])
def test_a_busy_session_is_told_before_anything_is_asked(
    tagline: Tagline, arguments: tuple[str, ...]
) -> None:
    play(tagline, "the task")
    store = Sessions(tagline.home / "state" / "sessions.db")
    session = store.latest(tagline.folder)
    assert session is not None
    hold(session.folder, session.id)
    store.close()
    first, *rest = argv("-c", "--base-url", "http://127.0.0.1:9/v1", "-m", "m", *arguments)
    child = pexpect.spawn(
        first, rest, cwd=str(tagline.folder), env=environment(tagline.home), timeout=30
    )

    child.expect_exact("is being worked on by another process")
    child.expect(pexpect.EOF)
    child.close()

    assert child.exitstatus == 2

from __future__ import annotations

import json
from pathlib import Path

from agent.sessions.store import Session, Sessions
from tests.agent.play import DONE, Call, Play, Turn, read, write


def session_of(tmp_path: Path) -> tuple[Path, Sessions, Session]:
    root = tmp_path / "work"
    root.mkdir()
    (root / "a.txt").write_text("as it was\n")
    sessions = Sessions(tmp_path / "state" / "sessions.db")
    return root, sessions, sessions.begin(root)


def test_resumed_session_still_refuses_a_file_that_changed_since_it_was_read(
    tmp_path: Path,
) -> None:
    root, sessions, session = session_of(tmp_path)
    assert Play(root, [read("a.txt"), DONE], session=session).run().status == "completed"
    (root / "a.txt").write_text("changed by a person\n")

    again = Play(root, [write("a.txt", "over it"), DONE], session=sessions.open(session.id))
    again.resume("Write it.")

    assert (root / "a.txt").read_text() == "changed by a person\n"
    assert "a.txt has changed since you read it" in again.last_words


def test_resumed_session_may_write_what_it_wrote_itself(tmp_path: Path) -> None:
    root, sessions, session = session_of(tmp_path)
    Play(root, [read("a.txt"), write("a.txt", "mine"), DONE], session=session).run()

    again = Play(root, [write("a.txt", "more"), DONE], session=sessions.open(session.id))
    again.resume("Write it.")

    assert (root / "a.txt").read_text() == "more\n"
    seen = [row.data["files"] for row in session.rows() if row.kind == "seen"]
    assert [list(files) for files in seen] == [["a.txt"]] * 3


def test_native_call_writes_its_content_exactly(tmp_path: Path) -> None:
    native = Call("write_to_file", json.dumps({"path": "n.txt", "content": "no end"}))
    Play(tmp_path, [Turn((native,)), write("t.txt", "no end"), DONE]).run()

    assert (tmp_path / "n.txt").read_bytes() == b"no end"
    assert (tmp_path / "t.txt").read_bytes() == b"no end\n"

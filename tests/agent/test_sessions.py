from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from agent.errors import SessionError
from agent.providers.base import Message
from agent.sessions.hold import hold
from agent.sessions.record import message_data
from agent.sessions.resume import BEGUN, HALF_MARK, NOT_BEGUN, restore
from agent.sessions.store import Row, Sessions
from tests import source

Told = tuple[str, dict[str, object]]


class Plain:
    def spell_result(self, name: str, heading: str, text: str) -> str:
        return f"{heading}\n{text}"


def said(role: str, text: str, **more: object) -> Told:
    return role, {"text": text, "reasoning": None, "attachments": []} | more


def call(call_id: str) -> Told:
    return "call", {
        "call_id": call_id,
        "heading": f"[{call_id}] Result:",
        "use": {"name": "read_file"},
    }


def about(kind: str, call_id: str, **more: object) -> Told:
    return kind, {"call_id": call_id, "tool": "t"} | more


def messages(told: Sequence[Told]) -> list[tuple[str, str]]:
    rows = [Row(number, 0.0, kind, data) for number, (kind, data) in enumerate(told)]
    return [(m.role, m.text) for m in restore(rows, Plain()).history.messages]


TURN: Told = ("turn_started", {"number": 1})
TASK = said("user", "do it")
A, B = call("A"), call("B")
DONE_A = about("call_finished", "A", for_model="A is done")


@pytest.mark.parametrize(
    ("told", "after"),
    [
        ([], []),
        ([TURN], []),
        ([TURN, ("piece", {"text": "I wi"})], [("assistant", f"I wi\n\n{HALF_MARK}")]),
        ([TURN, ("piece", {"text": "I"}), said("assistant", "I")], [("assistant", "I")]),
        (
            [TURN, said("assistant", "ab"), A, B, about("call_started", "A")],
            [
                ("assistant", "ab"),
                ("user", f"[A] Result:\n{BEGUN}\n\n[B] Result:\n{NOT_BEGUN}"),
            ],
        ),
        (
            [TURN, ("piece", {"text": "a"}), A, about("call_started", "A"), DONE_A],
            [("assistant", f"a\n\n{HALF_MARK}"), ("user", "[A] Result:\nA is done")],
        ),
        (
            [TURN, said("assistant", "a"), A, DONE_A, said("user", "A is done"), TURN],
            [("assistant", "a"), ("user", "A is done")],
        ),
        (
            [TURN, said("assistant", "a"), A, about("call_skipped", "A", why="skipped")],
            [("assistant", "a"), ("user", "[A] Result:\nskipped")],
        ),
        (
            [TURN, ("piece", {"text": "broken off"}), ("turn_started", {"number": 2})],
            [],
        ),
    ],
)
def test_restore_makes_the_conversation_whole(
    told: list[Told], after: list[tuple[str, str]]
) -> None:
    assert messages([TASK, *told]) == [("user", "do it"), *after]


def test_restore_repeats_nothing_once_its_repairs_are_recorded() -> None:
    told: list[Told] = [TASK, TURN, ("piece", {"text": "a"}), A, about("call_started", "A")]
    rows = [Row(number, 0.0, kind, data) for number, (kind, data) in enumerate(told)]
    first = restore(rows, Plain())
    again = told + [(m.role, dict(message_data(m))) for m in first.repairs]

    assert messages(again) == messages(told)
    assert len(first.repairs) == 2


def test_restore_keeps_reasoning_and_attachments() -> None:
    signed = Message("assistant", "a", "", ({"type": "thinking", "signature": "s"},))
    rows = [Row(1, 0.0, *TASK), Row(2, 0.0, "assistant", message_data(signed))]

    assert restore(rows, Plain()).history.messages[1] == signed


@pytest.mark.parametrize("data", [{}, {"text": "x", "attachments": 3}])
def test_restore_says_which_row_is_damaged(data: dict[str, object]) -> None:
    with pytest.raises(SessionError, match="Row 7"):
        restore([Row(7, 0.0, "user", data)], Plain())


def test_sessions_keep_rows_and_list_the_last_first(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path / "state" / "sessions.db")
    here, there = tmp_path / "here", tmp_path / "there"
    for place in (here, there):
        place.mkdir()
    first, second, third = (sessions.begin(place) for place in (here, there, here))
    for session, task in ((first, "one"), (second, "two"), (third, "three\nmore")):
        session.entitle(task)
        session.record("user", {"text": f"{task} \ud83d"})
    empty = sessions.begin(here)

    assert [(item.id, item.title, item.rows) for item in sessions.list()] == [
        (third.id, "three", 1),
        (second.id, "two", 1),
        (first.id, "one", 1),
    ]
    latest = sessions.latest(here)
    assert latest is not None
    assert latest.id == third.id
    assert [(row.kind, row.data) for row in sessions.open(first.id[:8]).rows()] == [
        ("user", {"text": "one \ud83d"})
    ]
    assert len({first.id, second.id, third.id, empty.id}) == 4
    assert sessions.latest(tmp_path) is None


@pytest.mark.parametrize("session_id", ["nothere", ""])
def test_sessions_say_which_id_is_unknown(tmp_path: Path, session_id: str) -> None:
    sessions = Sessions(tmp_path / "sessions.db")
    sessions.begin(tmp_path)
    sessions.begin(tmp_path)

    with pytest.raises(SessionError, match="tagline sessions"):
        sessions.open(session_id)


def garbage(path: Path) -> None:
    path.write_bytes(b"not a database at all " * 100)


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE notes (text TEXT)")
    database.close()


def newer(path: Path) -> None:
    Sessions(path).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()


def older(path: Path) -> None:
    Sessions(path).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 1")
    database.close()


def reshaped(path: Path) -> None:
    Sessions(path).close()
    with sqlite3.connect(path) as database:
        database.execute("ALTER TABLE session ADD COLUMN touched REAL NOT NULL DEFAULT 0")
    database.close()


def folder(path: Path) -> None:
    path.mkdir()


def damaged(path: Path) -> None:
    Sessions(path).close()
    data = bytearray(path.read_bytes())
    data[100:4000] = b"\xff" * 3900
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (garbage, "not a readable session database"),
        (foreign, "another program"),
        (newer, "newer Tagline"),
        (older, "older Tagline"),
        (reshaped, "older Tagline"),
        (folder, "cannot be opened"),
        (damaged, "not a readable session database"),
    ],
)
def test_sessions_say_what_is_wrong_with_a_file(tmp_path: Path, spoil: object, words: str) -> None:
    path = tmp_path / "sessions.db"
    assert callable(spoil)
    spoil(path)
    before = path.read_bytes() if path.is_file() else None

    with pytest.raises(SessionError, match=words):
        Sessions(path)

    assert before is None or path.read_bytes() == before


def test_sessions_say_when_a_row_is_damaged(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path / "sessions.db")
    session = sessions.begin(tmp_path)
    session.record("user", {"text": "x"})
    with sqlite3.connect(sessions.path) as database:
        database.execute("UPDATE row SET data = '{'")
    database.close()

    with pytest.raises(SessionError, match="is damaged"):
        list(session.rows())


def test_sessions_are_read_by_their_owner_only(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path / "state" / "sessions.db")

    assert sessions.path.stat().st_mode & 0o777 == 0o600
    assert sessions.path.parent.stat().st_mode & 0o777 == 0o700


HOLDER = """
import sys
from pathlib import Path
from agent.sessions.hold import hold

hold(Path(sys.argv[1]), "one")
print("held", flush=True)
sys.stdin.read()
"""


def test_session_is_held_by_one_process_until_it_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(
        command, cwd=source.ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(SessionError, match=f"another process .{holder.pid}."):
            hold(tmp_path, "one")
        hold(tmp_path, "another")
        holder.kill()
        holder.wait(60)
    hold(tmp_path, "one")
    hold(tmp_path, "one")


WRITER = """
import sys
from pathlib import Path
from agent.sessions.store import Sessions

session = Sessions(Path(sys.argv[1])).begin(Path(sys.argv[1]).parent)
for number in range(100):
    session.record("piece", {"text": str(number)})
"""


def test_sessions_are_shared_by_processes(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [subprocess.Popen(command, cwd=source.ROOT) for _ in range(3)]

    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    sessions = Sessions(path)
    assert [item.rows for item in sessions.list()] == [100, 100, 100]
    for item in sessions.list():
        texts = [row.data["text"] for row in sessions.open(item.id).rows()]
        assert texts == [str(number) for number in range(100)]

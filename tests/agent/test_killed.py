from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agent.events import CallStarted
from agent.sessions.resume import BEGUN, HALF_MARK, NOT_BEGUN
from agent.sessions.store import Session, Sessions
from tests import source
from tests.agent.play import DONE, Keep, Play, Say, Think, Turn, well_formed

A = "[write_to_file for 'a'] Result:\n"
LOG = "[execute_command for 'echo run >> log; echo told'] Result:\n"
B = "[write_to_file for 'b'] Result:\n"


def killed(tmp_path: Path, kind: str, count: int) -> tuple[Path, Session]:
    root = tmp_path / "work"
    root.mkdir()
    database = tmp_path / "state" / "sessions.db"
    command = [sys.executable, "-m", "tests.agent.killed"]
    ended = subprocess.run(
        [*command, str(root), str(database), kind, str(count)], cwd=source.ROOT, timeout=60
    )
    assert ended.returncode == -signal.SIGKILL
    session = Sessions(database).latest(root)
    assert session is not None
    return root, session


@pytest.mark.parametrize(
    ("kind", "count", "told", "not_told", "log"),
    [
        ("TaskStarted", 1, ["Do it."], [A, LOG], 0),
        ("TurnStarted", 1, ["Do it."], [A, LOG], 0),
        ("TextGrew", 1, [], [A, LOG], 0),
        ("UseGrew", 2, [], [A, LOG], 0),
        ("CallAsked", 1, [A + NOT_BEGUN], [BEGUN], 0),
        ("CallStarted", 1, [A + BEGUN], [LOG + BEGUN], 0),
        ("CallFinished", 1, [A], [A + BEGUN, A + NOT_BEGUN], 0),
        ("CallStarted", 2, [A, LOG + BEGUN], [A + BEGUN, A + NOT_BEGUN], 0),
        ("CallOutput", 1, [A, LOG + BEGUN], [A + BEGUN], 1),
        ("CallFinished", 2, [A, LOG, "told"], [BEGUN, NOT_BEGUN], 1),
        ("TurnFinished", 1, [A, LOG, "told"], [BEGUN, NOT_BEGUN], 1),
        ("TurnStarted", 2, [A, LOG, "told"], [BEGUN, NOT_BEGUN], 1),
        ("CallStarted", 3, [A, LOG, "told", B + BEGUN], [LOG + BEGUN], 1),
        ("CallFinished", 3, [A, LOG, "told", B], [BEGUN, NOT_BEGUN], 1),
        ("TurnFinished", 3, [A, LOG, B, "attempt_completion"], [BEGUN], 1),
    ],
)
def test_agent_resumes_after_a_kill(
    tmp_path: Path, kind: str, count: int, told: list[str], not_told: list[str], log: int
) -> None:
    root, session = killed(tmp_path, kind, count)

    play = Play(root, [DONE], session=session)
    end = play.resume("Go on.")

    said = "\n".join(message.text for message in play.history if message.role == "user")
    assert end.status == "completed"
    assert [part for part in told if part not in said] == []
    assert [part for part in not_told if part in said] == []
    assert well_formed(play.history)
    assert play.last_words.endswith("Go on.")
    ran = [e.use.name for e in play.events if isinstance(e, CallStarted)]
    assert ran == ["attempt_completion"]
    lines = (root / "log").read_text().splitlines() if (root / "log").exists() else []
    assert len(lines) == log


def test_agent_keeps_a_half_message_with_a_mark(tmp_path: Path) -> None:
    root, session = killed(tmp_path, "TextGrew", 1)

    play = Play(root, [DONE], session=session)
    play.resume()

    assert play.history[1].text.endswith(HALF_MARK)
    assert play.history[1].text.startswith("I write"[:4])


def test_agent_sends_signatures_back_after_a_resume(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    session = Sessions(tmp_path / "state" / "sessions.db").begin(root)
    signature = {"type": "thinking", "thinking": "hm", "signature": "abc"}
    Play(root, [Turn((Think("hm"), Keep(signature), Say(DONE)))], session=session).run()

    play = Play(root, [DONE], session=session)
    play.resume("And now?")

    assert play.history[1].attachments == (signature,)
    assert play.history[1].reasoning == "hm"


def test_agent_resumes_what_was_resumed(tmp_path: Path) -> None:
    root, session = killed(tmp_path, "CallStarted", 2)
    first = Play(root, [DONE], session=session)
    first.resume()

    second = Play(root, [DONE], session=session)
    second.resume("And now?")

    assert second.history[: len(first.history) - 1] == first.history[:-1]
    assert second.last_words.endswith("And now?")
    assert sum(LOG + BEGUN in message.text for message in second.history) == 1
    assert well_formed(second.history)

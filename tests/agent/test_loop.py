from __future__ import annotations

from pathlib import Path

from agent.events import (
    BlockClosed,
    CallAsked,
    CallDecided,
    CallFinished,
    CallStarted,
    TaskFinished,
    TaskStarted,
    TextGrew,
    TurnFinished,
    TurnStarted,
    UseGrew,
)
from tests.agent.play import DONE, Play, command, read, write, well_formed


def test_agent_works_on_a_whole_task(tmp_path: Path) -> None:
    play = Play(
        tmp_path,
        [
            "I will write it.\n" + write("a.py", "print(6 * 7)"),
            "Now I run it.\n" + command("python3 a.py"),
            DONE,
        ],
    )

    end = play.run("Make a.py print 42.")

    assert (end.status, end.result, end.exit_code) == ("completed", "All done.", 0)
    assert (tmp_path / "a.py").read_text() == "print(6 * 7)\n"
    assert "[execute_command for 'python3 a.py'] Result:" in play.last_words
    assert "42" in play.last_words
    assert well_formed(play.history)
    assert play.history[0].text == "Make a.py print 42."

"""A process that works on a scripted task and kills itself at an event."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from agent.events import Event
from agent.sessions.store import Sessions
from tests.agent.play import DONE, Play, command, write

FIRST = write("a", "1") + "\n" + command("echo run >> log; echo told")
TURNS = ["I write.\n" + FIRST, "And once more.\n" + write("b", "2"), DONE]


def main(root: Path, database: Path, kind: str, count: int) -> None:
    left = count

    def hear(event: Event) -> None:
        nonlocal left
        left -= type(event).__name__ == kind
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    session = Sessions(database).begin(root)
    Play(root, TURNS, session=session, listen=hear, cuts=9).run("Do it.")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))

"""People who are offered calls in another dialect, and the stage they stand on."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from agent.events import Noticed
from agent.limits import ForeignPolicy
from parsing import ForeignCalls
from tests.agent.play import QUICK, Play, Turn
from tools import Decision

WRITE = (
    "I write it.\n<tool_call>\n"
    '{"name": "write_to_file", "arguments": {"path": "a.py", "content": "x = 1\\n"}}\n'
    "</tool_call>"
)
READ = (
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.py", "start_line": 1}}\n'
    "</tool_call>"
)


class Person:
    """Someone who gives prepared answers, and keeps what was offered."""

    def __init__(self, *answers: Decision) -> None:
        self._answers = list(answers)
        self.offered: list[tuple[ForeignCalls, str]] = []

    async def offer(self, calls: ForeignCalls, expected: str) -> Decision:
        self.offered.append((calls, expected))
        return self._answers.pop(0)


class Away:
    """Someone who never answers; `asked` is set once the question stands."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def offer(self, calls: ForeignCalls, expected: str) -> Decision:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")


def play(
    root: Path, *turns: str | Turn, policy: ForeignPolicy = "offer", person: Person | None = None
) -> Play:
    return Play(root, turns, limits=replace(QUICK, foreign_calls=policy), offers=person)


def noticed(play: Play) -> list[str]:
    told = play.told(Noticed)
    return [e.text for e in told if isinstance(e, Noticed) and e.kind == "foreign_call"]

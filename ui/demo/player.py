"""The recorded assistant: the scripted provider, which finds its place again after a kill.

Law: a turn counts as played once it was heard whole and its calls were answered; any other is
played again, as a model would send its call again.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from importlib.resources import files

from agent.providers.base import Message, Request, StreamItem, TextPiece
from agent.providers.script_file import script_from
from agent.providers.scripted import Scripted
from agent.results import INTERRUPTED_CALL, INTERRUPTED_MARK
from agent.results import NOT_BEGUN as NOT_BEGUN_YET
from agent.sessions.resume import BEGUN, HALF_MARK, NOT_BEGUN
from tools.environment import command_environment

TESTS = "python3 -m unittest"
_CUT = (HALF_MARK, INTERRUPTED_MARK)
_UNANSWERED = (BEGUN, NOT_BEGUN, NOT_BEGUN_YET, INTERRUPTED_CALL)


class Player:
    """Plays the demo's script; counts the chunks in which it is heard."""

    def __init__(self, speed: float) -> None:
        text = files("ui.demo").joinpath("script.toml").read_text("utf-8")
        script = script_from(text.replace(TESTS, tests_command()), "the demo's script")
        self._scripted = Scripted(script, speed=speed)
        self._last = len(script.turns) - 1
        self.name, self.model = self._scripted.name, self._scripted.model
        self.chunks = 0

    async def stream(self, request: Request) -> AsyncGenerator[StreamItem, None]:
        """Play the turn that comes next."""
        messages = tuple(self._up_to_the_last(_heard(request.messages)))
        async for item in self._scripted.stream(replace(request, messages=messages)):
            self.chunks += isinstance(item, TextPiece)
            yield item

    def _up_to_the_last(self, messages: list[Message]) -> list[Message]:
        """Leave the last turn to be played, even if it was heard before a kill."""
        places = [at for at, message in enumerate(messages) if message.role == "assistant"]
        surplus = set(places[self._last :])
        return [message for at, message in enumerate(messages) if at not in surplus]

    async def aclose(self) -> None:
        """Close the script."""
        await self._scripted.aclose()


def tests_command() -> str:
    """Give the command that runs the project's tests with a Python that is there."""
    path = command_environment(os.environ).get("PATH")
    if shutil.which("python3", path=path):
        return TESTS
    python = getattr(sys, "_base_executable", sys.executable)
    return TESTS.replace("python3", shlex.quote(python))


def _heard(messages: Sequence[Message]) -> list[Message]:
    """Leave out replies that were cut off or whose calls were not answered."""
    answers = [*messages[1:], Message("user", "")]
    return [
        message
        for message, answer in zip(messages, answers, strict=True)
        if message.role == "user" or not _lost(message, answer)
    ]


def _lost(message: Message, answer: Message) -> bool:
    return message.text.rstrip().endswith(_CUT) or any(
        words in answer.text for words in _UNANSWERED
    )

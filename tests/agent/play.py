"""A stage for whole tasks: a real executor in a folder of its own, a scripted model, all events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

from agent.events import CallOutput, End, Event
from agent.foreign import Offers
from agent.limits import Limits
from agent.loop import Agent
from agent.providers.base import Message, Provider, Request, StreamItem
from agent.providers.script import Call, Fault, Keep, Part, Say, Script, Think, Turn
from agent.providers.scripted import Scripted
from agent.sessions.store import Session
from parsing import Mode
from tools import AllowAll, Consent, Executor, Questions, Workspace, default_tools

__all__ = ["Call", "Fault", "Keep", "Part", "Say", "Think", "Turn"]

QUICK = Limits(backoff_s=(0.0, 0.0))
DONE = "<attempt_completion>\n<result>All done.</result>\n</attempt_completion>"


def write(path: str, content: str) -> str:
    return (
        f"<write_to_file>\n<path>{path}</path>\n<content>\n{content}\n</content>\n</write_to_file>"
    )


def read(path: str) -> str:
    return f"<read_file>\n<path>{path}</path>\n</read_file>"


def command(line: str) -> str:
    return f"<execute_command>\n<command>{line}</command>\n</execute_command>"


class Playing:
    """A scripted model that answers request n with turn n, and keeps what it was asked."""

    name = "scripted"
    model = "script"

    def __init__(self, turns: Iterable[Turn]) -> None:
        self._turns = tuple(turns)
        self.requests: list[Request] = []

    async def stream(self, request: Request) -> AsyncGenerator[StreamItem, None]:
        turn = self._turns[len(self.requests)]
        self.requests.append(request)
        before = sum(message.role == "assistant" for message in request.messages)
        scripted = Scripted(Script((Turn(),) * before + (turn,)), speed=0)
        async with aclosing(scripted.stream(request)) as items:
            async for item in items:
                yield item

    async def aclose(self) -> None:
        return None


class Play:
    """One agent on one stage; `turns` are texts, or turns of a script."""

    def __init__(
        self,
        root: Path,
        turns: Iterable[str | Turn] = (),
        *,
        cuts: int = 7,
        consent: Consent | None = None,
        questions: Questions | None = None,
        limits: Limits = QUICK,
        mode: Mode = "reparse",
        session: Session | None = None,
        dialect: str = "cline",
        several: bool = True,
        offers: Offers | None = None,
        provider: Provider | None = None,
        listen: Callable[[Event], None] | None = None,
    ) -> None:
        self.root = root
        self.provider = Playing(_turn(turn, cuts) for turn in turns)
        self.events: list[Event] = []
        self._listen = listen
        self.agent = Agent(
            provider or self.provider,
            Executor(
                default_tools(),
                Workspace(root),
                consent or AllowAll(),
                questions,
                on_output=lambda call_id, text: self._hear(CallOutput(call_id, text)),
            ),
            dialect=dialect,
            mode=mode,
            session=session,
            listen=self._hear,
            limits=replace(limits, several_tools=several),
            offers=offers,
        )

    def run(self, task: str = "Do it.") -> End:
        return asyncio.run(self.agent.run(task))

    def resume(self, words: str | None = None) -> End:
        return asyncio.run(self.agent.resume(words))

    def told(self, *kinds: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kinds)]

    @property
    def history(self) -> tuple[Message, ...]:
        """What the model was last sent."""
        return self.provider.requests[-1].messages

    @property
    def last_words(self) -> str:
        """What the model was last told."""
        return self.history[-1].text

    def _hear(self, event: Event) -> None:
        self.events.append(event)
        if self._listen is not None:
            self._listen(event)


def _turn(turn: str | Turn, cuts: int) -> Turn:
    return turn if isinstance(turn, Turn) else Turn((Say(turn),), cuts=cuts)


def well_formed(messages: Iterable[Message]) -> bool:
    """Say whether roles alternate, the user first, and no message is empty."""
    told = list(messages)
    roles = [message.role for message in told]
    alternate = roles == [("user", "assistant")[n % 2] for n in range(len(roles))]
    return alternate and all(message.text.strip() or message.reasoning for message in told)

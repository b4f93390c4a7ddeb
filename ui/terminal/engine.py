"""What a session and the agent need of each other, whoever builds the agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from agent.events import Event
    from agent.foreign import Offers
    from tools import Consent, Questions


class Engine(Protocol):
    """An agent bound to one recorded session."""

    @property
    def session_id(self) -> str | None: ...

    async def work(self, words: str | None, *, resume: bool) -> None:
        """Run one task to its end; the host hears of everything through events."""

    def interrupt(self) -> None:
        """End the running task soon: the stream, or the command with its tree."""

    async def close(self) -> None:
        """Give back what is open."""


class Host(Protocol):
    """The screen that the agent works at."""

    @property
    def approvals(self) -> Consent: ...

    @property
    def offers(self) -> Offers: ...

    @property
    def desk(self) -> Questions: ...

    def hear(self, event: Event) -> None:
        """Take in what the agent tells."""


Opener = Callable[[Host], Engine]

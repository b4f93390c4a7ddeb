"""What a session needs of the agent, whoever builds it."""

from __future__ import annotations

from typing import Protocol


class Engine(Protocol):
    """An agent bound to one recorded session."""

    @property
    def session_id(self) -> str | None: ...

    async def work(self, words: str | None, *, resume: bool) -> None:
        """Run one task to its end; the session hears of everything through events."""

    def interrupt(self) -> None:
        """End the running task soon: the stream, or the command with its tree."""

    async def close(self) -> None:
        """Give back what is open."""

"""A stage for whole tasks by native calls, over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from agent.config import Config
from agent.dialects import NATIVE
from agent.events import End, Event
from agent.opening import open_provider
from agent.providers.secret import Secret
from tests.agent.native_wires import (
    Wire,
    paired,
    paired_on_the_wire,
)
from tests.agent.play import Play
from tests.agent.providers.fake_server import Answering, FakeServer


class Task:
    """A task over HTTP by native calls: its play, its ends, and what the server was asked."""

    def __init__(self, wire: Wire, root: Path, *replies: Answering, **more: Any) -> None:
        self.wire, self.root, self.more = wire, root, more
        self.server = FakeServer(replies)
        self.play: Play
        self.ends: list[End] = []
        self.hear: Callable[[Event], None] = lambda event: None

    def run(self, *said: str) -> End:
        asyncio.run(self._run(said or ("Do it.",)))
        assert all(paired_on_the_wire(self.wire, body) for body in self.asked)
        assert paired(self.play.agent.messages)
        return self.ends[-1]

    async def _run(self, said: Iterable[str]) -> None:
        async with self.server:
            config = Config(
                provider=self.wire.kind,
                base_url=self.server.base_url,
                model="fake",
                api_key=Secret("sk-test-0123456789"),
            )
            provider = open_provider(config)
            try:
                self.play = Play(
                    self.root,
                    provider=provider,
                    dialect=NATIVE,
                    listen=lambda event: self.hear(event),
                    **self.more,
                )
                for words in said:
                    self.ends.append(await self.play.agent.run(words))
            finally:
                await provider.aclose()

    @property
    def asked(self) -> list[Any]:
        return [request.body for request in self.server.requests]

    def results(self, request: int = -1) -> dict[str, str]:
        """What a request says of the calls, by their ids."""
        turns = self.wire.turns(self.asked[request])
        return {call_id: text for _, _, results in turns for call_id, text in results}

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest

from agent.events import Event, TextGrew
from agent.pacer import CHEAP_S, SHARE, Pacer
from tests.agent.play import DONE, Play


class Reading:
    """A reading that costs what it is told to, by a clock of its own."""

    def __init__(self, cost: float) -> None:
        self.cost = cost
        self.now = 0.0
        self.texts: list[str] = []
        self.read_at: list[float] = []
        self.failures: list[BaseException] = []
        self.done = asyncio.Event()

    def read(self, text: str) -> None:
        self.texts.append(text)
        self.read_at.append(asyncio.get_running_loop().time())
        self.now += self.cost
        if text.endswith("!"):
            self.done.set()
        if text.startswith("bad"):
            raise ZeroDivisionError

    def failed(self, bug: BaseException) -> None:
        self.failures.append(bug)
        self.done.set()

    def paced(self, chunks: Iterable[str]) -> None:
        async def run() -> None:
            pacer = Pacer(self.read, self.failed, lambda: self.now)
            for chunk in chunks:
                pacer.add(chunk)
            await self.done.wait()

        asyncio.run(run())


def test_pacer_reads_each_chunk_where_that_is_cheap() -> None:
    reading = Reading(CHEAP_S / 2)

    reading.paced(["a", "b", "c!"])

    assert reading.texts == ["a", "b", "c!"]


def test_pacer_gathers_chunks_where_reading_is_dear() -> None:
    reading = Reading(0.01)

    reading.paced(["a", "b", "c!"])

    assert reading.texts == ["a", "bc!"]
    assert reading.read_at[1] - reading.read_at[0] >= SHARE * reading.cost


def test_pacer_tells_what_went_wrong_later() -> None:
    reading = Reading(0.01)

    reading.paced(["a", "bad"])

    assert [type(bug) for bug in reading.failures] == [ZeroDivisionError]


def test_pacer_reads_at_once_when_it_is_told_to() -> None:
    reading = Reading(1.0)

    async def run() -> None:
        pacer = Pacer(reading.read, reading.failed, lambda: reading.now)
        pacer.add("a")
        pacer.add("b")
        pacer.flush()
        pacer.flush()
        pacer.add("c")
        pacer.stop()

    asyncio.run(run())
    assert reading.texts == ["a", "b"]


def test_agent_passes_a_bug_of_a_listener_on(tmp_path: Path) -> None:
    def hear(event: Event) -> None:
        if isinstance(event, TextGrew):
            raise ZeroDivisionError

    play = Play(tmp_path, ["Hello. " + DONE], listen=hear)

    with pytest.raises(ZeroDivisionError):
        play.run()

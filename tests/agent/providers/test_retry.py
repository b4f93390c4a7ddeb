import asyncio
from collections.abc import AsyncGenerator

import pytest

from agent.errors import ProviderError, RateLimited, Rejected, Stalled, StreamBroken, Unreachable
from agent.providers.base import Finished, Request, Retrying, StreamItem, TextPiece, Usage
from agent.providers.retry import Backoff, Retry
from agent.providers.script import Fault, FaultKind, Say, Script, Turn
from agent.providers.scripted import Scripted
from tests.agent.providers.fake_server import Answering, FakeServer, Reply, answer, refusal, stream
from tests.agent.providers.told import Told, ask, no_sleep, opened


class Failing:
    """A provider that yields what it is given and then fails, until its faults are used up."""

    name = "failing"
    model = "failing"

    def __init__(self, faults: list[ProviderError], before: tuple[StreamItem, ...] = ()) -> None:
        self.faults = faults
        self.before = before
        self.closed = 0

    async def stream(self, request: Request) -> AsyncGenerator[StreamItem, None]:
        try:
            for item in self.before:
                yield item
            if self.faults:
                raise self.faults.pop(0)
            yield TextPiece("ok")
            yield Finished("stop")
        finally:
            self.closed += 1

    async def aclose(self) -> None:
        return None


def retried(faults: list[ProviderError], *before: StreamItem) -> tuple[Told, list[float], Failing]:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    failing = Failing(faults, before)
    told = asyncio.run(ask(Retry(failing, sleep=sleep, chance=lambda: 0.5)))
    return told, slept, failing


def busy(**more: float) -> Rejected:
    return Rejected("busy", 503, kind="server", retryable=True, **more)


@pytest.mark.parametrize(
    ("faults", "waits"),
    [
        ([busy()], [0.5]),
        ([busy()] * 8, [0.5, 1, 2, 4, 8, 16, 20, 20]),
        ([busy(retry_after=3.0)], [3.125]),
        ([busy(retry_after=0.0)], [0.5]),
        ([RateLimited("slow"), RateLimited("slow", 10.0)], [0.5, 10.25]),
        ([Unreachable("down"), Unreachable("down")], [0.5, 1]),
        ([Stalled("late", "first_token", 9)], [0.5]),
        ([StreamBroken("gone"), busy(), Unreachable("down", retryable=True)][:2], [0.5, 1]),
    ],
)
def test_retry_waits_longer_each_time_and_says_so(
    faults: list[ProviderError], waits: list[float]
) -> None:
    expected = [(str(fault), Backoff().most(fault)) for fault in faults]
    told, slept, failing = retried(faults)

    assert slept == waits
    assert told.retries == [
        Retrying(number, wait, *words)
        for number, (wait, words) in enumerate(zip(waits, expected, strict=True), 1)
    ]
    assert (told.text, told.finish, told.error) == ("ok", "stop", None)
    assert failing.closed == len(waits) + 1


@pytest.mark.parametrize(
    ("faults", "tries"),
    [
        ([Rejected("bad key", 401, kind="auth")], 1),
        ([Rejected("no credit", 429, kind="quota")], 1),
        ([Rejected("bad request", 400)], 1),
        ([Unreachable("no certificate", retryable=False)], 1),
        ([StreamBroken("for good", retryable=False)], 1),
        ([RateLimited("tomorrow", 86400.0)], 1),
        ([Unreachable("down")] * 9, 3),
        ([Stalled("late", "first_token", 9)] * 9, 2),
        ([RateLimited("slow")] * 9, 9),
    ],
)
def test_retry_gives_up(faults: list[ProviderError], tries: int) -> None:
    first = faults[0]
    told, slept, failing = retried(faults)

    assert told.error is first
    assert failing.closed == tries
    assert len(slept) == tries - 1


def test_retry_raises_what_comes_after_the_first_piece() -> None:
    told, slept, _ = retried([StreamBroken("gone")], TextPiece("Half"))

    assert (told.text, slept) == ("Half", [])
    assert isinstance(told.error, StreamBroken)
    assert told.error.retryable


def test_retry_does_not_take_usage_for_a_piece_of_the_answer() -> None:
    told, slept, _ = retried([StreamBroken("gone")], Usage(prompt=1))

    assert (told.text, slept, told.error) == ("ok", [0.5], None)


def test_backoff_spreads_what_failed_together() -> None:
    backoff = Backoff()

    waits = [backoff.delay(busy(), 1, chance) for chance in (0.0, 0.5, 0.999)]

    assert waits[0] == 0.375
    assert waits[1] == 0.5
    assert 0.62 < (waits[2] or 0) < 0.625


@pytest.mark.parametrize(
    "replies",
    [
        [refusal(429, "slow down", {"retry-after": "2"}), answer("ok")],
        [refusal(503, "Loading model"), refusal(500, "oops"), answer("ok")],
        [refusal(529, {"type": "error", "error": {"type": "overloaded_error"}}), answer("ok")],
        [refusal(408, "timeout"), answer("ok")],
        [Reply(["reset"]), answer("ok")],
        [Reply([b": hold\n\n", "cut"]), answer("ok")],
        [stream({"error": {"message": "overloaded", "code": 502}}), answer("ok")],
        [Reply([]), answer("ok")],
    ],
    ids=["429", "5xx", "529", "408", "reset", "cut", "error in the stream", "empty stream"],
)
def test_retry_brings_the_answer_over_a_real_connection(replies: list[Answering]) -> None:
    asked = len(replies)

    async def run() -> None:
        slept: list[float] = []
        async with FakeServer(replies) as server:
            provider = opened(server.base_url, retries=5, slept=slept)
            told = await ask(provider)
            await provider.aclose()
        assert (told.text, told.finish, told.error) == ("ok", "stop", None)
        assert len(server.requests) == asked
        assert slept == [each.delay_s for each in told.retries]
        assert len(slept) == asked - 1

    asyncio.run(run())


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("rate_limit", RateLimited),
        ("overloaded", Rejected),
        ("unreachable", Unreachable),
        ("break", StreamBroken),
        ("error", StreamBroken),
        ("stall", Stalled),
    ],
)
def test_retry_gets_a_scripted_turn_over_its_fault(
    kind: FaultKind, error: type[ProviderError]
) -> None:
    script = Script((Turn((Say("Hello"),), fault=Fault(kind, message="as written")),))

    bare = asyncio.run(ask(Scripted(script, sleep=no_sleep)))
    told = asyncio.run(ask(Retry(Scripted(script, sleep=no_sleep), sleep=no_sleep)))

    assert isinstance(bare.error, error)
    assert "as written" in str(bare.error)
    assert len(told.retries) == 1
    assert (told.text, told.finish) == ("Hello", "stop")

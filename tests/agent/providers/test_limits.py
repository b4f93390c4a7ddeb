import asyncio
import socket

import pytest

from agent.errors import Stalled, StreamBroken, Unreachable
from agent.providers.base import TextPiece, Usage
from agent.providers.settings import LOOPBACK, REMOTE, Limits, Timeouts, on_loopback
from agent.providers.watch import Watch
from tests.agent.providers.fake_server import Act, FakeServer, Reply, delta, sse
from tests.agent.providers.told import Told, ask, opened

PIECE = sse(delta(content="Half"), done=False)
SHORT = {"first_token": Timeouts(5.0, 0.05, 5.0), "idle": Timeouts(5.0, 5.0, 0.05)}


def told_of(pieces: list[bytes | Act], timeouts: Timeouts | None = None) -> Told:
    async def run() -> Told:
        async with FakeServer([Reply(pieces)]) as server:
            provider = opened(server.base_url, timeouts=timeouts)
            told = await ask(provider)
            await provider.aclose()
            return told

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("pieces", "limit", "says", "text"),
    [
        (["hang"], "first_token", "raise first_token_timeout", ""),
        ([b": wait\n\n", "hang"], "first_token", "within 0.05 s", ""),
        ([sse(delta(role="assistant"), done=False), "hang"], "first_token", "prefill", ""),
        ([PIECE, "hang"], "idle", "raise idle_timeout", "Half"),
        ([PIECE, b": wait\n\n", "hang"], "idle", "for 0.05 s", "Half"),
    ],
)
def test_limit_that_passed_is_named(
    pieces: list[bytes | Act], limit: str, says: str, text: str
) -> None:
    told = told_of(pieces, SHORT[limit])

    assert isinstance(told.error, Stalled)
    assert (told.error.limit, told.error.limit_s, told.error.retryable) == (limit, 0.05, True)
    assert says in str(told.error)
    assert told.text == text


def test_limit_for_the_first_token_does_not_hold_for_what_follows() -> None:
    async def run() -> None:
        watch = Watch(Limits(connect=5.0, first_token=0.0, idle=5.0), "http://there")
        watch.note(Usage(prompt=1))
        with pytest.raises(Stalled):
            await watch.wait(asyncio.Event().wait())
        watch.note(TextPiece("a"))
        assert await watch.wait(asyncio.sleep(0, "b")) == "b"

    asyncio.run(run())


def test_limit_passes_no_judgement_on_an_answer_that_is_complete() -> None:
    told = told_of([PIECE, sse(delta("stop"), done=False), "hang"], SHORT["idle"])

    assert (told.text, told.finish, told.error) == ("Half", "stop", None)


@pytest.mark.parametrize("act", ["cut", "reset"])
def test_connection_that_breaks_within_the_answer_is_a_broken_stream(act: Act) -> None:
    told = told_of([PIECE, act])

    assert isinstance(told.error, StreamBroken)
    assert told.error.retryable
    assert "ended early" in str(told.error)
    assert told.finish is None


def test_connection_refused_names_the_address_and_what_to_check() -> None:
    async def run() -> Told:
        with socket.socket() as taken:  # bound, but nobody listens
            taken.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
            provider = opened(address)
            told = await ask(provider)
            await provider.aclose()
            assert address in str(told.error)
            return told

    told = asyncio.run(run())

    assert isinstance(told.error, Unreachable)
    assert told.error.retryable
    assert "refused" in str(told.error)
    assert "Check that the server runs" in str(told.error)


def test_connection_closed_before_an_answer_can_be_tried_again() -> None:
    async def run() -> Told:
        async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.close()

        server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
        provider = opened(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        told = await ask(provider)
        await provider.aclose()
        server.close()
        return told

    told = asyncio.run(run())

    assert isinstance(told.error, Unreachable)
    assert told.error.retryable
    assert "closed the connection before it answered" in str(told.error)


def test_connection_to_a_server_without_tls_says_to_write_http() -> None:
    async def run() -> Told:
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read(1)
            writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        provider = opened(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        told = await ask(provider)
        await provider.aclose()
        server.close()
        return told

    told = asyncio.run(run())

    assert isinstance(told.error, Unreachable)
    assert not told.error.retryable
    assert "write http:// in base_url" in str(told.error)


def test_connection_through_an_unusable_proxy_names_the_variables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ALL_PROXY", "nonsense://127.0.0.1:1")

    async def run() -> Told:
        provider = opened("http://192.0.2.1/v1")
        told = await ask(provider)
        await provider.aclose()
        return told

    told = asyncio.run(run())

    assert isinstance(told.error, Unreachable)
    assert not told.error.retryable
    assert "ALL_PROXY" in str(told.error)


def test_limits_are_generous_on_loopback() -> None:
    assert Timeouts().at(loopback=True) == LOOPBACK
    assert Timeouts().at(loopback=False) == REMOTE
    assert Timeouts(1, 2, 3).at(loopback=True) == Limits(1, 2, 3)
    assert LOOPBACK.first_token >= 1200 > REMOTE.first_token


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://localhost:1234", True),
        ("http://box.localhost", True),
        ("http://[::1]:8080/v1", True),
        ("http://192.168.1.5:8080/v1", False),
        ("https://localhost.example.com/v1", False),
        ("nonsense", False),
    ],
)
def test_loopback_is_told_from_other_places(url: str, here: bool) -> None:
    assert on_loopback(url) is here


def test_limit_that_comes_nearer_holds_at_once_and_one_that_is_far_does_not() -> None:
    async def run() -> None:
        watch = Watch(Limits(connect=5.0, first_token=60.0, idle=60.0), "http://there")
        assert await watch.wait(asyncio.sleep(0, "a")) == "a"
        watch.ending(0.01)
        with pytest.raises(Stalled):
            await watch.wait(asyncio.Event().wait())
        watch.close()

    asyncio.run(run())


def test_limit_is_counted_anew_for_each_wait_and_not_while_nobody_waits() -> None:
    async def run() -> None:
        watch = Watch(Limits(connect=5.0, first_token=5.0, idle=0.5), "http://there")
        watch.begin()
        for _ in range(4):
            assert await watch.wait(asyncio.sleep(0.15, "a")) == "a"
        await asyncio.sleep(0.6)
        assert await watch.wait(asyncio.sleep(0.15, "b")) == "b"
        watch.close()

    asyncio.run(run())


def test_cancelling_whoever_waits_is_no_stall() -> None:
    async def run() -> None:
        watch = Watch(Limits(connect=5.0, first_token=5.0, idle=5.0), "http://there")
        waiting = asyncio.create_task(watch.wait(asyncio.Event().wait()))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        watch.close()

    asyncio.run(run())

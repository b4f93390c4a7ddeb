from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

import pytest

from agent.errors import (
    ConfigError,
    ProviderError,
    RateLimited,
    Rejected,
    Stalled,
    StreamBroken,
    Unreachable,
)
from tests.agent.providers.fake_server import (
    FakeServer,
    Reply,
    delta,
    refusal,
    sse,
)
from tests.ui.gateway.asked_upstream import BODY, KEY, ask, prepared, served
from ui.gateway.heard import Heard
from ui.gateway.settings import Settings
from ui.gateway.upstream import Served

HALF = sse(delta(content="Half"), done=False)
FAULTS: list[tuple[Sequence[Any], type[ProviderError], str]] = [
    ([HALF, sse({"error": {"message": f"no {KEY}"}}, done=False)], StreamBroken, "no ****"),
    ([HALF, b'error: {"message": "no"}\n\n'], StreamBroken, "no"),
    ([HALF, b'{"error": {"message": "rate limit"}}\n\n'], RateLimited, "rate limit"),
    ([HALF, b"data: {garbage\n\n"], StreamBroken, "no JSON"),
    ([HALF, b"data: {gar"], StreamBroken, "ended early"),
    ([HALF, b"data: [1]\n\n"], StreamBroken, "an object was expected"),
    ([HALF, sse(delta("error"), done=False)], StreamBroken, "broke the answer off"),
    ([HALF], StreamBroken, "neither a finish reason nor [DONE]"),
    ([HALF, "cut"], StreamBroken, "ended early"),
    ([HALF, "reset"], StreamBroken, "ended early"),
    ([HALF + b"data: {garbage\n\n"], StreamBroken, "no JSON"),
]


@pytest.mark.parametrize(("pieces", "kind", "says"), FAULTS)
def test_fault_in_the_stream_is_told_after_what_was_heard(
    pieces: Sequence[Any], kind: type[ProviderError], says: str
) -> None:
    told = ask(Reply(pieces))

    assert told.heard == [Heard("Half")]
    assert type(told.error) is kind
    assert says in str(told.error)
    assert KEY not in str(told.error)


def test_fault_after_the_answers_own_end_costs_the_usage_only() -> None:
    told = ask(Reply([HALF, sse(delta("stop"), done=False), "reset"]))

    assert (told.heard, told.error) == ([Heard("Half"), Heard(finish="stop")], None)


@pytest.mark.parametrize(
    ("status", "kind"), [(400, Rejected), (401, Rejected), (429, RateLimited), (503, Rejected)]
)
def test_refusal_is_the_agents_error_without_the_key(status: int, kind: type) -> None:
    told = ask(refusal(status, f"not with {KEY}"))

    assert type(told.error) is kind
    assert "not with ****" in str(told.error)
    assert told.heard == []


def test_refusal_names_the_model_that_was_asked_for() -> None:
    told = ask(refusal(404, "no such model"), {**BODY, "model": "other"})

    assert "'other'" in str(told.error)


def test_server_that_says_nothing_is_stalled() -> None:
    told = ask(Reply([HALF, "hang"]), idle_timeout_s=0.05)

    assert isinstance(told.error, Stalled)
    assert told.error.limit == "idle"


def test_server_that_is_not_there_is_unreachable() -> None:
    async def hear() -> None:
        async with FakeServer([]) as server:
            base = server.base_url
        upstream = served(base)
        with pytest.raises(Unreachable):
            await anext(upstream.stream(prepared(BODY)))
        await upstream.aclose()

    asyncio.run(hear())


@pytest.mark.parametrize("base", ["localhost:1/v1", "http://me:word@host/v1", "http://a/v1?key=b"])
def test_address_that_cannot_be_meant_is_refused_at_once(base: str) -> None:
    with pytest.raises(ConfigError):
        Served(Settings(base))


class Noting:
    """A server by hand, which says when its connections are closed, and how many there were."""

    def __init__(self, said: bytes) -> None:
        self._said = said
        self.connections = 0
        self.closed = asyncio.Event()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while head := await self._head(reader):
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
            writer.write(self._said)
            await writer.drain()
        self.closed.set()
        writer.close()
        await writer.wait_closed()

    async def _head(self, reader: asyncio.StreamReader) -> bytes:
        try:
            return await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            return b""


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


def framed(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def test_leaving_the_stream_closes_the_upstreams_connection_at_once() -> None:
    async def leave() -> None:
        server = Noting(HEAD + framed(HALF * 3))
        async with server as base:
            upstream = served(base)
            async with aclosing(upstream.stream(prepared(BODY))) as heard:
                assert await anext(heard) == Heard("Half")
            await asyncio.wait_for(server.closed.wait(), 2)
            await upstream.aclose()

    asyncio.run(leave())


def test_cancelling_whoever_listens_closes_the_upstreams_connection_at_once() -> None:
    async def cancel() -> None:
        server, begun = Noting(HEAD + framed(HALF)), asyncio.Event()

        async def listen(upstream: Served) -> None:
            async with aclosing(upstream.stream(prepared(BODY))) as all_heard:
                async for _ in all_heard:
                    begun.set()

        async with server as base:
            upstream = served(base)
            listening = asyncio.create_task(listen(upstream))
            await asyncio.wait_for(begun.wait(), 2)
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
            await asyncio.wait_for(server.closed.wait(), 2)
            await upstream.aclose()

    asyncio.run(cancel())


def test_connection_is_used_again_after_a_whole_answer() -> None:
    async def twice() -> int:
        said = framed(HALF) + framed(sse(delta("stop"))) + b"0\r\n\r\n"
        server = Noting(HEAD + said)
        async with server as base:
            upstream = served(base)
            for _ in range(2):
                heard = [one async for one in upstream.stream(prepared(BODY))]
                assert heard == [Heard("Half"), Heard(finish="stop")]
            await upstream.aclose()
            await asyncio.wait_for(server.closed.wait(), 2)
        return server.connections

    assert asyncio.run(twice()) == 1

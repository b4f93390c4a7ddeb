from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from tests.bench.load import client, processes
from tests.bench.load.processes import Served
from tests.bench.load.upstream import expected
from tests.bench.report import RUNS, Report, Row

pytestmark = [pytest.mark.bench, pytest.mark.timeout(600)]

FULL = os.environ.get("BENCH_FULL") == "1"
STREAMS, CHUNKS = (200, 2_000) if FULL else (20, 500)
EARLY, REQUESTS = (2_000, 10_000) if FULL else (100, 500)
COSTED = (20, 1_000) if FULL else (10, 300)  # streams and chunks of one round
PAUSED = (4, 400) if FULL else (4, 150)  # the same, where latency is measured
WITHIN = 2.0  # times a bare proxy
GROWN_MB = 4.0


@dataclass(frozen=True, slots=True)
class Stack:
    """The gateway and the bare proxy, over one server."""

    upstream: Served
    gateway: Served
    proxy: Served


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    home: Path = tmp_path_factory.mktemp("home")
    with (
        processes.upstream(home) as upstream,
        processes.gateway(home, upstream, "--max-streams", "256") as gateway,
        processes.proxy(home, upstream) as proxy,
    ):
        yield Stack(upstream, gateway, proxy)


def orders(streams: int, chunks: int, **more: Any) -> list[dict[str, Any]]:
    return [{"stream": number, "chunks": chunks, **more} for number in range(streams)]


def test_gateway_neither_loses_nor_mixes_nor_reorders_what_many_streams_say(stack: Stack) -> None:
    heard = client.streams(stack.gateway.port, orders(STREAMS, CHUNKS))

    wrong = [
        number
        for number, stream in enumerate(heard)
        if (stream.text, stream.arguments) != expected(number, CHUNKS)
    ]
    assert wrong == []
    assert all(stream.events > CHUNKS for stream in heard)  # each chunk was passed on by itself
    assert {stream.finish for stream in heard} == {"stop", "tool_calls"}


def test_gateway_holds_its_memory_over_many_requests(stack: Stack) -> None:
    assert client.requests(stack.gateway.port, EARLY) == EARLY
    early = stack.gateway.resident_mb()
    assert client.requests(stack.gateway.port, REQUESTS - EARLY) == REQUESTS - EARLY
    late = stack.gateway.resident_mb()
    print(f"\n{early:.1f} MB after {EARLY} requests, {late:.1f} MB after {REQUESTS}")

    assert late - early < GROWN_MB


def test_gateway_costs_about_what_a_bare_proxy_costs(stack: Stack, report: Report) -> None:
    warm(stack)
    tries = [
        Row(
            "gateway, CPU per million chunks, by a bare proxy",
            cpu(stack.gateway),
            cpu(stack.proxy),
            WITHIN,
            "s",
        )
        for _ in range(RUNS)
    ]
    report.add(tries)


def test_gateway_is_about_as_late_as_a_bare_proxy(stack: Stack, report: Report) -> None:
    warm(stack)
    tries: Sequence[Row] = [latencies(stack) for _ in range(RUNS)]
    report.add(tries)


def warm(stack: Stack) -> None:
    for served in (stack.gateway, stack.proxy):
        client.streams(served.port, orders(4, 50))


def cpu(served: Served) -> float:
    """Give the processor time of one round, in seconds for a million chunks."""
    streams, chunks = COSTED
    before = served.cpu_s()
    client.streams(served.port, orders(streams, chunks))
    return (served.cpu_s() - before) / (streams * chunks) * 1e6


def latencies(stack: Stack) -> Row:
    """Measure what the gateway adds to the way of a chunk, and what the proxy does."""
    direct, bare, ours = (late(one) for one in (stack.upstream, stack.proxy, stack.gateway))
    what = "gateway, latency added to a chunk, by a bare proxy"
    return Row(what, ours - direct, max(bare - direct, 1e-3), WITHIN)


def late(served: Served) -> float:
    """Give how late a chunk is, in milliseconds from its writing to its reading."""
    streams, chunks = PAUSED
    heard = client.streams(served.port, orders(streams, chunks, pause=0.002, stamp=True))
    return median(late for stream in heard for late in stream.late_ns) / 1e6

"""Each row of corpus/streams.jsonl through the real provider, over a real connection."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from agent.providers.base import Usage
from tests.agent.providers.fake_server import FakeServer, Reply, cut_every
from tests.agent.providers.told import Told, ask, opened

CORPUS = Path(__file__).parent / "corpus" / "streams.jsonl"
ROWS = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()]


def told_of(pieces: list[bytes]) -> Told:
    async def run() -> Told:
        async with FakeServer([Reply(pieces)]) as server:
            provider = opened(server.base_url)
            told = await ask(provider)
            await provider.aclose()
            return told

    return asyncio.run(run())


def usage_of(expected: dict[str, int]) -> Usage:
    names = {"prompt_tokens": "prompt", "completion_tokens": "completion"}
    names |= {"cached_tokens": "cached", "reasoning_tokens": "reasoning"}
    return Usage(**{names[name]: count for name, count in expected.items()})


def check(told: Told, expected: dict[str, Any]) -> None:
    if "text" in expected:
        assert told.text == expected["text"]
    if "reasoning" in expected:
        assert told.reasoning == expected["reasoning"]
    if "tool_calls" in expected:
        assert told.calls == expected["tool_calls"]
    if "usage" in expected:
        assert told.usage == usage_of(expected["usage"])
    if expected.get("turn_complete", True):
        assert told.error is None
        assert told.finish == expected.get("finish_reason", "stop")
    else:
        assert told.error is not None
        assert told.finish is None
        assert expected["error"]["mentions"] in str(told.error)
        assert told.error.retryable is expected["error"]["retryable"]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_stream_is_read_as_the_corpus_says(row: dict[str, Any]) -> None:
    data = row["input"].encode()

    check(told_of([data] if data else []), row["expected"])
    check(told_of(cut_every(data, 1)), row["expected"])


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.get("cut") == "every"], ids=lambda row: row["id"]
)
def test_stream_is_read_the_same_when_cut_at_any_byte(row: dict[str, Any]) -> None:
    data = row["input"].encode()

    async def run() -> list[Told]:
        cuts = range(1, len(data))
        async with FakeServer([Reply([data[:at], data[at:]]) for at in cuts]) as server:
            provider = opened(server.base_url)
            told = [await ask(provider) for _ in cuts]
            await provider.aclose()
            return told

    for told in asyncio.run(run()):
        check(told, row["expected"])

"""Refusals: each case of corpus/refusals.toml as a real answer of the fake server."""

import asyncio
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from agent.errors import RateLimited, Rejected
from agent.providers.answer import answer
from agent.providers.base import TextPiece
from agent.providers.openai_chunks import Chunks
from agent.providers.refusals import Place
from agent.providers.secret import Redactor
from agent.providers.settings import Limits
from agent.providers.wire import Target, Wire
from tests.agent.providers.fake_server import FakeServer, Reply
from tests.agent.providers.told import KEY, ask, opened

CORPUS = Path(__file__).parent / "corpus" / "refusals.toml"
CASES = tomllib.loads(CORPUS.read_text("utf-8"))["case"]
NOW = 1767225600.0


async def refused(case: dict[str, Any]) -> Exception | None:
    body = case["body"].encode()
    reply = Reply([body] if body else [], case["status"], case.get("headers", {}))
    async with FakeServer([reply]) as server:
        url = f"{server.base_url}/chat/completions"
        place = Place(url, "fake", ("OPENAI_API_KEY",), Redactor([KEY]))
        wire = Wire(Target(place, {}, Limits(5, 5, 5)), now=lambda: NOW)
        try:
            async for item in answer(wire, {}, Chunks(place)):
                assert isinstance(item, TextPiece)
        except Exception as fault:
            return fault
        finally:
            await wire.aclose()
    return None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_refusal_says_what_the_corpus_says(case: dict[str, Any]) -> None:
    fault = asyncio.run(refused(case))

    assert isinstance(fault, Rejected | RateLimited)
    assert type(fault).__name__ == case["error"]
    assert [part for part in case["says"] if part not in str(fault)] == []
    assert fault.retryable is case.get("retryable", False)
    assert fault.retry_after == case.get("retry_after")
    if isinstance(fault, Rejected):
        assert fault.status == case["status"]
        assert fault.kind == case["kind"]


def test_refusal_of_a_web_page_says_to_check_the_base_url() -> None:
    async def run() -> None:
        page = Reply([b"<html>Welcome</html>"], headers={"content-type": "text/html"})
        async with FakeServer([page]) as server:
            provider = opened(server.base_url)
            told = await ask(provider)
            await provider.aclose()
        assert isinstance(told.error, Rejected)
        assert "answered with a web page" in str(told.error)
        assert not told.error.retryable

    asyncio.run(run())


def test_refusal_never_shows_a_key_that_the_server_says_back() -> None:
    async def run() -> None:
        echo = Reply([f'{{"error": "you sent Bearer {KEY}"}}'.encode()], 400, {})
        late = Reply([f'data: {{"error": "no {KEY}"}}\n\n'.encode()])
        bad = Reply([f"data: {KEY}\n\n".encode()])
        async with FakeServer([echo, late, bad]) as server:
            provider = opened(server.base_url)
            for _ in range(3):
                told = await ask(provider)
                assert told.error is not None
                assert KEY not in str(told.error)
                assert "****" in str(told.error)
            await provider.aclose()

    asyncio.run(run())


@pytest.mark.parametrize("pad", [580, 590, 600, 19_987])
@pytest.mark.parametrize("place", ["refused", "in the stream", "no JSON"])
def test_refusal_that_is_cut_shows_no_half_of_a_key(pad: int, place: str) -> None:
    words = "<p>" + "<b>" * ((pad - 3) // 3) if pad > 1000 else "x" * pad
    said = f"{words} {KEY}{'z' * 99}"
    reply = {
        "refused": Reply([json.dumps({"error": said}).encode()], 400, {}),
        "in the stream": Reply([f"data: {json.dumps({'error': said})}\n\n".encode()]),
        "no JSON": Reply([f"data: {'x' * (pad - 400)}{KEY}\n\n".encode()]),
    }[place]

    async def run() -> None:
        async with FakeServer([reply]) as server:
            provider = opened(server.base_url)
            told = await ask(provider)
            await provider.aclose()
        assert told.error is not None
        assert KEY[:6] not in str(told.error)

    asyncio.run(run())

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import pytest

from tests.ui.gateway.app_scene import PATH, STREAMED, Telling, says, serving, text_of
from ui.gateway.told import Ended, Pieces

pytestmark = pytest.mark.timeout(30)
SOON_S = 5
HEAD = f"POST {PATH} HTTP/1.1\r\nhost: x\r\n".encode()


def hello(*_: object) -> AsyncGenerator[Pieces | Ended, None]:
    return says("Hello")


def request(body: Any) -> bytes:
    sent = json.dumps(body).encode()
    return HEAD + f"content-length: {len(sent)}\r\n\r\n".encode() + sent


@pytest.mark.parametrize(
    ("content", "headers", "words"),
    [
        (b"", {}, "the body is no JSON"),
        (b"[]", {}, "the body: found an array, expected an object"),
        (b'{"a": NaN}', {}, "the body is no JSON: NaN is no JSON"),
        (b'{"a": -1e999}', {}, "the body is no JSON: -1e999 is too large for a number"),
        (b"\xff", {}, "the body is no JSON"),
        (b"[" * 5000, {}, "the body is nested too deeply"),
        (b"{}", {"content-type": "text/plain"}, "content-type: found 'text/plain', expected"),
        (b"{}", {"content-encoding": "gzip"}, "content-encoding: found 'gzip', expected"),
        (b"{}", {"content-type": "application/json; charset=utf-8"}, "model: found nothing"),
    ],
)
def test_app_refuses_what_is_no_object(content: bytes, headers: dict[str, str], words: str) -> None:
    async def scene() -> None:
        async with serving(hello) as there:
            answer = await there.http.post(PATH, content=content, headers=headers)

        assert answer.status_code == 400
        assert answer.json()["error"]["message"].startswith(words)

    asyncio.run(scene())


async def pieces(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 100):
        yield b" " * 100


@pytest.mark.parametrize("size", [1100, 5000])
@pytest.mark.parametrize("chunked", [True, False])
def test_app_refuses_a_body_that_is_too_large(size: int, *, chunked: bool) -> None:
    async def scene() -> None:
        async with serving(hello, max_body_bytes=1000) as there:
            content = pieces(size) if chunked else b" " * size
            answer = await there.http.post(PATH, content=content)

        assert answer.status_code == 413
        assert answer.json()["error"]["message"] == "the body is larger than 1000 bytes"

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("sent", "heard"),
    [
        (b"", b""),
        (b"POST /v1", b""),
        (HEAD, b""),
        (HEAD + b"content-length: 9\r\n\r\n{", b"HTTP/1.1 408 "),
        (b"GET /health HTTP/1.1\r\nhost: x\r\n\r\nGET /he", b"HTTP/1.1 200 "),
    ],
    ids=["nothing", "half a line", "half a head", "half a body", "half a second"],
)
def test_app_drops_who_does_not_ask_to_the_end(sent: bytes, heard: bytes) -> None:
    async def scene() -> bytes:
        async with serving(hello, header_timeout_s=0.2) as there:
            reader, writer = await asyncio.open_connection(sock=there.connect(sent))
            got = await asyncio.wait_for(reader.read(), SOON_S)
            writer.close()
            await writer.wait_closed()
            return got

    got = asyncio.run(scene())
    assert got[:13] == heard


def test_app_keeps_a_silent_stream_open_with_comments() -> None:
    async def scene() -> str:
        telling = Telling("Hel")
        async with (
            serving(telling.run, keep_alive_s=0.05) as there,
            there.http.stream("POST", PATH, json=STREAMED) as answer,
        ):
            text = ""
            async for piece in answer.aiter_text():
                text += piece
                if ": \n\n" in text:
                    telling.go_on.set()
            return text

    text = asyncio.run(scene())
    assert "\n\n: \n\n" in text
    assert text.endswith("data: [DONE]\n\n")


def test_app_drops_a_client_that_takes_nothing_and_reads_no_further() -> None:
    told = 0
    left = asyncio.Event()

    async def flood(*_: object) -> AsyncGenerator[Pieces | Ended, None]:
        nonlocal told
        try:
            while True:
                yield text_of("x" * 10_000)
                told += 1
                await asyncio.sleep(0)
        finally:
            left.set()

    async def scene() -> None:
        async with serving(flood, idle_timeout_s=0.3) as there:
            with there.connect(request(STREAMED), receives=4096):
                await asyncio.wait_for(left.wait(), SOON_S)

    asyncio.run(scene())
    assert 0 < told < 2000  # no more than the buffers of both sides hold


def test_app_does_not_drop_a_client_that_is_slow() -> None:
    async def scene() -> int:
        async with serving(lambda *_: says(*["x" * 10_000] * 100), idle_timeout_s=0.2) as there:
            reader, writer = await asyncio.open_connection(
                sock=there.connect(request(STREAMED), receives=4096), limit=1 << 13
            )
            size = 0
            while b"[DONE]" not in (piece := await asyncio.wait_for(reader.read(1 << 16), SOON_S)):
                size += len(piece)
                await asyncio.sleep(0.002)
            writer.close()
            await writer.wait_closed()
            return size

    assert asyncio.run(scene()) > 1_000_000

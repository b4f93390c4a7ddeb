"""The floor of the load: a bare proxy on the gateway's stack, that decodes and encodes each event.

python -m tests.bench.load.proxy UPSTREAM PORT
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route


def encoded(event: bytes) -> bytes:
    """Decode an event and encode it again."""
    data = event.removeprefix(b"data: ")
    if data == b"[DONE]":
        return event + b"\n\n"
    return f"data: {json.dumps(json.loads(data), separators=(',', ':'))}\n\n".encode()


def proxy(upstream: str) -> Starlette:
    client = httpx.AsyncClient(timeout=None, limits=httpx.Limits(max_connections=None))

    async def passed(body: object) -> AsyncIterator[bytes]:
        async with client.stream("POST", f"{upstream}/v1/chat/completions", json=body) as answer:
            left = b""
            async for piece in answer.aiter_bytes():
                *events, left = (left + piece).split(b"\n\n")
                for event in events:
                    yield encoded(event)

    async def completions(request: Request) -> Response:
        return StreamingResponse(passed(await request.json()), media_type="text/event-stream")

    async def health(_: Request) -> Response:
        return Response("ok")

    return Starlette(
        routes=[
            Route("/v1/chat/completions", completions, methods=["POST"]),
            Route("/health", health),
        ]
    )


if __name__ == "__main__":
    uvicorn.run(proxy(sys.argv[1]), host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")

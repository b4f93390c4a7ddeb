"""The client of the load: many streams at once over sockets of its own, cheap to read."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "write_to_file",
            "description": "Write a file.",
            "parameters": {
                "type": "object",
                "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
                "required": ["path", "content"],
            },
        },
    }
]


@dataclass(slots=True)
class Heard:
    """What one stream gave: its text, its calls' arguments, and how late each stamp came."""

    text: str = ""
    arguments: str = ""
    events: int = 0
    finish: str | None = None
    late_ns: list[int] = field(default_factory=list[int])

    def take(self, data: bytes, *, stamped: bool) -> None:
        if data == b"[DONE]":
            return
        now = time.monotonic_ns()
        event = json.loads(data)
        if "error" in event:
            raise RuntimeError(f"the stream broke off: {event}")
        self.events += 1
        for choice in event["choices"]:
            delta = choice["delta"]
            said = delta.get("content") or ""
            self.text += said
            if stamped and said:
                self.late_ns.append(now - int(said))
            for call in delta.get("tool_calls") or ():
                self.arguments += call["function"].get("arguments") or ""
            self.finish = choice.get("finish_reason") or self.finish


def request(orders: dict[str, Any], *, stream: bool = True) -> bytes:
    """Write the request for a stream of these orders."""
    said = [{"role": "user", "content": json.dumps(orders)}]
    body = {"model": "m", "stream": stream, "messages": said, "tools": TOOLS}
    data = json.dumps(body).encode()
    return (
        b"POST /v1/chat/completions HTTP/1.1\r\nhost: load\r\ncontent-type: application/json\r\n"
        b"content-length: %d\r\n\r\n" % len(data)
    ) + data


class Connection:
    """A kept connection, one request at a time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def stream(self, orders: dict[str, Any]) -> Heard:
        heard = Heard()
        reader = await self._ask(request(orders))
        left = b""
        while chunk := await _chunk(reader):
            *events, left = (left + chunk).split(b"\n\n")
            for event in events:
                heard.take(event.removeprefix(b"data: "), stamped=bool(orders.get("stamp")))
        return heard

    async def whole(self, orders: dict[str, Any]) -> Any:
        reader = await self._ask(request(orders, stream=False), length=True)
        return json.loads(await reader.readexactly(self._length))

    async def _ask(self, data: bytes, *, length: bool = False) -> asyncio.StreamReader:
        if self._open is None:
            self._open = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._open
        writer.write(data)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        status = head.split(" ", 2)[1]
        if status != "200":
            raise RuntimeError(f"refused: {head} {await reader.read(2000)!r}")
        if length:
            self._length = int(head.split("content-length:")[1].split("\r\n")[0])
        return reader

    async def close(self) -> None:
        if self._open is not None:
            self._open[1].close()
            await self._open[1].wait_closed()


async def _chunk(reader: asyncio.StreamReader) -> bytes:
    size = int(await reader.readline(), 16)
    return (await reader.readexactly(size + 2))[:-2]


def streams(port: int, orders: Sequence[dict[str, Any]]) -> list[Heard]:
    """Ask for all these streams at once, and read them to their ends."""

    async def one(order: dict[str, Any]) -> Heard:
        connection = Connection(port)
        try:
            return await connection.stream(order)
        finally:
            await connection.close()

    async def together() -> list[Heard]:
        return await asyncio.gather(*map(one, orders))

    return asyncio.run(together())


def requests(port: int, count: int, *, lanes: int = 8) -> int:
    """Make short requests, streamed and whole in turn, a few at once; give how many were right."""

    async def lane(number: int) -> int:
        connection, right = Connection(port), 0
        try:
            for at in range(number, count, lanes):
                order = {"stream": at % 6, "chunks": 3}
                if at // lanes % 2:
                    message = (await connection.whole(order))["choices"][0]["message"]
                    right += bool(message.get("content") or message.get("tool_calls"))
                else:
                    heard = await connection.stream(order)
                    right += bool(heard.text or heard.arguments)
        finally:
            await connection.close()
        return right

    async def together() -> int:
        return sum(await asyncio.gather(*map(lane, range(lanes))))

    return asyncio.run(together())

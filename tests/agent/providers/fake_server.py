"""A model server for tests, on loopback, written by hand: bytes may be cut anywhere and more.

    async with FakeServer([answer("Hello"), refusal(429, "slow down")]) as server:
        ...  # talk to server.base_url
    server.requests[0].body["messages"]

Each POST takes the next reply; GET …/models lists `models`.
"""

import asyncio
import json
import socket
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self

# What a reply may do between its bytes: never go on, end without the end, or reset.
Act = Literal["hang", "cut", "reset"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request as it came."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: each piece of bytes goes out as one HTTP chunk, so that no read joins two."""

    pieces: Sequence[bytes | Act] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": EVENTS})
    framed: bool = True  # without: the end of the connection is the end of the body


EVENTS = "text/event-stream"
Answering = Reply | Callable[[Recorded], Reply]


class FakeServer:
    """A server that gives the replies in turn and records what it was asked."""

    def __init__(self, replies: Iterable[Answering], models: Sequence[str] = ("fake",)) -> None:
        self.replies = list(replies)
        self.models = list(models)
        self.requests: list[Recorded] = []
        self.asked = asyncio.Event()
        self.port = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._tasks.add(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await _request(reader)
            if request.method == "GET":
                listed = {"object": "list", "data": [{"id": name} for name in self.models]}
                told = json.dumps(listed).encode()
                reply = Reply([told], headers={"content-type": JSON}, framed=False)
            else:
                self.requests.append(request)
                self.asked.set()
                reply = self._next(request)
            await _send(writer, reply)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _next(self, request: Recorded) -> Reply:
        if not self.replies:
            return refusal(400, "the fake server has no reply left")
        reply = self.replies.pop(0)
        return reply if isinstance(reply, Reply) else reply(request)


JSON = "application/json"


async def _request(reader: asyncio.StreamReader) -> Recorded:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").rstrip("\r\n").split("\r\n")
    method, path, _ = head[0].split(" ")
    pairs = (line.partition(":") for line in head[1:])
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    data = await reader.readexactly(int(headers.get("content-length", "0")))
    return Recorded(method, path, headers, json.loads(data) if data else None)


async def _send(writer: asyncio.StreamWriter, reply: Reply) -> None:
    framing = {"transfer-encoding": "chunked"} if reply.framed else {}
    headers = {**reply.headers, **framing, "connection": "close"}
    lines = [f"HTTP/1.1 {reply.status} Said", *(f"{name}: {headers[name]}" for name in headers)]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    for piece in reply.pieces:
        match piece:
            case bytes():
                writer.write(b"%x\r\n%s\r\n" % (len(piece), piece) if reply.framed else piece)
                await writer.drain()
                await asyncio.sleep(0)
            case "hang":
                await asyncio.Event().wait()
            case "reset":
                linger = struct.pack("ii", 1, 0)
                raw: socket.socket = writer.get_extra_info("socket")
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                writer.transport.abort()
                return
            case "cut":
                return
    if reply.framed:
        writer.write(b"0\r\n\r\n")
    await writer.drain()


def cut_every(data: bytes, size: int) -> list[bytes]:
    """Cut bytes into pieces of one size."""
    return [data[start : start + size] for start in range(0, len(data), size)]


def sse(*payloads: object, done: bool = True) -> bytes:
    """Write payloads as events; strings go in as they are."""
    told = [each if isinstance(each, str) else json.dumps(each) for each in payloads]
    return "".join(f"data: {each}\n\n" for each in [*told, *(["[DONE]"] if done else [])]).encode()


def delta(finish: str | None = None, **fields: object) -> dict[str, Any]:
    """Make one chunk of a Chat Completions stream."""
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def stream(*payloads: object, done: bool = True, size: int = 0) -> Reply:
    """Make a stream of payloads; cut every `size` bytes, otherwise one piece an event."""
    data = sse(*payloads, done=done)
    pieces = cut_every(data, size) if size else [part + b"\n\n" for part in _events(data)]
    return Reply(pieces)


def _events(data: bytes) -> Iterator[bytes]:
    return (part for part in data.split(b"\n\n") if part)


def answer(
    text: str,
    *,
    chunk: int = 7,
    reasoning: str | None = None,
    finish: str = "stop",
    usage: tuple[int, int] | None = None,
) -> Reply:
    """Make a whole Chat Completions answer of a text, `chunk` characters a delta."""
    thought = [] if reasoning is None else [delta(reasoning_content=reasoning)]
    said = [delta(content=text[at : at + chunk]) for at in range(0, len(text), chunk)]
    counts = dict(zip(("prompt_tokens", "completion_tokens"), usage or (), strict=False))
    told = [{"choices": [], "usage": counts}] if usage else []
    return stream(delta(role="assistant", content=""), *thought, *said, delta(finish), *told)


def refusal(status: int, error: object, headers: Mapping[str, str] | None = None) -> Reply:
    """Make an error answer; a string becomes OpenAI's error object."""
    value = {"error": {"message": error}} if isinstance(error, str) else error
    return Reply(
        [json.dumps(value).encode()], status, {"content-type": JSON, **(dict(headers or {}))}
    )

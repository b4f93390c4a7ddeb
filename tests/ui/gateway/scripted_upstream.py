"""A server of Chat Completions and text completions on loopback that says what a script says.

    with ScriptedUpstream(lambda body: Say(cut("Hello", 1)), kind="vllm") as upstream:
        ...  # talk to upstream.url, with /v1 behind it
    upstream.requests[0].body["messages"]

A script is given the body of a request.  It answers in a thread of its own, and faults are said
like text: an Act or raw bytes among the pieces.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Literal, Self

from tests.ui.gateway.scripted_answers import Asked, Piece, Say, Wait, ending, event

Kind = Literal["plain", "vllm", "sglang", "lmdeploy", "llamacpp"]
TELLTALES: Mapping[Kind, Mapping[str, Mapping[str, Any]]] = {
    "plain": {},
    "vllm": {"/version": {"version": "0.11.0"}},
    "sglang": {"/get_model_info": {"model_path": "m"}, "/get_server_info": {"version": "0.5.6"}},
    "lmdeploy": {},
    "llamacpp": {
        "/props": {"default_generation_settings": {"n_ctx": 4096}, "build_info": "b6000-1234abcd"}
    },
}
OWNERS: Mapping[Kind, str] = {"lmdeploy": "lmdeploy", "llamacpp": "llamacpp", "vllm": "vllm"}


Script = Callable[[Any], Say]


class ScriptedUpstream:
    """The server; `requests` grow as they come."""

    def __init__(self, script: Script, kind: Kind = "plain", model: str = "scripted") -> None:
        self.script = script
        self.kind: Kind = kind
        self.model = model
        self.requests: list[Asked] = []
        self.asked = threading.Semaphore(0)  # released once a request
        self.leaving = False  # a connection that is asked on for a second time is closed instead
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._listening = threading.Event()
        self._stop = asyncio.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._listening.wait(10)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self.serve())
        finally:
            self._loop.close()

    async def serve(self, listening: Callable[[], object] | None = None) -> None:
        """Serve until told to stop, having called `listening`; for a process of its own."""
        tasks: set[asyncio.Task[None]] = set()

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.get_running_loop().create_task(self._connection(reader, writer))
            tasks.add(task)
            task.add_done_callback(tasks.discard)

        server = await asyncio.start_server(connected, "127.0.0.1", 0, backlog=512, limit=1 << 24)
        self.port = server.sockets[0].getsockname()[1]
        (listening or self._listening.set)()
        await self._stop.wait()
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        early = b""
        try:
            while (asked := await _request(reader, early)) is not None:
                early = await self._answer(asked, reader, writer)
                if self.leaving and await _request(reader, early):
                    return
        except (ConnectionError, asyncio.IncompleteReadError, _Over):
            pass
        finally:
            with suppress(ConnectionError):
                writer.close()

    async def _answer(
        self, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bytes:
        """Answer, and give what of the next request was read while watching for the client."""
        if asked.body is None:
            found = self._listed(asked.path)
            await _whole(
                writer, 200 if found is not None else 404, found or {"detail": "Not Found"}
            )
            return b""
        self.requests.append(asked)
        self.asked.release()
        sending = asyncio.ensure_future(_send(writer, self.script(asked.body), asked))
        watching = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait({sending, watching}, return_when=asyncio.FIRST_COMPLETED)
            if watching.done() and not watching.result() and not sending.done():
                asked.left_at = time.monotonic()
                asked.left.set()
                raise _Over
            await sending
            return watching.result() if watching.done() else b""
        except ConnectionError:
            asked.left_at = time.monotonic()
            asked.left.set()
            raise
        finally:
            for task in (sending, watching):
                task.cancel()
            await asyncio.gather(sending, watching, return_exceptions=True)

    def _listed(self, path: str) -> Mapping[str, Any] | None:
        if path.endswith("/models"):
            one = {"id": self.model, "object": "model", "created": 1}
            owner = OWNERS.get(self.kind, "somebody")
            return {"object": "list", "data": [{**one, "owned_by": owner}]}
        if path == "/health":
            return {"status": "ok"}
        return TELLTALES[self.kind].get(path)


class _Over(Exception):
    """The connection is over."""


async def _request(reader: asyncio.StreamReader, early: bytes) -> Asked | None:
    try:
        head = early + await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, path, _ = first.split(" ")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    data = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(path, headers, json.loads(data) if method == "POST" else None)


async def _whole(writer: asyncio.StreamWriter, status: int, body: Mapping[str, Any]) -> None:
    data = json.dumps(body).encode()
    head = f"HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\n"
    writer.write(f"{head}content-length: {len(data)}\r\n\r\n".encode() + data)
    await writer.drain()


async def _send(writer: asyncio.StreamWriter, say: Say, asked: Asked) -> None:
    headers = {"content-type": "text/event-stream", **say.headers}
    lines = "".join(f"{name.replace('_', '-')}: {headers[name]}\r\n" for name in headers)
    head = f"HTTP/1.1 {say.status} Said\r\n{lines}transfer-encoding: chunked\r\n\r\n"
    writer.write(head.encode())
    for piece in say.pieces:
        match piece:
            case "hang":
                await asyncio.Event().wait()
            case "cut" | "reset" | "half":
                await _break(writer, piece)
            case Wait(seconds):
                await asyncio.sleep(seconds)
            case bytes():
                await _chunk(writer, piece)
            case Piece() | dict():
                await _chunk(writer, event(piece, asked))
    for last in ending(say, asked):
        await _chunk(writer, last)
    writer.write(b"0\r\n\r\n")
    await writer.drain()


async def _chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(b"%x\r\n%s\r\n" % (len(data), data))
    await writer.drain()
    await asyncio.sleep(0)  # so that no read joins two


async def _break(writer: asyncio.StreamWriter, act: str) -> None:
    await writer.drain()
    if act == "half":
        writer.write_eof()
        await asyncio.Event().wait()
    if act == "reset":
        raw: socket.socket = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    raise _Over

"""Model servers that listen on this machine, found by asking the usual ports all at once."""

import asyncio
import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.providers.base import JsonObject
from agent.providers.jsons import as_array, as_count, as_object, as_word, is_object

USUAL: Mapping[str, int] = {
    "llama.cpp": 8080,
    "ollama": 11434,
    "lmstudio": 1234,
    "vllm": 8000,
    "lmdeploy": 23333,
}
_OWNERS = {"llamacpp": "llama.cpp", "library": "ollama", "vllm": "vllm", "lmdeploy": "lmdeploy"}
_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Found:
    """A server that answered; `model` is None when it wants a key or has none loaded."""

    kind: str
    base_url: str
    model: str | None
    models: tuple[str, ...] = ()
    context_window: int | None = None


async def discover(
    ports: Mapping[str, int] = USUAL, *, host: str = "127.0.0.1", limit_s: float = 0.25
) -> tuple[Found, ...]:
    """Ask each port for its models; takes `limit_s` seconds at most, and raises nothing."""
    answers = await asyncio.gather(
        *(_probe(kind, host, port, limit_s) for kind, port in ports.items())
    )
    return tuple(found for found in answers if found is not None)


async def _probe(kind: str, host: str, port: int, limit_s: float) -> Found | None:
    try:
        async with asyncio.timeout(limit_s):
            status, body = await _get(host, port, "/v1/models")
    except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError):
        return None
    where = f"http://{host}:{port}/v1"
    if status in (401, 403) and b"error" in body:
        return Found(kind, where, None)
    return _read(kind, where, body) if status == 200 else None


async def _get(host: str, port: int, path: str) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection(host, port, limit=_LARGEST)
    try:
        # HTTP/1.0: the answer is not chunked, and the connection is closed after it.
        writer.write(
            f"GET {path} HTTP/1.0\r\nHost: {host}:{port}\r\nAccept: application/json\r\n"
            "Connection: close\r\n\r\n".encode()
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        length = next(
            (
                int(line.partition(":")[2])
                for line in head
                if line.lower().startswith("content-length:")
            ),
            None,
        )
        if length is not None:
            body = await reader.readexactly(min(length, _LARGEST))
        else:
            body = await reader.read(_LARGEST)
        return int(head[0].split(" ")[1]), body
    except (IndexError, asyncio.LimitOverrunError):
        raise ValueError("no HTTP") from None
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def _read(kind: str, where: str, body: bytes) -> Found | None:
    try:
        value: Any = json.loads(body)
    except ValueError:
        return None
    if not is_object(value) or "data" not in value:
        return None  # some other program's port
    listed = [as_object(entry) for entry in as_array(value["data"])]
    names = tuple(name for entry in listed if (name := as_word(entry.get("id"))))
    first = as_object(next(iter(listed), None))
    owner = _OWNERS.get(str(first.get("owned_by")), kind)
    return Found(owner, where, names[0] if names else None, names, _window(first))


def _window(entry: JsonObject) -> int | None:
    window = as_count(entry.get("max_model_len"))
    return as_count(as_object(entry.get("meta")).get("n_ctx")) if window is None else window

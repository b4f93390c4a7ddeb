import asyncio
import json
import time
from typing import Any

from agent.providers.discover import USUAL, Found, discover
from tests.agent.providers.fake_server import FakeServer


async def serve(answer: bytes) -> tuple[asyncio.Server, int]:
    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    return server, server.sockets[0].getsockname()[1]


def http(value: Any, status: str = "200 OK") -> bytes:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return f"HTTP/1.0 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def test_discover_knows_the_usual_ports() -> None:
    assert dict(USUAL) == {
        "llama.cpp": 8080,
        "ollama": 11434,
        "lmstudio": 1234,
        "vllm": 8000,
        "lmdeploy": 23333,
    }


def test_discover_names_servers_and_their_first_model() -> None:
    async def run() -> None:
        owned = {"id": "qwen", "owned_by": "vllm", "max_model_len": 4096}
        llama = {"id": "gemma.gguf", "owned_by": "llamacpp", "meta": {"n_ctx": 8192}}
        answers = {
            "llama.cpp": http({"data": [llama]}),
            "lmdeploy": http({"data": [owned]}),  # another server than the port promises
            "lmstudio": http({"data": []}),
            "vllm": http({"error": "no key"}, "401 Unauthorized"),
            "page": http(b"<html>data</html>"),
            "other": http({"status": "ok"}),
            "broken": b"SSH-2.0-OpenSSH\r\n\r\n",
            "mute": b"",
        }
        served = {name: await serve(answer) for name, answer in answers.items()}
        ports = {name: port for name, (_, port) in served.items()}
        found = await discover(ports, limit_s=5.0)
        for server, _ in served.values():
            server.close()

        def at(name: str) -> str:
            return f"http://127.0.0.1:{ports[name]}/v1"

        assert found == (
            Found("llama.cpp", at("llama.cpp"), "gemma.gguf", ("gemma.gguf",), 8192),
            Found("vllm", at("lmdeploy"), "qwen", ("qwen",), 4096),
            Found("lmstudio", at("lmstudio"), None),
            Found("vllm", at("vllm"), None),
        )

    asyncio.run(run())


def test_discover_reads_an_answer_without_a_length() -> None:
    async def run() -> None:
        async with FakeServer([], models=["one", "two"]) as server:
            (found,) = await discover({"ollama": server.port}, limit_s=5.0)
            assert found == Found("ollama", server.base_url, "one", ("one", "two"))

    asyncio.run(run())


def test_discover_does_not_wait_for_a_server_that_is_silent() -> None:
    async def run() -> None:
        async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        ports = {str(number): server.sockets[0].getsockname()[1] for number in range(5)}
        started = time.perf_counter()
        assert await discover(ports, limit_s=0.05) == ()
        assert time.perf_counter() - started < 0.05 * 5
        server.close()

    asyncio.run(run())

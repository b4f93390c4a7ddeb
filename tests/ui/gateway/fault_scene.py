"""The stage for faults: a gateway in a process, a server of our own behind it, and keys."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.ui.gateway.gateway_process import Running, keyed
from tests.ui.gateway.scripted_answers import Asked, Say, cut
from tests.ui.gateway.scripted_upstream import ScriptedUpstream

OURS = "sk-gateway-5d1f0c"  # what clients must show
THEIRS = "sk-upstream-77aa91"  # what the upstream is shown; it must never be seen
IDLE_S, HEADER_S, MOST = 0.6, 0.6, 4
SOON = 1.0
PATHS = ("chat/completions", "responses", "messages")
paths = pytest.mark.parametrize("path", PATHS)
SETTINGS: dict[str, Any] = {
    "dialect": "hermes",
    "server": "vllm",
    "max_streams": MOST,
    "max_body_bytes": 200_000,
    "header_timeout_s": HEADER_S,
    "idle_timeout_s": IDLE_S,
    "first_token_timeout_s": IDLE_S,
}


HEADERS = {"authorization": f"Bearer {OURS}", "content-type": "application/json"}


@dataclass
class Scene:
    """A gateway in a process, and the server behind it, whose next answers are set by a test."""

    running: Running
    upstream: ScriptedUpstream
    client: httpx.Client
    says: list[Say] = field(default_factory=list[Say])

    def post(self, path: str, *, stream: bool = True, **more: Any) -> httpx.Response:
        content = more.pop("content", json.dumps(body(path, stream=stream)))
        return self.client.post(
            f"{self.running.api}/{path}", content=content, headers=HEADERS | more, timeout=10
        )

    def last(self) -> Asked:
        """Give the request that came last, when it has come."""
        assert self.upstream.asked.acquire(timeout=5)
        return self.upstream.requests[-1]


def body(path: str, *, stream: bool = True) -> dict[str, Any]:
    said = [{"role": "user", "content": "Go."}]
    asked: dict[str, Any] = {"model": "m", "stream": stream}
    if path == "responses":
        return asked | {"input": "Go."}
    return asked | {"messages": said, "max_tokens": 5000}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    says: list[Say] = []
    home: Path = tmp_path_factory.mktemp("home")
    with (
        ScriptedUpstream(lambda _: says.pop(0)) as upstream,
        keyed(home, upstream.url, (OURS, THEIRS), **SETTINGS) as running,
        httpx.Client() as client,
    ):
        yield Scene(running, upstream, client, says)
        assert THEIRS not in running.said()
        assert OURS not in running.said()
        assert "unexpected" not in running.said()
        assert "Traceback" not in running.said()


@pytest.fixture
def scene(stage: Scene) -> Iterator[Scene]:
    """Give the stage, swept; afterwards the gateway must still answer, and hold no stream."""
    stage.says.clear()
    while stage.upstream.asked.acquire(blocking=False):
        pass
    yield stage
    stage.says[:] = [Say(cut("fine", 1))]
    answer = stage.post("chat/completions", stream=False)
    assert answer.status_code == 200, answer.text
    assert answer.json()["choices"][0]["message"]["content"] == "fine"
    counts = stage.client.get(f"{stage.running.url}/metrics", headers=HEADERS).text
    assert "tagline_open_requests 0.0" in counts, counts


def events(text: str) -> list[Any]:
    """Give the data of each event of a stream."""
    lines = [line for line in text.splitlines() if line.startswith("data: ")]
    data = [line.removeprefix("data: ") for line in lines]
    return [json.loads(one) for one in data if one != "[DONE]"]


def broke_off(path: str, text: str) -> str:
    """Check that a stream ends with its protocol's error, and give its message."""
    assert THEIRS not in text
    *before, last = events(text)
    assert not any("error" in event for event in before if event.get("type") != "response.failed")
    match path:
        case "chat/completions":
            message: str = last["error"]["message"]
        case "responses":
            assert last["type"] in {"response.failed", "error"}, last
            message = (
                last["response"]["error"]["message"] if "response" in last else last["message"]
            )
        case _:
            assert last["type"] == "error", last
            message = last["error"]["message"]
    assert message
    return message


def refused(path: str, answer: httpx.Response) -> str:
    """Check that an answer is its protocol's error, and give its message."""
    assert THEIRS not in answer.text
    told = answer.json()
    assert (told.get("type") == "error") == (path == "messages"), told
    message: str = told["error"]["message"]
    assert message
    assert told["error"]["type"]
    return message


def post(path: str, content: bytes) -> bytes:
    head = f"POST /v1/{path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {OURS}\r\n"
    return f"{head}content-length: {len(content)}\r\n\r\n".encode() + content


def connected(scene: Scene, sent: bytes, *, small: bool = False) -> socket.socket:
    wire = socket.socket()
    if small:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    wire.connect(("127.0.0.1", scene.running.port))
    wire.sendall(sent)
    return wire


def ended(wire: socket.socket, within_s: float) -> bool:
    """Read until the other side closes; False when it does not in time."""
    end = time.monotonic() + within_s
    try:
        while (left := end - time.monotonic()) > 0:
            wire.settimeout(left)
            if not wire.recv(65536):
                return True
    except TimeoutError:
        pass
    except ConnectionError:
        return True
    return False


def resident_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 2**20

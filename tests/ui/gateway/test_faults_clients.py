from __future__ import annotations

import json
import socket
import time
from typing import Any

import pytest

from tests.ui.gateway.fault_scene import (
    HEADER_S,
    HEADERS,
    IDLE_S,
    MOST,
    OURS,
    PATHS,
    SOON,
    Scene,
    body,
    connected,
    ended,
    paths,
    post,
    refused,
    resident_mb,
)
from tests.ui.gateway.scripted_answers import Piece, Say

pytestmark = pytest.mark.timeout(30)


@paths
def test_client_that_leaves_is_left_by_the_upstream(scene: Scene, path: str) -> None:
    scene.says.append(Say([Piece("Hello"), "hang"]))
    url = f"{scene.running.api}/{path}"
    with scene.client.stream("POST", url, json=body(path), headers=HEADERS) as answer:
        chunks = answer.iter_text()
        seen = ""
        while "Hello" not in seen:
            seen += next(chunks)
    left = time.monotonic()
    asked = scene.last()

    assert asked.left.wait(SOON)
    assert asked.left_at - left < SOON


@paths
def test_client_that_leaves_before_a_whole_answer_is_left_by_the_upstream(
    scene: Scene, path: str
) -> None:
    scene.says.append(Say([Piece("Hello"), "hang"]))
    with connected(scene, post(path, json.dumps(body(path, stream=False)).encode())):
        asked = scene.last()

    assert asked.left.wait(SOON)


def test_client_that_leaves_before_the_first_token_is_left_by_the_upstream(scene: Scene) -> None:
    scene.says.append(Say(["hang"]))
    with connected(scene, post("messages", json.dumps(body("messages")).encode())):
        asked = scene.last()

    assert asked.left.wait(SOON)


def test_client_that_never_reads_is_dropped(scene: Scene) -> None:
    flood = [Piece("x" * 4000)] * 20_000
    scene.says.append(Say(flood))
    before = resident_mb(scene.running.pid)
    with connected(scene, post(PATHS[0], json.dumps(body(PATHS[0])).encode()), small=True):
        asked = scene.last()
        assert asked.left.wait(IDLE_S + 5)

    assert resident_mb(scene.running.pid) - before < 30


def test_client_that_closes_its_half_has_left(scene: Scene) -> None:
    scene.says.append(Say([Piece("Hello"), "hang"]))
    with connected(scene, post(PATHS[0], json.dumps(body(PATHS[0])).encode())) as wire:
        asked = scene.last()
        wire.shutdown(socket.SHUT_WR)
        assert asked.left.wait(SOON)
        assert ended(wire, SOON)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"POST /v1/chat/completions HT",
        b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n",
        b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{",
    ],
    ids=["nothing", "half a line", "half a head", "half a body"],
)
def test_request_that_never_comes_whole_is_dropped(scene: Scene, sent: bytes) -> None:
    authorised = sent.replace(
        b"host: x\r\n", b"host: x\r\nauthorization: " + b"Bearer %s\r\n" % OURS.encode()
    )
    with connected(scene, authorised) as wire:
        start = time.monotonic()
        assert ended(wire, HEADER_S + 4)
        assert time.monotonic() - start >= HEADER_S / 2


@pytest.mark.parametrize("chunked", [True, False])
@paths
def test_body_that_is_too_large_is_refused(scene: Scene, path: str, chunked: bool) -> None:
    large = json.dumps(body(path) | {"user": "x" * 300_000}).encode()
    content: Any = iter([large[:150_000], large[150_000:]]) if chunked else large
    answer = scene.post(path, content=content)

    assert answer.status_code == 413
    refused(path, answer)
    assert not scene.upstream.asked.acquire(blocking=False)


WRONG: tuple[dict[str, str], ...] = (
    {},
    {"authorization": "Bearer sk-wrong"},
    {"x-api-key": OURS[:-1]},
    {"authorization": OURS},
)


@paths
@pytest.mark.parametrize("shown", WRONG, ids=["none", "wrong", "cut short", "no scheme"])
def test_wrong_key_is_refused(scene: Scene, path: str, shown: dict[str, str]) -> None:
    answer = scene.client.post(f"{scene.running.api}/{path}", json=body(path), headers=shown)

    assert answer.status_code == 401
    assert OURS not in answer.text
    refused(path, answer)
    assert not scene.upstream.asked.acquire(blocking=False)


@paths
@pytest.mark.parametrize(
    "sent",
    [b"", b"{", b"null", b"[]", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"a":' * 30_000, b"{}"],
)
def test_body_that_is_no_request_is_refused(scene: Scene, path: str, sent: bytes) -> None:
    answer = scene.post(path, content=sent)

    assert answer.status_code == 400, answer.text
    refused(path, answer)
    assert not scene.upstream.asked.acquire(blocking=False)


@paths
def test_more_streams_than_allowed_are_told_to_come_back(scene: Scene, path: str) -> None:
    scene.says.extend([Say([Piece("Hello"), "hang"])] * MOST)
    sent = post(path, json.dumps(body(path)).encode())
    wires = [connected(scene, sent) for _ in range(MOST)]
    asked = [scene.last() for _ in wires]
    answer = scene.post(path)
    for wire in wires:
        wire.close()

    assert answer.status_code == 429
    assert float(answer.headers["retry-after"]) > 0
    refused(path, answer)
    assert all(one.left.wait(SOON) for one in asked)


@pytest.mark.parametrize("depth", [100, *range(900, 1000, 9), 5000])
@pytest.mark.parametrize("member", ["extra", "tools"])
def test_request_that_is_nested_deeply_is_passed_on_or_refused(
    scene: Scene, member: str, depth: int
) -> None:
    nested = '{"a":' * depth + "1" + "}" * depth
    tool = f'[{{"type":"function","function":{{"name":"f","parameters":{nested}}}}}]'
    told = json.dumps(body(PATHS[0], stream=False))[:-1]
    scene.says.append(Say([Piece("fine")]))
    value = tool if member == "tools" else nested
    answer = scene.post(PATHS[0], content=f'{told}, "{member}": {value}}}')

    allowed = {100: {200}, 5000: {400}}.get(depth, {200, 400})
    assert answer.status_code in allowed, answer.text

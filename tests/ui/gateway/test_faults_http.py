from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.bench.load import processes
from tests.ui.gateway.fault_scene import (
    PATHS,
    THEIRS,
    Scene,
    body,
    broke_off,
    paths,
    refused,
    resident_mb,
)
from tests.ui.gateway.gateway_process import served
from tests.ui.gateway.scripted_answers import Act, Piece, Say, refusal

pytestmark = pytest.mark.timeout(30)

BREAKS: list[tuple[str, list[Piece | Act | bytes | dict[str, Any]]]] = [
    ("cut", ["cut"]),
    ("reset", ["reset"]),
    ("half closed", ["half"]),
    ("silent for ever", ["hang"]),
    ("broken JSON", [b'data: {"choices": [{"delta": \n\n']),
    ("no JSON", [b"data: <html>oh no</html>\n\n"]),
    ("JSON of another kind", [b"data: [1, 2]\n\n"]),
    ("choices that are none", [b'data: {"choices": 7}\n\n', "cut"]),
    ("an error object", [{"error": {"message": "out of memory", "code": 500}}]),
    ("bytes that are no text", [b"data: \xff\xfe\xfa\n\n"]),
    ("deep JSON", [b"data: " + b"[" * 100_000 + b"\n\n"]),
]


@paths
@pytest.mark.parametrize("pieces", [pieces for _, pieces in BREAKS], ids=[b for b, _ in BREAKS])
def test_stream_that_breaks_off_is_told_as_broken(
    scene: Scene, path: str, pieces: list[Any]
) -> None:
    scene.says.append(Say([Piece("Hello"), *pieces]))
    answer = scene.post(path)

    assert answer.status_code == 200
    assert "Hello" in answer.text
    broke_off(path, answer.text)


@paths
@pytest.mark.parametrize("pieces", [pieces for _, pieces in BREAKS], ids=[b for b, _ in BREAKS])
def test_whole_answer_that_breaks_off_is_an_error(
    scene: Scene, path: str, pieces: list[Any]
) -> None:
    scene.says.append(Say([Piece("Hello"), *pieces]))
    answer = scene.post(path, stream=False)

    assert answer.status_code in {502, 504, 500}
    refused(path, answer)


def test_line_without_end_is_not_taken_for_ever(scene: Scene) -> None:
    endless = [b"data: " + b"x" * 1_000_000] * 60
    scene.says.append(Say([Piece("Hello"), *endless, "hang"]))
    answer = scene.post("chat/completions")

    broke_off("chat/completions", answer.text)
    assert resident_mb(scene.running.pid) < 300


REFUSALS = [
    (refusal(401, f"bad key {THEIRS}"), {502, 401, 500}),
    (refusal(429, "slow down", retry_after="7"), {429}),
    (refusal(500, f"boom {THEIRS}"), {502}),
    (refusal(503, "loading"), {502, 503}),
    (refusal(404, "no such model"), {404, 502}),
    (refusal(400, "context is full"), {400}),
    (Say([b"<html>" + THEIRS.encode()], headers={"content-type": "text/html"}), {502}),
    (Say([b"<html>bad gateway</html>"], status=502, headers={"content-type": "text/html"}), {502}),
    (Say([b"", "cut"]), {502}),
    (Say([b"{}"], headers={"content-type": "application/json"}), {502}),
    (Say(["hang"]), {504, 502}),
]


@paths
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(("say", "statuses"), REFUSALS)
def test_refusal_of_the_upstream_is_told_in_the_clients_words(
    scene: Scene, path: str, stream: bool, say: Say, statuses: set[int]
) -> None:
    scene.says.extend([say] * 8)
    answer = scene.post(path, stream=stream)

    if answer.status_code == 200 and stream:  # it had begun
        broke_off(path, answer.text)
    else:
        assert answer.status_code in statuses, answer.text
        refused(path, answer)
        assert say.status != 429 or float(answer.headers["retry-after"]) > 0


def test_killed_upstream_ends_the_stream(tmp_path: Path) -> None:
    with (
        processes.upstream(tmp_path) as upstream,
        served(tmp_path, upstream.url, "--dialect", "hermes") as running,
    ):
        orders = {"stream": 0, "chunks": 10_000, "pause": 0.01}
        asked = body(PATHS[0]) | {"messages": [{"role": "user", "content": json.dumps(orders)}]}
        url = f"{running.api}/{PATHS[0]}"
        with httpx.stream("POST", url, json=asked, timeout=5) as answer:
            told = answer.iter_text()
            seen = next(text for text in told if "0:" in text)
            upstream.kill()
            seen += "".join(told)

    assert broke_off(PATHS[0], seen)


def test_kept_connection_that_the_upstream_closes_is_no_fault(scene: Scene) -> None:
    scene.says.extend([Say([Piece("fine")])] * 3)
    scene.upstream.leaving = True
    answers = [scene.post(PATHS[0], stream=False) for _ in range(3)]
    scene.upstream.leaving = False

    assert [answer.status_code for answer in answers] == [200] * 3, answers[-1].text

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from agent.errors import ProviderError, RateLimited, Rejected, Stalled, StreamBroken, Unreachable
from agent.providers.secret import Secret
from tests.ui.gateway.app_scene import (
    ASKED,
    PATH,
    STREAMED,
    Scene,
    Telling,
    says,
    serving,
    text_of,
)
from ui.gateway.asked import BadRequest
from ui.gateway.exchange import Run
from ui.gateway.faults import fault_of
from ui.gateway.told import Ended, Pieces

pytestmark = pytest.mark.timeout(30)
SOON_S = 5
KEY = "sk-gateway-key-1"


def hello(*_: object) -> AsyncGenerator[Pieces | Ended, None]:
    return says("Hel", "lo")


def failing(error: Exception, *first: str) -> Run:
    async def run(*_: object) -> AsyncGenerator[Pieces | Ended, None]:
        for text in first:
            yield text_of(text)
        raise error

    return run


def data(text: str) -> list[Any]:
    lines = [line for line in text.splitlines() if line.startswith("data: ")]
    return [json.loads(line[6:]) for line in lines if line != "data: [DONE]"]


def test_app_answers_streamed_and_whole() -> None:
    async def scene() -> None:
        async with serving(hello) as there:
            whole, streamed = await there.post(), await there.post(STREAMED)
            counts = [await there.told(f"tagline_{name}") for name in ("chunks_total",)]
            asked = await there.told('tagline_requests_total{protocol="chat",status="200"}')

        assert whole.json()["choices"][0]["message"]["content"] == "Hello"
        assert streamed.headers["content-type"].startswith("text/event-stream")
        deltas = [event["choices"][0]["delta"].get("content") for event in data(streamed.text)]
        assert deltas == ["", "Hel", "lo", None]
        assert streamed.text.endswith("data: [DONE]\n\n")
        assert (counts, asked) == ([4.0], 2.0)

    asyncio.run(scene())


def test_app_keeps_the_order_of_what_comes_at_once() -> None:
    texts = [f"{number} " for number in range(2500)]

    async def scene() -> str:
        async with serving(lambda *_: says(*texts)) as there:
            return (await there.post(STREAMED)).text

    told = [event["choices"][0]["delta"].get("content") for event in data(asyncio.run(scene()))]
    assert told == ["", *texts, None]


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (BadRequest("no", "x"), 400, "bad_request"),
        (RateLimited("wait", 3), 429, "busy"),
        (Rejected("key sk-1", 401, kind="auth"), 502, "upstream"),
        (Rejected("long", 400, kind="context"), 400, "bad_request"),
        (Rejected("which", 404, kind="not_found"), 404, "not_found"),
        (Rejected("page", 200, kind="not_found"), 502, "upstream"),
        (Rejected("bad", 422), 400, "bad_request"),
        (Rejected("large", 413), 413, "too_large"),
        (Rejected("down", 503, kind="server"), 503, "upstream"),
        (Rejected("down", 500, kind="server"), 502, "upstream"),
        (Rejected("pay", 402, kind="quota"), 502, "upstream"),
        (Unreachable("gone"), 502, "upstream"),
        (Stalled("slow", "idle", 3), 504, "upstream_timeout"),
        (StreamBroken("cut"), 502, "upstream"),
        (ValueError("the prompt"), 500, "ours"),
    ],
)
def test_fault_has_a_status_of_its_own(error: Exception, status: int, kind: str) -> None:
    fault = fault_of(error)

    assert (fault.status, fault.kind) == (status, kind)
    assert (str(error) in fault.message) == (kind != "ours" and status != 502) or status == 502
    assert "sk-1" not in fault.message


def test_app_fails_as_plain_http_before_the_first_word() -> None:
    async def scene() -> None:
        async with serving(failing(RateLimited("wait a little", 2.5))) as there:
            streamed = await there.post(STREAMED)
            foreign = await there.post({**ASKED, "max_tokens": 5}, "/v1/messages")

        assert (streamed.status_code, streamed.headers["retry-after"]) == (429, "3")
        assert streamed.json()["error"]["message"] == "wait a little"
        assert (foreign.status_code, foreign.json()["type"]) == (429, "error")

    asyncio.run(scene())


def test_app_tells_a_fault_in_the_stream_once_it_began() -> None:
    async def scene() -> None:
        async with serving(failing(StreamBroken("cut off"), "Hel")) as there:
            answer, whole = await there.post(STREAMED), await there.post()
            counted = await there.told('tagline_faults_total{kind="upstream"}')

        *_, said, last = data(answer.text)
        assert answer.status_code == 200
        assert said["choices"][0]["delta"] == {"content": "Hel"}
        assert last["error"]["message"] == "cut off"
        assert "[DONE]" not in answer.text
        assert (whole.status_code, counted) == (502, 2.0)

    asyncio.run(scene())


def test_app_says_nothing_of_what_it_did_not_expect(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        async with serving(failing(KeyError("the secret prompt"))) as there:
            answer = await there.post()

        assert answer.status_code == 500
        assert "secret" not in answer.text

    with caplog.at_level(logging.DEBUG):
        asyncio.run(scene())
    assert "unexpected KeyError" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize("first", [(), ("Hel",)])
@pytest.mark.parametrize("body", [ASKED, STREAMED])
def test_app_leaves_the_upstream_when_the_client_leaves(
    body: dict[str, Any], first: tuple[str, ...]
) -> None:
    async def scene() -> None:
        telling = Telling(*first)
        async with serving(telling.run) as there:
            sent = json.dumps(body).encode()
            head = f"POST {PATH} HTTP/1.1\r\nhost: x\r\ncontent-length: {len(sent)}\r\n\r\n"
            with there.connect(head.encode() + sent):
                await asyncio.wait_for(telling.begun.wait(), SOON_S)
                assert not telling.left.is_set()
            await asyncio.wait_for(telling.left.wait(), SOON_S)
            assert there.gateway.places.taken in {0, 1}
            assert (await there.http.get("/health")).status_code == 200
            assert there.gateway.places.taken == 0

    asyncio.run(scene())


def test_app_has_a_bounded_number_of_places() -> None:
    async def scene() -> None:
        telling = Telling()
        async with serving(telling.run, max_streams=1) as there:
            first = asyncio.create_task(there.post())
            await telling.begun.wait()
            refused = await there.post()
            telling.go_on.set()
            answers = [await first, await there.post()]

        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
        assert [answer.status_code for answer in answers] == [200, 200]

    asyncio.run(scene())


def test_app_ends_what_is_open_when_it_closes() -> None:
    async def scene() -> None:
        telling = Telling("Hel")
        async with serving(telling.run) as there:
            streamed = asyncio.create_task(there.post(STREAMED))
            await telling.begun.wait()
            there.gateway.departures.close()
            answer, late = await streamed, await there.post()

        assert telling.left.is_set()
        assert "shutting down" in data(answer.text)[-1]["error"]["message"]
        assert late.status_code == 503

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": f"Bearer {KEY}x"}, 401),
        ({"authorization": KEY}, 401),
        ({"x-api-key": "é"}, 401),
        ({"authorization": f"bearer {KEY}"}, 200),
        ({"x-api-key": KEY}, 200),
    ],
)
def test_app_wants_its_key(headers: dict[str, str], status: int) -> None:
    raw = {name.encode(): value.encode() for name, value in headers.items()}

    async def scene() -> None:
        async with serving(hello, api_key=Secret(KEY), model="m") as there:
            answer = await there.post(headers=raw)
            beside = [
                (await there.http.get(path, headers=raw)).status_code
                for path in ("/v1/models", "/v1/models/m", "/metrics", "/health")
            ]

        assert answer.status_code == status
        assert beside == [status, status, status, 200]
        assert (answer.headers.get("www-authenticate") == "Bearer") == (status == 401)
        assert KEY not in answer.text

    asyncio.run(scene())


async def beside(there: Scene) -> dict[str, Any]:
    paths = ("/v1/models", "/v1/models/m", "/v1/models/other", "/health", "/nothing", PATH)
    return {path: await there.http.get(path) for path in paths}


def test_app_says_what_is_beside_the_protocols() -> None:
    async def scene() -> tuple[dict[str, Any], Any]:
        async with serving(hello, model="m") as named, serving(hello) as unnamed:
            return await beside(named), await unnamed.http.get("/v1/models")

    told, unreachable = asyncio.run(scene())
    assert [one["id"] for one in told["/v1/models"].json()["data"]] == ["m"]
    assert told["/v1/models/m"].json()["id"] == "m"
    assert told["/v1/models/other"].status_code == 404
    assert told["/health"].json() == {"status": "ok", "upstream": "unreachable"}
    assert (told["/nothing"].status_code, told[PATH].status_code) == (404, 405)
    assert "there is nothing at /nothing" in told["/nothing"].json()["error"]["message"]
    assert told[PATH].headers["allow"] == "POST"
    assert unreachable.status_code == 502


def test_fault_of_a_provider_that_is_no_kind_of_its_own_is_the_upstreams() -> None:
    assert fault_of(ProviderError("odd")).status == 502

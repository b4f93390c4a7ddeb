from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.ui.gateway.scripted_answers import Piece, Say, Wait, cut, refusal
from tests.ui.gateway.scripted_upstream import Kind, Script, ScriptedUpstream

BODY: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
pytestmark = pytest.mark.timeout(20)


def chunks(script: Script, **wants: Any) -> list[Any]:
    with ScriptedUpstream(script) as upstream:
        answer = httpx.post(f"{upstream.url}/v1/chat/completions", json=BODY | wants)
    events = [line.removeprefix("data: ") for line in answer.text.split("\n\n") if line]
    assert events.pop() == "[DONE]"
    return [json.loads(event) for event in events]


def test_scripted_upstream_says_each_piece_in_an_event_of_its_own() -> None:
    *said, end, usage = chunks(lambda _: Say(cut("Hello", 2), finish="length", usage=(3, 4)))

    assert [one["choices"][0]["delta"] for one in said] == [
        {"content": "He"}, {"content": "ll"}, {"content": "o"},
    ]  # fmt: skip
    assert end["choices"][0]["finish_reason"] == "length"
    assert (usage["choices"], usage["usage"]["total_tokens"]) == ([], 7)


def test_scripted_upstream_sends_tokens_only_when_they_are_wanted() -> None:
    def script(_: Any) -> Say:
        return Say([Piece("ab", ids=[5, 6])])

    plain, rich = chunks(script)[0], chunks(script, return_token_ids=True, logprobs=True)[0]

    assert set(plain["choices"][0]) == {"index", "delta", "finish_reason"}
    assert rich["choices"][0]["token_ids"] == [5, 6]
    assert len(rich["choices"][0]["logprobs"]["content"]) == 2


@pytest.mark.parametrize("act", ["cut", "reset"])
def test_scripted_upstream_breaks_off(act: Any) -> None:
    said = Say([Piece("a"), act])
    with ScriptedUpstream(lambda _: said) as upstream, pytest.raises(httpx.HTTPError):
        httpx.post(f"{upstream.url}/v1/chat/completions", json=BODY)


def test_scripted_upstream_notices_a_client_that_leaves() -> None:
    with ScriptedUpstream(lambda _: Say([Piece("a"), "hang"])) as upstream:
        with httpx.stream("POST", f"{upstream.url}/v1/chat/completions", json=BODY) as answer:
            assert next(answer.iter_bytes()).startswith(b"data: ")
        assert upstream.requests[0].left.wait(1)


def test_scripted_upstream_keeps_a_connection_and_refuses() -> None:
    said = iter([Say(cut("a", 1)), refusal(429, "slow", retry_after="3"), Say([Wait(0.01)])])
    with ScriptedUpstream(lambda _: next(said)) as upstream, httpx.Client() as client:
        answers = [client.post(f"{upstream.url}/v1/completions", json=BODY) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [200, 429, 200]
    assert answers[1].headers["retry-after"] == "3"
    assert not any(asked.left.is_set() for asked in upstream.requests)


@pytest.mark.parametrize(("kind", "path"), [("vllm", "/version"), ("llamacpp", "/props")])
def test_scripted_upstream_is_known_by_its_telltale(kind: Kind, path: str) -> None:
    with ScriptedUpstream(lambda _: Say(), kind) as told, ScriptedUpstream(lambda _: Say()) as bare:
        assert httpx.get(told.url + path).status_code == 200
        assert httpx.get(bare.url + path).status_code == 404
        assert httpx.get(f"{bare.url}/v1/models").json()["data"][0]["id"] == "scripted"

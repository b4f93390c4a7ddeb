"""A server that answers as the Messages API does, and what its answers must be like."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import httpx2
from anthropic import Anthropic

from agent.providers.base import Usage
from parsing import ArgumentsDelta, CallBegan, CallEnded, Delta, ReasoningDelta, TextDelta
from ui.gateway.asked import Ask
from ui.gateway.client import Fault
from ui.gateway.messages import MESSAGES
from ui.gateway.told import Ended, Pieces, Told

USAGE = Usage(prompt=11, completion=7, reasoning=3, cached=4)
TOLD: Sequence[Sequence[Delta]] = (
    [ReasoningDelta(0, "Hm, "), ReasoningDelta(0, "f.")],
    [TextDelta(1, "I "), TextDelta(1, "call.")],
    [CallBegan(2, "f"), ArgumentsDelta(2, '{"a": "x')],
    [ArgumentsDelta(2, 'y"}'), CallEnded(2), CallBegan(3, "g"), CallEnded(3)],
    [TextDelta(4, "Done 東京\u2028🚀")],
)
CONTENT = [
    {"type": "thinking", "thinking": "Hm, f.", "signature": "tagline"},
    {"type": "text", "text": "I call."},
    {"type": "tool_use", "name": "f", "input": {"a": "xy"}},
    {"type": "tool_use", "name": "g", "input": {}},
    {"type": "text", "text": "Done 東京\u2028🚀"},
]
ASKED: dict[str, Any] = {
    "model": "m",
    "max_tokens": 9,
    "messages": [{"role": "user", "content": "Hi"}],
}


def pieces(deltas: Sequence[Delta]) -> Pieces:
    return [Told(delta) for delta in deltas]


class Play:
    """A server that answers with what is set."""

    def __init__(self) -> None:
        self.chunks: Sequence[Sequence[Delta]] = TOLD
        self.end: Ended | Fault = Ended("stop", USAGE)
        self.sent: list[bytes] = []

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.read())
        assert request.url.path == MESSAGES.path
        ask = MESSAGES.asked(body)
        if isinstance(self.end, Fault) and not ask.stream:
            return httpx2.Response(self.end.status, json=MESSAGES.error(self.end))
        if ask.stream:
            self.sent = self._events(ask)
            return httpx2.Response(
                200, headers={"content-type": "text/event-stream"}, content=b"".join(self.sent)
            )
        assert isinstance(self.end, Ended)
        everything = pieces([delta for chunk in self.chunks for delta in chunk])
        return httpx2.Response(200, json=MESSAGES.answer(ask).whole(everything, self.end))

    def _events(self, ask: Ask) -> list[bytes]:
        answer = MESSAGES.answer(ask)
        sent = [answer.begin(), *(answer.told(pieces(chunk)) for chunk in self.chunks)]
        ends = answer.failed if isinstance(self.end, Fault) else answer.ended
        return [*sent, ends(self.end)]  # type: ignore[arg-type]  # each takes its own kind of end

    def client(self) -> Anthropic:
        transport = httpx2.MockTransport(self.answer)
        return Anthropic(
            api_key="none",
            base_url="http://gateway",
            max_retries=0,
            http_client=httpx2.Client(transport=transport),
        )


def said(message: Any) -> dict[str, Any]:
    told: dict[str, Any] = message.model_dump(exclude_none=True, exclude={"id"}, warnings=False)
    for block in told["content"]:
        if block["type"] == "tool_use":
            assert block.pop("id").startswith("toolu_")
    return told


def events(sent: Sequence[bytes]) -> list[dict[str, Any]]:
    found = []
    for one in b"".join(sent).decode("ascii").split("\n\n")[:-1]:
        name, data = one.split("\n")
        told = json.loads(data.removeprefix("data: "))
        assert name == f"event: {told['type']}"
        found.append(told)
    return found


def assert_in_order(found: Sequence[dict[str, Any]]) -> None:
    kinds = {
        "text": {"text_delta"},
        "thinking": {"thinking_delta", "signature_delta"},
        "tool_use": {"input_json_delta"},
    }
    assert [found[0]["type"], found[-2]["type"], found[-1]["type"]] == [
        *("message_start", "message_delta", "message_stop")
    ]
    place, kind, last = -1, "", ""
    for event in found[1:-2]:
        match event["type"]:
            case "content_block_start":
                assert not kind
                place, kind, last = place + 1, event["content_block"]["type"], "start"
            case "content_block_delta":
                last = event["delta"]["type"]
                assert last in kinds[kind]
            case _:
                assert event["type"] == "content_block_stop"
                assert last != "start" or kind == "tool_use"
                assert kind != "thinking" or last == "signature_delta"
                kind = ""
        assert event["index"] == place
    assert not kind

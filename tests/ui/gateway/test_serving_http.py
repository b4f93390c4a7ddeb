from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from parsing import UnknownDialect, dialect
from parsing.request import request_options
from tests.parsing.cases import CORPUS
from tests.ui.gateway.gateway_process import Running, gateway
from tests.ui.gateway.scripted_answers import Piece, Say
from tests.ui.gateway.scripted_upstream import ScriptedUpstream

Row = Mapping[str, Any]
pytestmark = pytest.mark.timeout(30)


def known(row: Row) -> bool:
    try:
        dialect(row["dialect"] or "none")
    except UnknownDialect:
        return False
    return True


ROWS: Mapping[str, Row] = {
    row["id"]: row
    for row in map(json.loads, (CORPUS / "serving.jsonl").read_text("utf-8").splitlines())
    if known(row)
}
rows = pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))


class Gateways:
    """Gateways to one server that says a row's chunks; one for each manner of starting."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self.client = stack.enter_context(httpx.Client())
        upstream = ScriptedUpstream(lambda body: said(ROWS[body["model"]]), "vllm")
        self._upstream = stack.enter_context(upstream)
        self._running: dict[tuple[str, bool], Running] = {}

    def of(self, row: Row) -> Running:
        """Give the gateway whose settings are what the row says of its server."""
        asked = row["options"]
        reasoning = "default" if asked.get("reasoning") is True else asked.get("reasoning")
        starts = request_options(reasoning=reasoning, thinking=asked.get("thinking"))
        key = (row["dialect"] or "none", bool(starts.starts_in_reasoning))
        if key not in self._running:
            made = gateway(self._upstream.url, dialect=key[0], reasoning=key[1])
            self._running[key] = self._stack.enter_context(made)
        return self._running[key]


@pytest.fixture(scope="module")
def gateways() -> Iterator[Gateways]:
    with ExitStack() as stack:
        yield Gateways(stack)


def said(row: Row) -> Say:
    return Say([Piece(chunk) for chunk in row["chunks"]])


def request(row: Row, *, stream: bool) -> dict[str, Any]:
    asked = row["options"]
    body: dict[str, Any] = {
        "model": row["id"],
        "messages": [{"role": "user", "content": "Go."}],
        "tools": [{"type": "function", "function": tool} for tool in row["tools"]],
        "stream": stream,
    }
    if "tool_choice" in asked:
        body["tool_choice"] = asked["tool_choice"]
    if asked.get("thinking") is not None:
        body["chat_template_kwargs"] = {"enable_thinking": asked["thinking"]}
    return body


def result(message: Mapping[str, Any]) -> dict[str, Any]:
    calls = [
        {key: call["function"][key] for key in ("name", "arguments")}
        for call in message.get("tool_calls") or ()
    ]
    reasoning = message.get("reasoning_content") or ""
    return {"content": message.get("content") or "", "reasoning": reasoning, "calls": calls}


def merged(events: list[Any]) -> dict[str, Any]:
    """Add up the deltas of a stream as its clients do."""
    told: dict[str, Any] = {"content": "", "reasoning_content": "", "tool_calls": []}
    deltas = [choice["delta"] for event in events for choice in event["choices"]]
    for delta in deltas:
        for key in ("content", "reasoning_content"):
            told[key] += delta.get(key) or ""
    for call in (call for delta in deltas for call in delta.get("tool_calls") or ()):
        if call["index"] == len(told["tool_calls"]):
            assert call["id"]
            told["tool_calls"].append({"function": {"name": "", "arguments": ""}})
        for key, text in call["function"].items():
            told["tool_calls"][call["index"]]["function"][key] += text or ""
    return told


@rows
def test_serving_row_is_answered_whole(row: Row, gateways: Gateways) -> None:
    url = f"{gateways.of(row).api}/chat/completions"
    answer = gateways.client.post(url, json=request(row, stream=False))
    (choice,) = answer.json()["choices"]

    assert result(choice["message"]) == row["expected"]
    assert choice["finish_reason"] == ("tool_calls" if row["expected"]["calls"] else "stop")


@rows
def test_serving_row_is_streamed(row: Row, gateways: Gateways) -> None:
    url = f"{gateways.of(row).api}/chat/completions"
    answer = gateways.client.post(url, json=request(row, stream=True))
    events = [line.removeprefix("data: ") for line in answer.text.split("\n\n") if line]
    assert events.pop() == "[DONE]"

    assert result(merged(list(map(json.loads, events)))) == row["expected"]

"""Two wires with native calls for tests: what a server says, and what it was asked, as pairs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agent.providers.base import Message
from tests.agent.providers.fake_server import Act, Reply, delta, stream


@dataclass(frozen=True, slots=True)
class Called:
    """A native call; its arguments go out in pieces of `size` characters."""

    id: str
    name: str
    arguments: str
    size: int = 9

    @property
    def pieces(self) -> list[str]:
        text = self.arguments
        return [text[at : at + self.size] for at in range(0, len(text), self.size)]


def call(id: str, name: str, **arguments: object) -> Called:  # noqa: A002 - the wire's word
    return Called(id, name, json.dumps(arguments))


DONE = call("done", "attempt_completion", result="All done.")


class Wire(Protocol):
    """How one kind of server says a message, and how it is asked."""

    kind: str

    def reply(self, text: str, *calls: Called, finish: str = "", end: Act | None = None) -> Reply:
        """Make an answer; with `end` it stops before its finish."""
        ...

    def turns(self, body: Any) -> list[tuple[str, list[str], list[tuple[str, str]]]]:
        """Give the messages: role, ids of calls, ids and texts of results; results must pair."""
        ...

    def tools(self, body: Any) -> list[str]: ...


class OpenAI:
    kind = "openai"

    def reply(self, text: str, *calls: Called, finish: str = "", end: Act | None = None) -> Reply:
        told: list[Any] = [delta(role="assistant", content=text)]
        for index, each in enumerate(calls):
            function = {"name": each.name, "arguments": ""}
            told.append(delta(tool_calls=[{"index": index, "id": each.id, "function": function}]))
            told += [
                delta(tool_calls=[{"index": index, "function": {"arguments": piece}}])
                for piece in each.pieces
            ]
        if end is not None:
            return Reply([*stream(*told, done=False).pieces, end])
        return stream(*told, delta(finish or ("tool_calls" if calls else "stop")))

    def turns(self, body: Any) -> list[tuple[str, list[str], list[tuple[str, str]]]]:
        told: list[tuple[str, list[str], list[tuple[str, str]]]] = []
        for message in body["messages"]:
            if message["role"] == "tool":
                if told[-1][0] != "tool":
                    told.append(("tool", [], []))
                told[-1][2].append((message["tool_call_id"], message["content"]))
                continue
            calls = message.get("tool_calls", [])
            assert all(isinstance(json.loads(c["function"]["arguments"]), dict) for c in calls)
            told.append((message["role"], [c["id"] for c in calls], []))
        return told

    def tools(self, body: Any) -> list[str]:
        assert body["tool_choice"] == "auto"
        return [tool["function"]["name"] for tool in body["tools"]]


class Anthropic:
    kind = "anthropic"

    def reply(self, text: str, *calls: Called, finish: str = "", end: Act | None = None) -> Reply:
        pieces: list[bytes | Act] = [_event(each) for each in self._told(text, calls)]
        if end is not None:
            return Reply([*pieces, end])
        reason = {"length": "max_tokens"}.get(finish, "tool_use" if calls else "end_turn")
        last = {"type": "message_delta", "delta": {"stop_reason": reason}}
        return Reply([*pieces, _event(last), _event({"type": "message_stop"})])

    def _told(self, text: str, calls: Sequence[Called]) -> Iterator[dict[str, Any]]:
        blocks: list[tuple[dict[str, Any], str, str, list[str]]] = []
        if text:
            blocks.append(({"type": "text", "text": ""}, "text_delta", "text", [text]))
        for each in calls:
            block = {"type": "tool_use", "id": each.id, "name": each.name, "input": {}}
            blocks.append((block, "input_json_delta", "partial_json", each.pieces))
        for index, (block, kind, field, pieces) in enumerate(blocks):
            yield {"type": "content_block_start", "index": index, "content_block": block}
            for piece in pieces:
                more = {"type": kind, field: piece}
                yield {"type": "content_block_delta", "index": index, "delta": more}
            yield {"type": "content_block_stop", "index": index}

    def turns(self, body: Any) -> list[tuple[str, list[str], list[tuple[str, str]]]]:
        told: list[tuple[str, list[str], list[tuple[str, str]]]] = [("system", [], [])]
        for message in body["messages"]:
            uses = [b for b in message["content"] if b["type"] == "tool_use"]
            results = [b for b in message["content"] if b["type"] == "tool_result"]
            assert message["content"][: len(results)] == results
            assert all(isinstance(use["input"], dict) for use in uses)
            if results:
                pairs = [(r["tool_use_id"], r["content"]) for r in results]
                told.append(("tool", [], pairs))
            if len(results) < len(message["content"]):
                told.append((message["role"], [use["id"] for use in uses], []))
        return told

    def tools(self, body: Any) -> list[str]:
        assert body["tool_choice"] == {"type": "auto"}
        return [tool["name"] for tool in body["tools"]]


WIRES: tuple[Wire, ...] = (OpenAI(), Anthropic())


def _event(told: dict[str, Any]) -> bytes:
    return f"event: {told['type']}\ndata: {json.dumps(told)}\n\n".encode()


def paired(messages: Sequence[Message]) -> bool:
    """Say whether each native call has its one result in the message after it, and no other."""
    asked: list[str] = []
    for message in messages:
        if [result.call_id for result in message.results] != asked:
            return False
        asked = [call.id for call in message.calls]
        if len(set(asked)) != len(asked):
            return False
    return not asked


def paired_on_the_wire(wire: Wire, body: Any) -> bool:
    """Say the same of what was sent."""
    asked: list[str] = []
    for role, calls, results in wire.turns(body):
        if [call_id for call_id, _ in results] != asked or (asked and role != "tool"):
            return False
        asked = calls
    return not asked

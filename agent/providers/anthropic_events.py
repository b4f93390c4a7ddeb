"""What one event of a Messages stream tells.

A thinking block goes back as it came, signature and all, or not at all: the server checks it.
https://docs.anthropic.com/en/api/messages-streaming
"""

import json
from collections.abc import Iterator
from typing import Any

from agent.errors import StreamBroken
from agent.providers.base import (
    Attachment,
    CallPiece,
    Finished,
    JsonObject,
    ReasoningPiece,
    StreamItem,
    TextPiece,
    Usage,
)
from agent.providers.jsons import as_array, as_count, as_object, as_word, is_object
from agent.providers.refusals import Place, broken_off
from agent.providers.sse import SentEvent
from agent.providers.wire import payload

OURS = "anthropic"
_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "pause_turn": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}


class Events:
    """A reader of events; keeps the open blocks until they close."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._blocks: dict[int, dict[str, Any]] = {}
        self._calls: dict[int, int] = {}
        self._counts: dict[str, int] = {}
        self._reason: str | None = None
        self.done = False

    @property
    def finished(self) -> bool:
        return self._reason is not None

    def read(self, event: SentEvent) -> Iterator[StreamItem]:
        told = payload(event, self._place) or {}
        if told.get("error") or event.name == "error":
            raise broken_off(told, self._place)
        match told:
            case {"type": "message", "content": content}:
                yield from self._whole(as_array(content), told)
            case {"type": "message_start", "message": message}:
                yield from self._usage(as_object(message).get("usage"))
            case {"type": "content_block_start", "index": int(index), "content_block": block}:
                self._blocks[index] = dict(as_object(block))
                yield from self._started(index, as_object(block))
            case {"type": "content_block_delta", "index": int(index), "delta": delta}:
                yield from self._delta(index, as_object(delta))
            case {"type": "content_block_stop", "index": int(index)}:
                yield from self._closed(self._blocks.pop(index, {}))
            case {"type": "message_delta"}:
                self._ended(as_object(told.get("delta")).get("stop_reason"))
                yield from self._usage(told.get("usage"))
            case {"type": "message_stop"}:
                self.done = True
            case _:  # ping, and whatever comes to be: new events are to be passed over
                pass

    def end(self) -> Iterator[StreamItem]:
        reason = self._reason or ("stop" if self.done else None)
        if reason is None:
            raise StreamBroken(
                f"The answer of {self._place.url} ended early: no stop reason and no message_stop."
            )
        yield Finished(reason)

    def _whole(self, content: list[Any], told: JsonObject) -> Iterator[StreamItem]:
        """Read an answer that was not streamed."""
        for index, block in enumerate(map(as_object, content)):
            yield from self._started(index, block)
            if index in self._calls:
                spelled = json.dumps(block.get("input"))
                yield CallPiece(self._calls[index], None, None, spelled)
            yield from self._closed(block)
        self._ended(told.get("stop_reason"))
        self.done = True
        yield from self._usage(told.get("usage"))

    def _ended(self, reason: object) -> None:
        if word := as_word(reason):
            self._reason = _REASONS.get(word, word)

    def _started(self, index: int, block: JsonObject) -> Iterator[StreamItem]:
        match block:
            case {"type": "text", "text": str(text)} if text:
                yield TextPiece(text)
            case {"type": "thinking", "thinking": str(text)} if text:
                yield ReasoningPiece(text)
            case {"type": "tool_use"}:
                number = self._calls.setdefault(index, len(self._calls))
                yield CallPiece(number, as_word(block.get("id")), as_word(block.get("name")), "")
            case _:
                pass

    def _delta(self, index: int, delta: JsonObject) -> Iterator[StreamItem]:
        block = self._blocks.setdefault(index, {})
        match delta:
            case {"type": "text_delta", "text": str(text)} if text:
                yield TextPiece(text)
            case {"type": "thinking_delta", "thinking": str(text)}:
                block["thinking"] = block.get("thinking", "") + text
                if text:
                    yield ReasoningPiece(text)
            case {"type": "signature_delta", "signature": str(signature)}:
                block["signature"] = block.get("signature", "") + signature
            case {"type": "input_json_delta", "partial_json": str(text)}:
                yield CallPiece(self._calls.setdefault(index, len(self._calls)), None, None, text)
            case _:
                pass

    def _closed(self, block: JsonObject) -> Iterator[StreamItem]:
        match block:
            case {"type": "thinking", "signature": str(signature)} if signature:
                yield Attachment({"provider": OURS, "block": block})
            case {"type": "redacted_thinking"}:
                yield Attachment({"provider": OURS, "block": block})
            case _:
                pass

    def _usage(self, usage: Any) -> Iterator[StreamItem]:
        """Tell the counts so far; those of message_delta are cumulative."""
        if not is_object(usage):
            return
        told = ((name, as_count(count)) for name, count in usage.items())
        self._counts |= {name: count for name, count in told if count is not None}
        counts = self._counts
        cached = counts.get("cache_read_input_tokens")
        written = counts.get("cache_creation_input_tokens", 0)
        prompt = counts.get("input_tokens")
        yield Usage(
            prompt=None if prompt is None else prompt + (cached or 0) + written,
            completion=counts.get("output_tokens"),
            cached=cached,
        )

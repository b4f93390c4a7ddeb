"""An answer as the Messages API tells it, streamed or whole.

Law: what the official client gathers from the stream is what the whole answer says.
https://docs.anthropic.com/en/api/messages-streaming
"""

from __future__ import annotations

from typing import Any

from nanoid import generate

from agent.providers.base import JsonObject, Usage
from ui.gateway.asked import Ask
from ui.gateway.client import Fault
from ui.gateway.messages.asked import VEILED
from ui.gateway.messages.blocks import Blocks, EventSheet, WholeSheet, event
from ui.gateway.messages.errors import error
from ui.gateway.told import Ended, Pieces

_STOPS = {"tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}
_NO_END = {"stop_reason": None, "stop_sequence": None}


class MessagesAnswer:
    """Writes one answer."""

    def __init__(self, ask: Ask) -> None:
        self._id = f"msg_{generate()}"
        self._model = ask.model
        self._stops = frozenset[str](ask.sampling.get("stop", ()))
        self._veiled = ask.echo.get(VEILED) is True
        self._sheet = EventSheet()
        self._blocks = Blocks(self._sheet, veiled=self._veiled)

    def begin(self) -> bytes:
        """Write the message's head; nothing is known of its tokens yet."""
        usage = {"input_tokens": 0, "output_tokens": 0}
        return event("message_start", {"message": self._message([], _NO_END, usage)})

    def told(self, pieces: Pieces) -> bytes:
        """Write the events of what one chunk gave."""
        take = self._blocks.take
        for piece in pieces:
            if piece.delta is not None:
                take(piece.delta)
        return self._sheet.given()

    def ended(self, end: Ended) -> bytes:
        """Close the open block, and write why the answer ended and what it took."""
        self._blocks.close()
        told = event("message_delta", {"delta": self._end(end), "usage": _usage(end.usage)})
        return self._sheet.given() + told + event("message_stop", {})

    def failed(self, fault: Fault) -> bytes:
        """Write that the answer breaks off here."""
        return event("error", error(fault))

    def whole(self, pieces: Pieces, end: Ended) -> JsonObject:
        """Give the message."""
        sheet = WholeSheet()
        blocks = Blocks(sheet, veiled=self._veiled)
        for piece in pieces:
            if piece.delta is not None:
                blocks.take(piece.delta)
        blocks.close()
        usage = {"input_tokens": 0, **_usage(end.usage)}
        return self._message(sheet.content, self._end(end), usage)

    def _message(
        self, content: list[dict[str, Any]], end: JsonObject, usage: JsonObject
    ) -> JsonObject:
        return {
            "id": self._id,
            "type": "message",
            "role": "assistant",
            "model": self._model,
            "content": content,
            **end,
            "usage": usage,
        }

    def _end(self, end: Ended) -> JsonObject:
        """Say why it ended: Anthropic's list is closed, and a word not known is a plain end."""
        if end.finish == "stop" and end.stop in self._stops:
            return {"stop_reason": "stop_sequence", "stop_sequence": end.stop}
        return {**_NO_END, "stop_reason": _STOPS.get(end.finish, "end_turn")}


def _usage(usage: Usage | None) -> JsonObject:
    """Write the tokens; of the input, those from the cache are counted apart."""
    if usage is None:
        return {"output_tokens": 0}
    made: dict[str, Any] = {"output_tokens": usage.completion or 0}
    if usage.prompt is not None:
        made["input_tokens"] = max(usage.prompt - (usage.cached or 0), 0)
    if usage.cached is not None:
        made["cache_read_input_tokens"] = usage.cached
    if usage.reasoning is not None:
        made["output_tokens_details"] = {"thinking_tokens": usage.reasoning}
    return made

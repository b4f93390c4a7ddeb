"""An answer as the Responses API tells it, streamed or whole.

Law: the whole answer is the one that the stream's last event holds.
https://platform.openai.com/docs/api-reference/responses-streaming
"""

from __future__ import annotations

import time
from typing import Any, Literal

from nanoid import generate

from agent.providers.base import JsonObject, Usage
from parsing import ArgumentsDelta, CallBegan, CallEnded, Delta, ReasoningDelta, TextDelta
from ui.gateway.asked import Ask
from ui.gateway.client import Fault, FaultKind
from ui.gateway.responses.events import Events
from ui.gateway.responses.items import FunctionCall, Message, Reasoning
from ui.gateway.responses.logprobs import Logprobs
from ui.gateway.told import Ended, Pieces

Status = Literal["in_progress", "completed", "incomplete", "failed"]

_REASONS = {"length": "max_output_tokens", "content_filter": "content_filter"}
_CODES: dict[FaultKind, str] = {  # OpenAI's list is closed, and these are all that is in it of ours
    "bad_request": "invalid_prompt",
    "busy": "rate_limit_exceeded",
}
_BROKEN_OFF = ("abort", "cancelled", "error")  # servers' words for an answer that is no whole one


class ResponsesAnswer:
    """Writes one answer.  An item is open until the next begins; a call, until it is ended."""

    def __init__(self, ask: Ask) -> None:
        self._head: JsonObject = {
            "id": f"resp_{generate()}",
            "object": "response",
            "created_at": int(time.time()),
        }
        self._model = ask.model
        self._echo = ask.echo
        self._logprobs = Logprobs() if ask.sampling.get("logprobs") else None
        self._events = Events()
        self._output: list[JsonObject] = []
        self._open: Message | Reasoning | FunctionCall | None = None
        self._block = -1  # the open item's

    def begin(self) -> bytes:
        """Write that the response was made and is worked on."""
        response = self._response("in_progress")
        self._events.tell("response.created", {"response": response})
        self._events.tell("response.in_progress", {"response": response})
        return self._events.given()

    def told(self, pieces: Pieces) -> bytes:
        """Write the events of what one chunk gave."""
        self._take(pieces)
        return self._events.given()

    def ended(self, end: Ended) -> bytes:
        """Close the open item, and write the whole response."""
        response = self._end(end)
        self._events.tell(f"response.{response['status']}", {"response": response})
        return self._events.given()

    def failed(self, fault: Fault) -> bytes:
        """Write why, and the response as far as it came."""
        self._close(complete=False)
        code, param = _CODES.get(fault.kind, "server_error"), fault.param or None
        said = {"code": code, "message": fault.message, "param": param}
        self._events.tell("error", said)
        reason = {"code": code, "message": fault.message}
        self._events.tell("response.failed", {"response": self._response("failed", error=reason)})
        return self._events.given()

    def whole(self, pieces: Pieces, end: Ended) -> JsonObject:
        """Give the response."""
        self._take(pieces)
        return self._end(end)

    def _take(self, pieces: Pieces) -> None:
        if self._logprobs is not None:
            for delta, logprobs in self._logprobs.placed(pieces):
                self._add(delta, logprobs)
            return
        for piece in pieces:
            if piece.delta is not None:
                self._add(piece.delta, [])

    def _add(self, delta: Delta, logprobs: list[Any]) -> None:
        match delta:
            case TextDelta():
                message = self._open if self._block == delta.index else None
                if not isinstance(message, Message):
                    message = Message(self._events, self._next())
                    self._open, self._block = message, delta.index
                message.grow(delta.text, logprobs)
            case ReasoningDelta():
                reasoning = self._open if self._block == delta.index else None
                if not isinstance(reasoning, Reasoning):
                    reasoning = Reasoning(self._events, self._next())
                    self._open, self._block = reasoning, delta.index
                reasoning.grow(delta.text)
            case CallBegan():
                self._open = FunctionCall(self._events, self._next(), delta.name)
                self._block = delta.index
            case ArgumentsDelta():
                if isinstance(self._open, FunctionCall) and self._block == delta.index:
                    self._open.grow(delta.text)
            case CallEnded():
                if self._block == delta.index:
                    self._close(complete=True)

    def _next(self) -> int:
        """Close what is open, and give the place of the item that comes next."""
        self._close(complete=not isinstance(self._open, FunctionCall))
        return len(self._output)

    def _close(self, *, complete: bool) -> None:
        if self._open is not None:
            self._output.append(self._open.close(complete=complete))
            self._open = None

    def _end(self, end: Ended) -> JsonObject:
        reason = _REASONS.get(end.finish)
        complete = reason is None and end.finish not in _BROKEN_OFF
        self._close(complete=complete and not isinstance(self._open, FunctionCall))
        status: Status = "completed" if complete else "incomplete"
        why = {"reason": reason} if reason else None
        return self._response(status, incomplete_details=why, usage=_usage(end.usage))

    def _response(
        self,
        status: Status,
        *,
        error: JsonObject | None = None,
        incomplete_details: JsonObject | None = None,
        usage: JsonObject | None = None,
    ) -> JsonObject:
        return {
            **self._head,
            "completed_at": int(time.time()) if status == "completed" else None,
            "status": status,
            "background": False,
            "error": error,
            "incomplete_details": incomplete_details,
            "model": self._model,
            "output": list(self._output),
            "previous_response_id": None,
            "store": False,
            **self._echo,
            "usage": usage,
        }


def _usage(usage: Usage | None) -> JsonObject | None:
    if usage is None:
        return None
    prompt, completion = usage.prompt or 0, usage.completion or 0
    return {
        "input_tokens": prompt,
        "input_tokens_details": {"cache_write_tokens": 0, "cached_tokens": usage.cached or 0},
        "output_tokens": completion,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning or 0},
        "total_tokens": prompt + completion,
    }

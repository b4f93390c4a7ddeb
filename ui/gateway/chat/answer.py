"""A Chat Completions answer: chunks as server-sent events, or one body.

A chunk is written around its delta from text made once: of each delta only its text is encoded.
"""

from __future__ import annotations

import json
import time
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

from nanoid import generate

from agent.providers.base import JsonObject
from parsing import ArgumentsDelta, CallBegan, Delta, ReasoningDelta, TextDelta
from ui.gateway.asked import Ask
from ui.gateway.chat.errors import error
from ui.gateway.chat.message import call_told, usage_told, whole_choice
from ui.gateway.client import Fault
from ui.gateway.told import Ended, Pieces, Tokens

_WRITER = json.JSONEncoder(separators=(",", ":"))
_DONE = b"data: [DONE]\n\n"


class ChatAnswer:
    """Writes one answer."""

    def __init__(self, ask: Ask) -> None:
        self._id = f"chatcmpl-{generate()}"
        self._created = int(time.time())
        self._model = ask.model
        self._usage_wanted = ask.usage_wanted
        self._ids = ask.token_ids
        self._logprobs = bool(ask.sampling.get("logprobs"))
        about = _WRITER.encode({"id": self._id, "object": "chat.completion.chunk", **self._about()})
        self._head = f"data: {about[:-1]},"
        self._before = f'{self._head}"choices":[{{"index":0,"delta":'
        usage = ',"usage":null' if self._usage_wanted else ""
        self._closing = f"]{usage}}}\n\n"
        self._after = f',"logprobs":null,"finish_reason":null}}{self._closing}'
        self._calls: dict[int, int] = {}  # block → number of the call

    def _about(self) -> dict[str, Any]:
        return {"created": self._created, "model": self._model}

    def begin(self) -> bytes:
        return self._chunk('{"role":"assistant","content":""}')

    def told(self, pieces: Pieces) -> bytes:
        deltas: list[str] = []
        tokens: Tokens | None = None
        for piece in pieces:
            if piece.delta is not None and (written := self._delta(piece.delta)) is not None:
                deltas.append(written)
            tokens = piece.tokens or tokens
        after = self._with_tokens(tokens) if tokens is not None else None
        if after is None:
            return b"".join(map(self._chunk, deltas))
        last = deltas.pop() if deltas else "{}"
        said = f"{self._before}{last}{after}".encode()
        return b"".join([*map(self._chunk, deltas), said])

    def ended(self, end: Ended) -> bytes:
        finish = f',"logprobs":null,"finish_reason":{quoted(end.finish)}}}{self._closing}'
        said = [f"{self._before}{{}}{finish}".encode()]
        if self._usage_wanted and end.usage is not None:
            usage = _WRITER.encode(usage_told(end.usage))
            said.append(f'{self._head}"choices":[],"usage":{usage}}}\n\n'.encode())
        return b"".join([*said, _DONE])

    def failed(self, fault: Fault) -> bytes:
        return f"data: {_WRITER.encode(error(fault))}\n\n".encode()

    def whole(self, pieces: Pieces, end: Ended) -> JsonObject:
        choice = whole_choice(pieces, end, ids=self._ids, logprobs=self._logprobs)
        made = {"id": self._id, "object": "chat.completion", **self._about(), "choices": [choice]}
        return made if end.usage is None else {**made, "usage": usage_told(end.usage)}

    def _chunk(self, delta: str) -> bytes:
        return f"{self._before}{delta}{self._after}".encode()

    def _delta(self, delta: Delta) -> str | None:
        match delta:
            case TextDelta(text=text):
                return f'{{"content":{quoted(text)}}}'
            case ArgumentsDelta(index=index, text=text):
                told = f'{{"index":{self._calls[index]},"function":{{"arguments":{quoted(text)}'
                return f'{{"tool_calls":[{told}}}}}]}}'
            case ReasoningDelta(text=text):
                return f'{{"reasoning_content":{quoted(text)}}}'
            case CallBegan(index=index, name=name):
                number = self._calls.setdefault(index, len(self._calls))
                call = {"index": number, **call_told(name, "")}
                return _WRITER.encode({"tool_calls": [call]})
            case _:
                return None

    def _with_tokens(self, tokens: Tokens) -> str | None:
        """Write what comes after a delta with tokens; None when none of them are wanted."""
        logprobs = tokens.logprobs if self._logprobs else None
        ids = tokens.ids if self._ids else None
        if logprobs is None and ids is None:
            return None
        told = (
            "null" if logprobs is None else _WRITER.encode({"content": logprobs, "refusal": None})
        )
        numbers = "" if ids is None else f',"token_ids":{_WRITER.encode(ids)}'
        return f',"logprobs":{told},"finish_reason":null{numbers}}}{self._closing}'

"""From deltas to content blocks: what opens one, what adds to it, and what closes it.

Law: one block is open at a time, and none is empty but a call's.  Streamed and whole answers are
written by the same reading of the same deltas; only the sheet differs.
"""

from __future__ import annotations

import json
from json.encoder import encode_basestring_ascii as string
from typing import Any, Protocol

from nanoid import generate

from agent.providers.base import JsonObject
from parsing import ArgumentsDelta, CallBegan, Delta, ReasoningDelta, TextDelta
from ui.gateway.messages.arguments import Arguments

SIGNATURE = "tagline"
"""What every thinking block is signed with: it is kept, and nobody checks it."""

_MEMBERS = {"text": "text", "thinking": "thinking", "tool_use": "partial_json"}
_DELTAS = {"text": "text_delta", "thinking": "thinking_delta", "tool_use": "input_json_delta"}


def event(name: str, data: JsonObject) -> bytes:
    """Write one server-sent event; its data says its name as well."""
    told = json.dumps({"type": name, **data}, separators=(",", ":"))
    return f"event: {name}\ndata: {told}\n\n".encode("ascii")


def sound(text: str) -> str:
    """Replace halves of surrogate pairs, which no client can read."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class Sheet(Protocol):
    """What an answer's blocks are written on."""

    def start(self, kind: str, call_id: str = "", name: str = "") -> None: ...
    def grow(self, text: str) -> None:
        """Add to the open block; never called with an empty text."""
        ...

    def stop(self) -> None: ...


class EventSheet:
    """Blocks as events."""

    def __init__(self) -> None:
        self._out: list[bytes] = []
        self._place = -1
        self._kind: str = ""
        self._head = ""

    def given(self) -> bytes:
        """Give what was written since the last time."""
        given = b"".join(self._out)
        self._out.clear()
        return given

    def start(self, kind: str, call_id: str = "", name: str = "") -> None:
        self._place += 1
        self._kind = kind
        block = _begun(kind, call_id, name)
        self._out.append(
            event("content_block_start", {"index": self._place, "content_block": block})
        )
        self._head = (
            "event: content_block_delta\n"
            f'data: {{"type":"content_block_delta","index":{self._place},'
            f'"delta":{{"type":"{_DELTAS[kind]}","{_MEMBERS[kind]}":'
        )

    def grow(self, text: str) -> None:
        if not text.isascii():
            text = sound(text)
        self._out.append(f"{self._head}{string(text)}}}}}\n\n".encode("ascii"))

    def stop(self) -> None:
        if self._kind == "thinking":
            signed = {"type": "signature_delta", "signature": SIGNATURE}
            self._out.append(event("content_block_delta", {"index": self._place, "delta": signed}))
        self._out.append(event("content_block_stop", {"index": self._place}))


class WholeSheet:
    """Blocks as the content of a message."""

    def __init__(self) -> None:
        self.content: list[dict[str, Any]] = []
        self._parts: list[str] = []

    def start(self, kind: str, call_id: str = "", name: str = "") -> None:
        self.content.append(_begun(kind, call_id, name))

    def grow(self, text: str) -> None:
        self._parts.append(sound(text))

    def stop(self) -> None:
        block, said = self.content[-1], "".join(self._parts)
        self._parts.clear()
        if block["type"] == "tool_use":
            block["input"] = json.loads(said) if said else {}
            return
        block[block["type"]] = said
        if block["type"] == "thinking":
            block["signature"] = SIGNATURE


def _begun(kind: str, call_id: str, name: str) -> dict[str, Any]:
    if kind == "tool_use":
        return {"type": kind, "id": call_id, "name": sound(name), "input": {}}
    if kind == "thinking":
        return {"type": kind, "thinking": "", "signature": ""}
    return {"type": kind, "text": ""}


class Blocks:
    """The blocks of one answer; `veiled` thinking is signed, and its text is left out."""

    def __init__(self, sheet: Sheet, *, veiled: bool = False) -> None:
        self._sheet, self._veiled = sheet, veiled
        self._at = -1  # the open block, as `parsing` numbers it
        self._kind: str = ""
        self._call: Arguments | None = None

    def take(self, delta: Delta) -> None:
        """Write what a delta says."""
        if isinstance(delta, TextDelta):
            self._say("text", delta.index, delta.text)
        elif isinstance(delta, ArgumentsDelta):
            if delta.index == self._at and self._call and (told := self._call.take(delta.text)):
                self._sheet.grow(told)
        elif isinstance(delta, ReasoningDelta):
            self._say("thinking", delta.index, delta.text)
        elif isinstance(delta, CallBegan):
            self.close()
            self._at, self._kind, self._call = delta.index, "tool_use", Arguments()
            self._sheet.start("tool_use", f"toolu_{generate()}", delta.name)
        elif delta.index == self._at and self._call:
            self.close(ended=True)

    def close(self, *, ended: bool = False) -> None:
        """Close the open block, if one is; a call that was not `ended` was cut off."""
        if not self._kind:
            return
        if self._call and (told := self._call.end(closed=ended)):
            self._sheet.grow(told)
        self._sheet.stop()
        self._at, self._kind, self._call = -1, "", None

    def _say(self, kind: str, index: int, text: str) -> None:
        if not text:
            return
        if index != self._at:
            self.close()
            self._at, self._kind = index, kind
            self._sheet.start(kind)
        if not self._veiled or kind == "text":
            self._sheet.grow(text)

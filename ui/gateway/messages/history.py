"""The conversation of a Messages request, as messages that any upstream can be told.

Law: nothing that a model would have to see is left out: a block that cannot be passed on is
refused.  Signatures and redacted thinking are for Anthropic's eyes only, and are dropped.
"""

from __future__ import annotations

from typing import Any

from agent.providers.base import JsonObject
from ui.gateway.asked import BadRequest, Call, Said
from ui.gateway.history import Calls, content
from ui.gateway.members import an_array, an_object, needed_word, objects, truth, within, word

_UNREAD = {
    "document": "put the document's text into a text block",
    "search_result": "put the result's text into a text block",
    "container_upload": "this gateway has no containers",
    "tool_reference": "this gateway has no tool search; send the tools themselves",
}


def said(body: JsonObject) -> tuple[Said, ...]:
    """Read `system` and `messages`."""
    made: list[Said] = []
    if body.get("system") is not None:
        text, _ = content(body["system"], "system", _no_part)
        made.append(Said("system", text))
    messages = an_array(body.get("messages") or [], "messages")
    if not messages:
        raise BadRequest("messages: found none, expected at least one", "messages")
    calls = Calls()
    for place, message in objects(messages, "messages"):
        _message(made, message, place, calls)
    calls.settled("the end of messages")
    if made[-1].role == "assistant":
        raise BadRequest(
            f"messages[{len(messages) - 1}]: the last message is the assistant's, and an answer "
            "that is begun by the client cannot be gone on with; end with a user message",
            "messages",
        )
    return tuple(made)


def _message(made: list[Said], message: JsonObject, place: str, calls: Calls) -> None:
    role, where = needed_word(message, "role", place), within(place, "content")
    if message.get("content") is None:
        raise BadRequest(f"{where}: found nothing, expected a string or an array of blocks", where)
    match role:
        case "user":
            _user(made, message["content"], where, calls)
        case "assistant":
            calls.settled(place)
            made.append(_Assistant(calls).read(message["content"], where))
        case "system":
            calls.settled(place)
            made.append(Said("system", content(message["content"], where, _no_part)[0]))
        case _:
            where = within(place, "role")
            raise BadRequest(f"{where}: found {role!r}, expected user or assistant", where)


def _user(made: list[Said], told: object, place: str, calls: Calls) -> None:
    """Read a user's turn: the results in it come first, whatever stands before them."""
    results: list[Said] = []

    def part(block: dict[str, Any], where: str) -> str | JsonObject:
        if block.get("type") != "tool_result":
            return _image(block, where)
        results.append(_result(block, where, calls))
        return ""

    text, media = content(told, place, part, in_order=True)
    made += results
    calls.settled(place)
    if text or media or not results:
        made.append(Said("user", text, media=media))


def _result(block: JsonObject, place: str, calls: Calls) -> Said:
    id_ = needed_word(block, "tool_use_id", place)
    call = calls.answered(id_, within(place, "tool_use_id"))
    text, media = content(block.get("content"), within(place, "content"), _image)
    if truth(block, "is_error", place):
        text = f"Error: {text}" if text else "Error"
    return Said("tool", text, answers=id_, name=call.name, media=media)


class _Assistant:
    """One turn of the assistant, block by block."""

    def __init__(self, calls: Calls) -> None:
        self._known = calls
        self._calls: list[Call] = []
        self._thoughts: list[str] = []

    def read(self, told: object, place: str) -> Said:
        text, _ = content(told, place, self._part)
        reasoning = "\n".join(self._thoughts) if self._thoughts else None
        return Said("assistant", text, reasoning, tuple(self._calls))

    def _part(self, block: dict[str, Any], place: str) -> str:
        match block.get("type"):
            case "thinking":
                if thought := word(block, "thinking", place):
                    self._thoughts.append(thought)
            case "redacted_thinking":
                pass
            case "tool_use":
                id_, name = needed_word(block, "id", place), needed_word(block, "name", place)
                call = Call(id_, name, an_object(block.get("input"), within(place, "input")))
                self._known.asked(call, place)
                self._calls.append(call)
            case _:
                raise _unread(block, place)
        return ""


def _image(block: JsonObject, place: str) -> JsonObject:
    """Read an image as the part that Chat Completions knows."""
    if block.get("type") != "image":
        raise _unread(block, place)
    where = within(place, "source")
    source = an_object(block.get("source"), where)
    match source.get("type"):
        case "base64":
            media, data = (
                needed_word(source, "media_type", where),
                needed_word(source, "data", where),
            )
            url = f"data:{media};base64,{data}"
        case "url":
            url = needed_word(source, "url", where)
        case kind:
            where = within(where, "type")
            raise BadRequest(f"{where}: found {kind!r}, expected base64 or url", where)
    return {"type": "image_url", "image_url": {"url": url}}


def _no_part(block: JsonObject, place: str) -> str:
    raise _unread(block, place)


def _unread(block: JsonObject, place: str) -> BadRequest:
    kind = needed_word(block, "type", place)
    hint = f"; {_UNREAD[kind]}" if kind in _UNREAD else ""
    return BadRequest(f"{place}: a block of type {kind!r} cannot stand here{hint}", place)

"""The input of a Responses request, as messages that any upstream can be told.

Law: nothing that a model would have to see is left out: an item that cannot be passed on is
refused.  Reasoning, text and calls of the assistant that follow each other are one message, as
they were when the model wrote them.  Encrypted reasoning is for its maker's eyes, and is dropped.
"""

from __future__ import annotations

from typing import Any

from agent.providers.base import JsonObject
from ui.gateway.asked import BadRequest, Call, Role, Said
from ui.gateway.history import Calls, arguments, content
from ui.gateway.members import an_array, needed_word, objects, unlike, within, word

_ROLES: dict[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
}
_TEXTS = ("input_text", "output_text", "text")
_STORED = "nothing is stored here, so nothing can be referred to"


def said(body: JsonObject) -> tuple[Said, ...]:
    """Read `instructions` and `input`."""
    made: list[Said] = []
    if instructions := word(body, "instructions"):
        made.append(Said("system", instructions))
    told: object = body.get("input")
    if isinstance(told, str):
        return (*made, Said("user", told))
    if told is None:
        raise BadRequest("input: found nothing, expected a string or an array of items", "input")
    conversation = _Conversation(made)
    if not an_array(told, "input"):
        raise BadRequest("input: found no items, expected at least one", "input")
    for place, item in objects(told, "input"):
        conversation.add(item, place)
    return conversation.ended()


class _Conversation:
    """Messages so far, and the assistant's that is being gathered."""

    def __init__(self, made: list[Said]) -> None:
        self._made = made
        self._known = Calls()
        self._thoughts: list[str] = []
        self._texts: list[str] = []
        self._calls: list[Call] = []
        self._speaking = False  # something of the assistant was gathered

    def add(self, item: dict[str, Any], place: str) -> None:
        """Read an item."""
        match item.get("type"):
            case "reasoning":
                self._speak(place)
                self._thoughts += _thoughts(item, place)
            case "function_call":
                self._called(item, place)
            case "function_call_output":
                self._answered(item, place)
            case "message":
                self._message(item, place)
            case None if "role" in item:
                self._message(item, place)
            case "item_reference":
                raise BadRequest(f"{place}: found an item_reference, but {_STORED}", place)
            case None if "id" in item:
                raise BadRequest(f"{place}: found an item that is only an id, but {_STORED}", place)
            case kind:
                where = within(place, "type")
                raise BadRequest(
                    f"{where}: found {kind!r}, expected message, reasoning, function_call or "
                    "function_call_output; no other kind of item can be told to a model here",
                    where,
                )

    def ended(self) -> tuple[Said, ...]:
        """Give all messages."""
        self._flush()
        self._known.settled("the end of input")
        return tuple(self._made)

    def _message(self, item: dict[str, Any], place: str) -> None:
        role = _ROLES.get(needed_word(item, "role", place))
        if role is None:
            where = within(place, "role")
            raise BadRequest(
                f"{where}: found {item['role']!r}, expected user, assistant, system or developer",
                where,
            )
        where = within(place, "content")
        if item.get("content") is None:
            raise BadRequest(f"{where}: found nothing, expected a string or an array", where)
        if role == "assistant":
            self._speak(place)
            text, _ = content(item["content"], where, _refusal, _TEXTS)
            self._texts += [text] if text else []
            return
        self._flush()
        self._known.settled(place)
        text, media = content(item["content"], where, _media, _TEXTS, in_order=True)
        self._made.append(Said(role, text, media=media))

    def _called(self, item: dict[str, Any], place: str) -> None:
        self._speak(place)
        id_, name = needed_word(item, "call_id", place), needed_word(item, "name", place)
        call = Call(id_, name, arguments(item.get("arguments"), within(place, "arguments")))
        self._known.asked(call, place)
        self._calls.append(call)

    def _answered(self, item: dict[str, Any], place: str) -> None:
        self._flush()
        id_ = needed_word(item, "call_id", place)
        call = self._known.answered(id_, within(place, "call_id"))
        where = within(place, "output")
        if item.get("output") is None:
            raise unlike(item.get("output"), "a string or an array of parts", where)
        text, media = content(item["output"], where, _media, _TEXTS)
        self._made.append(Said("tool", text, answers=id_, name=call.name, media=media))

    def _speak(self, place: str) -> None:
        """Go on with the assistant's message, or begin one: then no call may wait any more."""
        if not self._speaking:
            self._known.settled(place)
        self._speaking = True

    def _flush(self) -> None:
        if not self._speaking:
            return
        reasoning = "\n".join(self._thoughts) if self._thoughts else None
        text = "\n".join(self._texts)
        self._made.append(Said("assistant", text, reasoning, tuple(self._calls)))
        self._thoughts, self._texts, self._calls, self._speaking = [], [], [], False


def _thoughts(item: dict[str, Any], place: str) -> list[str]:
    """Read the reasoning's own words, or its summary where there are none."""
    for member in ("content", "summary"):
        told: object = item.get(member)
        if told is None:
            continue
        where = within(place, member)
        texts = [word(part, "text", at) for at, part in objects(told, where)]
        if found := [text for text in texts if text]:
            return found
    return []


def _refusal(part: dict[str, Any], place: str) -> str:
    if part.get("type") == "refusal":
        return word(part, "refusal", place) or ""
    raise _unread(part, place, "output_text or refusal")


def _media(part: dict[str, Any], place: str) -> JsonObject:
    """Read an image as the part that Chat Completions knows."""
    if part.get("type") != "input_image":
        raise _unread(part, place, "input_text or input_image")
    if part.get("file_id") is not None:
        where = within(place, "file_id")
        raise BadRequest(f"{where}: {_STORED}; send the image's URL or data as image_url", where)
    image = {"url": needed_word(part, "image_url", place)}
    if detail := word(part, "detail", place):
        image["detail"] = detail
    return {"type": "image_url", "image_url": image}


def _unread(part: dict[str, Any], place: str, expected: str) -> BadRequest:
    where = within(place, "type")
    return BadRequest(f"{where}: found {part.get('type')!r}, expected {expected}", where)

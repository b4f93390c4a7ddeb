"""The messages of a Chat Completions request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent.providers.base import JsonObject
from ui.gateway.asked import BadRequest, Call, Said
from ui.gateway.history import Calls, arguments, content
from ui.gateway.members import an_object, needed_word, objects, within, word

_REASONING = ("reasoning_content", "reasoning")


def said(told: object) -> tuple[Said, ...]:
    """Read the messages; raises BadRequest."""
    if told is None:
        raise BadRequest("messages: found nothing, expected an array", "messages")
    reader = _Reader()
    found = tuple(reader.message(entry, place) for place, entry in objects(told, "messages"))
    if not found:
        raise BadRequest("messages: found none, expected at least one", "messages")
    reader.end()
    return found


class _Reader:
    def __init__(self) -> None:
        self._calls = Calls()
        self._older: dict[str, str] = {}  # ids of calls of the older form, by name
        self._count = 0

    def message(self, entry: JsonObject, place: str) -> Said:
        match needed_word(entry, "role", place):
            case "system" | "developer":
                return Said("system", _text(entry, place))
            case "user":
                self._calls.settled(place)
                where = within(place, "content")
                text, media = content(entry.get("content"), where, _part, in_order=True)
                return Said("user", text, media=media)
            case "assistant":
                self._calls.settled(place)
                return self._assistant(entry, place)
            case "tool":
                id_ = needed_word(entry, "tool_call_id", place)
                return self._result(entry, id_, place, "tool_call_id")
            case "function":
                name = needed_word(entry, "name", place)
                return self._result(entry, self._older.get(name, name), place, "name")
            case role:
                where = within(place, "role")
                raise BadRequest(
                    f"{where}: found {role!r}, expected system, developer, user, assistant or tool",
                    where,
                )

    def end(self) -> None:
        """Check that nothing is left open; raises BadRequest."""
        self._calls.settled("the end of messages")

    def _assistant(self, entry: JsonObject, place: str) -> Said:
        text, media = content(entry.get("content"), within(place, "content"), _part)
        if not text:
            text = word(entry, "refusal", place) or ""
        thoughts = (word(entry, name, place) for name in _REASONING)
        reasoning = next((thought for thought in thoughts if thought is not None), None)
        calls = tuple(self._asked(entry, place))
        return Said("assistant", text, reasoning=reasoning, calls=calls, media=media)

    def _asked(self, entry: JsonObject, place: str) -> Iterator[Call]:
        told = entry.get("tool_calls")
        if told is not None:
            for where, call in objects(told, within(place, "tool_calls")):
                yield self._call(needed_word(call, "id", where), call.get("function"), where)
        older = entry.get("function_call")
        if older is not None:
            self._count += 1
            made = self._call(f"function_{self._count}", older, place, "function_call")
            self._older[made.name] = made.id
            yield made

    def _call(self, id_: str, told: object, place: str, member: str = "function") -> Call:
        where = within(place, member)
        function = an_object(told, where)
        read = arguments(function.get("arguments"), within(where, "arguments"))
        call = Call(id_, needed_word(function, "name", where), read)
        self._calls.asked(call, place)
        return call

    def _result(self, entry: JsonObject, id_: str, place: str, member: str) -> Said:
        call = self._calls.answered(id_, within(place, member))
        text, media = content(entry.get("content"), within(place, "content"), _part)
        return Said("tool", text, answers=call.id, name=call.name, media=media)


def _text(entry: JsonObject, place: str) -> str:
    """Give a text in which nothing else may be."""
    where = within(place, "content")
    text, media = content(entry.get("content"), where, _part)
    if media:
        kinds = ", ".join(str(part.get("type")) for part in media)
        raise BadRequest(f"{where}: found {kinds}, expected text alone", where)
    return text


def _part(part: dict[str, Any], place: str) -> str | JsonObject:
    match needed_word(part, "type", place):
        case "refusal":
            return word(part, "refusal", place) or ""
        case "thinking" | "reasoning":
            return ""
        case _:
            return part

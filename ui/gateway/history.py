"""What the protocols of clients share in reading a request: tools, calls, results, and text.

Law: a history that cannot be spelled to a model is refused, and the words name its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, groupby
from typing import Any

from agent.providers.base import JsonObject
from agent.providers.jsons import is_array, is_object
from parsing import ToolSpec
from ui.gateway.asked import BadRequest, Call
from ui.gateway.members import (
    an_array,
    an_object,
    kind_of,
    needed_word,
    read_json,
    unlike,
    within,
    word,
)


def tool(entry: JsonObject, place: str, *, schema: str = "parameters") -> ToolSpec:
    """Read a function: its name, its description, and the member that holds its schema."""
    name = needed_word(entry, "name", place)
    described = word(entry, "description", place) or ""
    where = within(place, schema)
    told: object = entry.get(schema)
    parameters = {} if told is None else an_object(told, where)
    properties: object = parameters.get("properties")
    if properties is not None:
        an_object(properties, f"{where}.properties")
    required: object = parameters.get("required")
    if required is not None:
        for number, needed in enumerate(an_array(required, f"{where}.required")):
            if not isinstance(needed, str):
                raise unlike(needed, "a string", f"{where}.required[{number}]")
    return ToolSpec(name, described, parameters)


def distinct(tools: Iterable[ToolSpec], place: str = "tools") -> tuple[ToolSpec, ...]:
    """Gather tools, no two of one name."""
    found: dict[str, ToolSpec] = {}
    for spec in tools:
        if spec.name in found:
            raise BadRequest(f"{place}: two tools are called {spec.name!r}", place)
        found[spec.name] = spec
    return tuple(found.values())


def narrowed(
    tools: Sequence[ToolSpec], names: Sequence[str], place: str = "tool_choice"
) -> tuple[ToolSpec, ...]:
    """Keep the tools of these names; a name that no tool has is a BadRequest."""
    known = {spec.name for spec in tools}
    for name in names:
        if name not in known:
            listed = ", ".join(sorted(known)) or "none"
            raise BadRequest(f"{place}: {name!r} is no tool of the request; it has {listed}", place)
    return tuple(spec for spec in tools if spec.name in names)


def arguments(told: object, place: str) -> Mapping[str, Any]:
    """Read a call's arguments, JSON text of an object or the object; "" and null are {}."""
    if is_object(told):
        return told
    if told is None or (isinstance(told, str) and not told.strip()):
        return {}
    if not isinstance(told, str):
        raise unlike(told, "a string with a JSON object in it", place)
    try:
        value: object = read_json(told)
    except RecursionError:
        raise _no_object(place, "it is nested too deeply") from None
    except ValueError as error:
        raise _no_object(place, str(error)) from None
    if not is_object(value):
        raise _no_object(place, f"it is {kind_of(value)}")
    return value


def _no_object(place: str, why: str) -> BadRequest:
    return BadRequest(f"{place} is no JSON object: {why}", place)


class Calls:
    """The calls of a history that wait for their results.

    An id may come again once its call was answered: models number their calls anew.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[Call, str]] = {}
        self._answered: set[str] = set()

    def asked(self, call: Call, place: str) -> None:
        """Take down a call."""
        if call.id in self._waiting:
            where = within(place, "id")
            raise BadRequest(f"{where}: another call has the id {call.id!r} too", where)
        self._waiting[call.id] = call, place
        self._answered.discard(call.id)

    def answered(self, id_: str, place: str) -> Call:
        """Give the call that a result answers."""
        if id_ in self._waiting:
            self._answered.add(id_)
            return self._waiting.pop(id_)[0]
        if id_ in self._answered:
            raise BadRequest(f"{place}: the call {id_!r} was answered before", place)
        raise BadRequest(f"{place}: found a result of {id_!r}, but no such call before it", place)

    def settled(self, place: str) -> None:
        """Say that a message is next that must not come while a call waits for its result."""
        for id_, (call, where) in self._waiting.items():
            raise BadRequest(
                f"{where}: the call {id_!r} of {call.name} has no result before {place}; every "
                "call must be answered before the conversation goes on",
                where,
            )


Part = Callable[[dict[str, Any], str], str | JsonObject]
"""Reads a part that is no plain text: its text, or what is kept as media."""


def content(
    told: object,
    place: str,
    part: Part,
    texts: Sequence[str] = ("text",),
    *,
    in_order: bool = False,
) -> tuple[str, tuple[JsonObject, ...]]:
    """Read a message's content, a string or an array of parts, into its text and its media.

    Parts of a type in `texts` say their text in `text`; `part` reads the others.  With `in_order`
    text that follows media stays behind them: then all the text is among the media.
    """
    if told is None or isinstance(told, str):
        return told or "", ()
    if not is_array(told):
        raise unlike(told, "a string or an array of parts", place)
    found = [_read(entry, f"{place}[{at}]", part, texts) for at, entry in enumerate(told)]
    said = [one for one in found if isinstance(one, str)]
    media = [one for one in found if not isinstance(one, str)]
    behind = dropwhile(lambda one: isinstance(one, str), found)
    if in_order and any(one for one in behind if isinstance(one, str)):
        return "", tuple(_joined(found))
    return "".join(said), tuple(media)


def _read(entry: object, place: str, part: Part, texts: Sequence[str]) -> str | JsonObject:
    if isinstance(entry, str):
        return entry
    found = an_object(entry, place)
    if found.get("type") in texts:
        return word(found, "text", place) or ""
    return part(found, place)


def _joined(found: Iterable[str | JsonObject]) -> Iterator[JsonObject]:
    """Give parts, those of text that follow each other as one."""
    for is_text, run in groupby(found, key=lambda one: isinstance(one, str)):
        if not is_text:
            yield from (one for one in run if not isinstance(one, str))
        elif text := "".join(one for one in run if isinstance(one, str)):
            yield {"type": "text", "text": text}

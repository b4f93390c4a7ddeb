"""Assistant texts in JSON: lines for the parser, and the message logs of others.

Law: what is no such thing is refused in words, never taken for a text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from ui.compare.message import Message
from ui.doors.reading import Members
from ui.doors.shapes import is_array, is_object

EXPECTED = (
    'expected {"text": …}, {"chunks": […]}, a string, or messages with a role '
    "(OpenAI, Anthropic, Cline's api_conversation_history.json)"
)
_DEEPEST = 6  # a log holds messages, not a tree of them
_WRAPPED = ("messages", "choices", "message", "response")  # where others keep messages


class Unfit(ValueError):
    """JSON that holds no message; the words say what was found and expected."""


def messages_of(source: str, text: str) -> tuple[Message, ...]:
    """Read one JSON document, or one a line; raises Unfit, naming the line."""
    found: list[Members] = []
    for place, value in _values(text):
        try:
            found += _texts(value, 0)
        except Unfit as error:
            raise Unfit(f"{place}{error}") from error
    return tuple(
        Message(source, number, members, times_of(members))
        for number, members in enumerate(found, 1)
    )


def times_of(members: Members) -> tuple[float, ...]:
    """Give the times of recorded chunks; raises Unfit when they do not fit the chunks."""
    times: object = members.get("times")
    if times is None:
        return ()
    chunks: object = members.get("chunks")
    if not is_array(times) or not is_array(chunks) or len(times) != len(chunks):
        raise Unfit("`times` must be an array with one number for each of `chunks`")
    numbers = [time for time in times if isinstance(time, int | float)]
    if len(numbers) != len(times) or any(one > two for one, two in pairwise(numbers)):
        raise Unfit("`times` must be numbers of seconds that never go back")
    return tuple(number - numbers[0] for number in numbers)


def _values(text: str) -> Iterator[tuple[str, object]]:
    """Give the JSON values of a document, or of its lines with the line named."""
    try:
        yield "", _json(text)
        return
    except ValueError as error:
        lines = [(at, line) for at, line in enumerate(text.split("\n"), 1) if line.strip()]
        if len(lines) < 2 or not lines[0][1].lstrip().startswith(("{", "[", '"')):
            raise Unfit(f"not JSON: {error}") from error
    for number, line in lines:
        try:
            value = _json(line)
        except ValueError as error:
            raise Unfit(f"line {number}: not JSON: {error}") from error
        yield f"line {number}: ", value


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _texts(value: object, depth: int) -> Iterator[Members]:
    if depth > _DEEPEST:
        raise Unfit(f"found values nested too deeply for a log, {EXPECTED}")
    if isinstance(value, str):
        yield {"text": value}
    elif is_array(value):
        for item in value:
            yield from _texts(item, depth + 1)
    elif is_object(value):
        yield from _of_object(value, depth)
    else:
        raise Unfit(f"found {json.dumps(value)}, {EXPECTED}")


def _of_object(value: Mapping[str, Any], depth: int) -> Iterator[Members]:
    if isinstance(value.get("role"), str):
        if value["role"] == "assistant" and (text := _content(value.get("content"))):
            yield {"text": text}
    elif isinstance(value.get("text"), str) or is_array(value.get("chunks")):
        yield {name: member for name, member in value.items() if member is not None}
    elif inner := [value[name] for name in _WRAPPED if isinstance(value.get(name), list | dict)]:
        yield from _texts(inner[0], depth + 1)
    else:
        names = ", ".join(f"`{name}`" for name in list(value)[:6])
        raise Unfit(f"found an object with {names or 'no members'}, {EXPECTED}")


def _content(content: object) -> str:
    """Give the text of a message's content; parts that are not text (native calls) give none."""
    if isinstance(content, str):
        return content
    parts = content if is_array(content) else []
    texts = [part["text"] for part in parts if is_object(part) and part.get("type") == "text"]
    return "".join(text for text in texts if isinstance(text, str))

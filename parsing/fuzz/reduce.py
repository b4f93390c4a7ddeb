"""Makes a message that breaks a law smaller, for as long as it breaks that law."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from parsing.fuzz.laws import fault_of
from parsing.fuzz.message import TOOL_SETS, Message
from parsing.options import Options

TRIES = 4000


def smallest(message: Message) -> Message:
    """Give a smaller message that breaks the same law; the message itself when it breaks none."""
    found = fault_of(message)
    if found is None:
        return message
    return Reducing(lambda one: getattr(fault_of(one), "law", None) == found.law).reduced(message)


class Reducing:
    """Tries smaller messages, no more than so many."""

    def __init__(self, fails: Callable[[Message], bool]) -> None:
        self._fails = fails
        self._left = TRIES

    def reduced(self, message: Message) -> Message:
        before = None
        while message != before and self._left > 0:
            before = message
            message = self._first(message, _plainer_options(message))
            message = self._first(message, _fewer_tools(message))
            message = self._shorter(message)
            message = self._first(message, _recut(message))
        return message

    def _first(self, message: Message, others: Iterator[Message]) -> Message:
        for other in others:
            if other != message and self._tried(other):
                return other
        return message

    def _tried(self, message: Message) -> bool:
        self._left -= 1
        return self._left > 0 and self._fails(message)

    def _shorter(self, message: Message) -> Message:
        size = len(message.text)
        while size:
            start = 0
            while start < len(message.text):
                shorter = message.without(start, min(start + size, len(message.text)))
                if self._tried(shorter):
                    message = shorter
                else:
                    start += size
            size //= 2
        return message


def _plainer_options(message: Message) -> Iterator[Message]:
    plain = Options(profile=message.options.profile)
    starts = (replace(plain, starts_in_reasoning=starts) for starts in (True, False))
    for options in (Options(), plain, *starts):
        if options == message.options:
            return
        yield replace(message, options=options)


def _fewer_tools(message: Message) -> Iterator[Message]:
    for tools in sorted(TOOL_SETS, key=len):
        if len(tools) < len(message.tools):
            yield replace(message, tools=tools)


def _recut(message: Message) -> Iterator[Message]:
    yield replace(message, cuts=())
    for cut in message.cuts:
        yield replace(message, cuts=(cut,))
    for cut in message.cuts:
        yield replace(message, cuts=tuple(one for one in message.cuts if one != cut))

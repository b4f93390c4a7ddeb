"""One answer off the wire, whatever the wire: events in, items out, the end told once."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from itertools import chain
from typing import Protocol

from agent.errors import ProviderError
from agent.providers.base import JsonObject, StreamItem
from agent.providers.sse import SentEvent
from agent.providers.surrogates import Joiner
from agent.providers.wire import Wire


class Reader(Protocol):
    """A reader of one wire's events."""

    @property
    def finished(self) -> bool:
        """The reason for the end is known; usage may follow."""
        ...

    @property
    def done(self) -> bool:
        """The server said that nothing follows."""
        ...

    def read(self, event: SentEvent) -> Iterator[StreamItem]: ...

    def end(self) -> Iterator[StreamItem]: ...


async def answer(wire: Wire, body: JsonObject, reader: Reader) -> AsyncGenerator[StreamItem, None]:
    """POST a body and stream what the reader makes of the answer."""
    try:
        async with aclosing(_items(wire, body, reader)) as items:
            async for item in items:
                yield item
    except ProviderError as fault:
        # The answer itself had come to its end: what is lost is usage at most.
        if not (reader.finished and fault.retryable):
            raise
    for item in reader.end():
        yield item


async def _items(wire: Wire, body: JsonObject, reader: Reader) -> AsyncGenerator[StreamItem, None]:
    watch, joiner = wire.watch(), Joiner()
    async with aclosing(wire.events(body, watch)) as events:
        async for event in events:
            for item in chain.from_iterable(map(joiner.join, reader.read(event))):
                watch.note(item)
                yield item
            if reader.done:
                return
            if reader.finished:
                watch.ending()

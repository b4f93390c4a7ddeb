"""A model that plays a script: the demo, the tests, and people who want to see a task once more.

It looks at the history only to find its place (a task that was continued goes on with the turn
that comes next) and where a turn says what it expects. A turn that a fault broke off is played
again when it is asked for again; one that was left while it played is done with.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import aclosing

from agent.errors import (
    ConfigError,
    ProviderError,
    RateLimited,
    Rejected,
    ScriptError,
    Stalled,
    StreamBroken,
    Unreachable,
)
from agent.providers.base import (
    Attachment,
    CallPiece,
    Finished,
    Provider,
    ReasoningPiece,
    Request,
    StreamItem,
    TextPiece,
)
from agent.providers.registry import Row
from agent.providers.script import Call, Fault, Keep, Pause, Say, Script, Think, Turn, cut
from agent.providers.settings import REMOTE, ProviderSettings

Sleep = Callable[[float], Awaitable[None]]


def opened(settings: ProviderSettings, row: Row) -> Provider:
    """Open the provider on the script file that the settings name."""
    if settings.script is None:
        raise ConfigError(
            f"No script is set for provider {row.kind!r}. Set script to a .toml or .jsonl file."
        )
    from agent.providers.script_file import read_script

    limit = settings.timeouts.at(loopback=False).idle
    return Scripted(read_script(settings.script), speed=settings.speed, idle_s=limit)


class Scripted:
    """A model whose answers are written down; `speed` 0 leaves all pauses out."""

    def __init__(
        self,
        script: Script,
        *,
        speed: float = 1.0,
        sleep: Sleep = asyncio.sleep,
        idle_s: float = REMOTE.idle,
    ) -> None:
        self.name = "scripted"
        self.model = script.model
        self._script = script
        self._speed = speed
        self._sleep = sleep
        self._idle_s = idle_s
        self._next: int | None = None
        self._struck = 0
        self._left = False  # the turn that plays need not be played again

    async def aclose(self) -> None:
        return None

    async def stream(self, request: Request) -> AsyncGenerator[StreamItem, None]:
        turn = self._turn(request)
        fault = self._due(turn)
        self._left = False
        try:
            async with aclosing(self._play(turn, fault)) as items:
                async for item in items:
                    self._left = True
                    yield item
        except ProviderError:
            self._left = False  # the fault is no end of the turn
            raise
        finally:
            if self._left:
                self._advance()

    async def _play(self, turn: Turn, fault: Fault | None) -> AsyncGenerator[StreamItem, None]:
        told = 0
        await self._wait(turn.first_pause)
        for item in _items(turn):
            if isinstance(item, Pause):
                await self._wait(item.seconds)
                continue
            length = _length(item)
            if fault is not None and told + length > fault.after:
                if (rest := fault.after - told) > 0:
                    yield _shortened(item, rest)
                break
            if told:
                await self._wait(turn.pause)
            told += length
            yield item
        if fault is not None:
            await self._strike(fault)
        self._left = True
        if turn.usage is not None:
            yield turn.usage
        yield Finished(turn.finish)

    def _turn(self, request: Request) -> Turn:
        if self._next is None:
            self._next = sum(message.role == "assistant" for message in request.messages)
        turns, number = self._script.turns, self._next
        if number >= len(turns):
            raise ScriptError(
                f"{self._script.source} has {len(turns)} turns and turn {number + 1} was asked "
                "for. Add a turn, or end the last one with attempt_completion."
            )
        self._check(turns[number], number + 1, request)
        return turns[number]

    def _check(self, turn: Turn, number: int, request: Request) -> None:
        said = [
            "\n\n".join([*(result.text for result in message.results), message.text])
            for message in request.messages
            if message.role == "user"
        ]
        last = said[-1] if said else ""
        if turn.expect is not None and not re.search(turn.expect, last):
            raise ScriptError(
                f"Turn {number} of {self._script.source} expects {turn.expect!r} in the last "
                f"message of the user, and that is: {last[:500]!r}"
            )

    def _due(self, turn: Turn) -> Fault | None:
        if turn.fault is None or self._struck >= turn.fault.times:
            return None
        self._struck += 1
        return turn.fault

    def _advance(self) -> None:
        self._next = (self._next or 0) + 1
        self._struck = 0

    async def _wait(self, seconds: float) -> None:
        await self._sleep(seconds / self._speed if self._speed > 0 else 0.0)

    async def _strike(self, fault: Fault) -> None:
        if fault.kind == "stall":
            await self._wait(self._idle_s)
        raise _raised(fault, self._script.source, self._idle_s)


def _items(turn: Turn) -> Iterator[StreamItem | Pause]:
    calls = 0
    for part in turn.parts:
        match part:
            case Say(text, cuts):
                yield from map(TextPiece, cut(text, turn.cuts if cuts is None else cuts))
            case Think(text, cuts):
                chunks = cut(text, turn.cuts if cuts is None else cuts)
                yield from map(ReasoningPiece, chunks if text else [""])
            case Call():
                yield CallPiece(calls, part.id, part.name, part.arguments)
                calls += 1
            case Keep(data):
                yield Attachment(data)
            case Pause():
                yield part


def _length(item: StreamItem) -> int:
    return len(item.text) if isinstance(item, TextPiece | ReasoningPiece) else 0


def _shortened(item: StreamItem, length: int) -> StreamItem:
    match item:
        case TextPiece(text):
            return TextPiece(text[:length])
        case ReasoningPiece(text):
            return ReasoningPiece(text[:length])
        case _:
            return item


def _raised(fault: Fault, source: str, idle_s: float) -> ProviderError:
    said = f": {fault.message}" if fault.message else ""
    match fault.kind:
        case "stall":
            return Stalled(f"{source} came to a stall{said}", "idle", idle_s)
        case "break":
            return StreamBroken(f"The answer ended early, as {source} has it{said}")
        case "error":
            return StreamBroken(fault.message or f"{source} broke the answer off")
        case "rate_limit":
            return RateLimited(f"{source} asks for fewer requests{said}", fault.retry_after)
        case "overloaded":
            return Rejected(f"{source} is busy{said}", 529, kind="server", retryable=True)
        case "unreachable":
            return Unreachable(f"{source} cannot be reached{said}")
        case "refused":
            return Rejected(f"{source} refused the request{said}", fault.status)

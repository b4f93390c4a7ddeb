"""One request and its reply: stream, accumulator, reader, presenter.

Law: whatever ends the stream, what came of it is kept, and every call in it has an answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from agent.accumulator import Accumulator
from agent.errors import ProviderError
from agent.events import Event, ReasoningGrew, Retried, UsageTold
from agent.foreign import Foreign
from agent.native import NativeUse
from agent.pacer import Pacer
from agent.presenter import Presenter
from agent.providers.base import (
    CallPiece,
    Message,
    Provider,
    ReasoningPiece,
    Request,
    Retrying,
    StreamItem,
    TextPiece,
    Usage,
)
from agent.reading import Hearing
from agent.results import BROKEN_MARK, INTERRUPTED_MARK, Answer
from parsing import Block, Finish, ToolUse

CHANNEL = -1
"""The index under which the provider's own reasoning channel is told."""

CUT = frozenset({"length", "broken", "interrupted", "enough"})
"""The finishes of a message that did not come to its own end."""

FILTERED = "content_filter"
"""The finish of a message that the server withheld in part."""

_LEFT = frozenset({"interrupted", "enough"})
"""The finishes of a message that we stopped."""

_MARKS = {"broken": BROKEN_MARK, "interrupted": INTERRUPTED_MARK}
_LENGTHS = frozenset({"length", "max_tokens", "model_length", "max_output_tokens"})


@dataclass(frozen=True, slots=True)
class Reply:
    """What one request came to; `message` is none when nothing came.

    `finish` is "stop", "length", the provider's own word, "broken", "interrupted", or "enough"
    when the stream was stopped because nothing further would have been run.  `foreign` are calls
    that were found in another dialect.
    """

    message: Message | None
    blocks: tuple[Block, ...]
    answers: tuple[Answer, ...]
    finish: str
    error: ProviderError | None = None
    foreign: Foreign | None = None

    @property
    def uses(self) -> tuple[ToolUse, ...]:
        return tuple(answer.use for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Ears:
    """Who is told what a turn brings: events, raw pieces, and the message once it is whole.

    `said` writes the message from what came, its native calls, and a mark where it was cut off.
    `look` is asked about a message that came to its end without a call.
    """

    tell: Callable[[Event], None]
    piece: Callable[[StreamItem], None]
    message: Callable[[Message], None]
    said: Callable[[Accumulator, Sequence[NativeUse], str], Message]
    look: Callable[[str, Sequence[Block]], Awaitable[Foreign | None]]


class Turn:
    """One turn; it can be interrupted at any point, and still gives its reply."""

    def __init__(
        self,
        provider: Provider,
        reading: Hearing,
        presenter: Presenter,
        ears: Ears,
    ) -> None:
        self._provider, self._ears = provider, ears
        self._reading, self._presenter = reading, presenter
        self._so_far = Accumulator()
        self._pacer = Pacer(self._read, self._fail)
        self._calls_pacer = Pacer(self._read_calls, self._fail)
        self._bug: BaseException | None = None
        self._stream: asyncio.Task[str] | None = None
        self._look: asyncio.Future[Foreign | None] | None = None
        self._error: ProviderError | None = None
        self._interrupted = False

    def interrupt(self) -> None:
        """Stop the stream, or the call that runs."""
        self._interrupted = True
        if self._stream is not None:
            self._stream.cancel()
        if self._look is not None:
            self._look.cancel()
        self._presenter.interrupt()

    async def take(self, request: Request) -> Reply:
        """Send the request and present the reply; what it raises is a bug or a cancellation."""
        try:
            return await self._take(request)
        except BaseException:
            self._pacer.stop()
            self._calls_pacer.stop()
            self.interrupt()
            if begun := [task for task in (self._stream, self._look) if task is not None]:
                await asyncio.wait(begun)
            await self._presenter.ended()
            raise

    async def _take(self, request: Request) -> Reply:
        self._stream = asyncio.create_task(self._consume(request))
        if self._interrupted:
            self._stream.cancel()
        await asyncio.wait([self._stream])
        if self._bug is not None:
            raise self._bug
        finish = "interrupted" if self._stream.cancelled() else self._stream.result()
        self._end(finish)
        blocks = self._reading.blocks
        native = [block for block in blocks if isinstance(block, NativeUse)]
        message = self._ears.said(self._so_far, native, _MARKS.get(finish, ""))
        came = bool(self._so_far.text.strip() or native or self._so_far.reasoning)
        if came:
            self._ears.message(message)
        foreign = await self._foreign(blocks, finish)
        blocks = (*blocks, *(foreign.uses if foreign else ()))
        self._presenter.present(blocks, finish)
        await self._presenter.settled()
        return Reply(
            message if came else None,
            blocks,
            self._presenter.answers,
            "interrupted" if self._interrupted else finish,
            self._error,
            foreign,
        )

    def _end(self, finish: str) -> None:
        self._pacer.flush()
        self._calls_pacer.flush()
        self._reading.calls(self._so_far.calls)
        if finish in _LEFT:
            self._reading.leave()
        else:
            self._reading.close(Finish.LENGTH if finish in CUT else Finish.STOP)

    async def _foreign(self, blocks: tuple[Block, ...], finish: str) -> Foreign | None:
        """Look for calls in another dialect, once all that the message reads as is told."""
        left = self._interrupted or finish in CUT or finish == FILTERED
        if left or any(isinstance(block, ToolUse) for block in blocks):
            return None
        self._presenter.present(blocks)
        self._look = asyncio.ensure_future(self._ears.look(self._so_far.text, blocks))
        await asyncio.wait([self._look])
        return None if self._look.cancelled() else self._look.result()

    async def _consume(self, request: Request) -> str:
        items = self._provider.stream(request)
        try:
            async for item in items:
                self._hear(item)
                if self._presenter.satisfied:
                    return "enough"
        except ProviderError as error:
            self._error = error
            return "broken"
        finally:
            close = getattr(items, "aclose", None)
            if close is not None:
                await close()
        finish = self._so_far.finish
        if finish is None:
            return "broken"
        return "length" if finish in _LENGTHS else finish or "stop"

    def _hear(self, item: StreamItem) -> None:
        self._so_far.add(item)
        self._ears.piece(item)
        match item:
            case TextPiece(text):
                self._calls_pacer.flush()
                self._pacer.add(text)
            case CallPiece():
                self._pacer.flush()
                self._calls_pacer.add(item.arguments or " ")
            case ReasoningPiece(text):
                if self._so_far.reasoning == text:  # the first
                    self._reading.reasons_apart()
                self._ears.tell(ReasoningGrew(CHANNEL, text))
            case Usage():
                self._ears.tell(UsageTold(item))
            case Retrying(attempt, delay_s, why, most):
                self._ears.tell(Retried(attempt, delay_s, why, most))
            case _:
                pass

    def _read(self, text: str) -> None:
        self._reading.feed(text)
        self._presenter.present(self._reading.blocks)

    def _read_calls(self, _: str) -> None:
        self._reading.calls(self._so_far.calls)
        self._presenter.present(self._reading.blocks)

    def _fail(self, bug: BaseException) -> None:
        self._bug = bug
        if self._stream is not None:
            self._stream.cancel()

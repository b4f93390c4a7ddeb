"""Walks over a message's blocks as they come: tells growth, runs each closed call once, in order.

Law: a partial block is only ever shown.  A call while blocks are being presented marks them as
pending and returns; the block at the index is presented again when it changed.
Source: Cline 4.0.10's presenter, without its two effects of partial blocks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

from nanoid import generate

from agent.events import (
    BlockClosed,
    CallFinished,
    CallSkipped,
    Event,
    ReasoningGrew,
    TextGrew,
    UseGrew,
)
from agent.results import (
    AFTER_COMPLETION,
    AFTER_FAILURE,
    AFTER_REFUSAL,
    COMPLETION,
    INTERRUPTED_CALL,
    NOT_BEGUN,
    ONE_PER_MESSAGE,
    Answer,
    cut_note,
)
from parsing import Block, ReasoningBlock, TextBlock, ToolUse
from tools import Outcome, OutcomeKind, heading


class Runner(Protocol):
    """Whoever runs calls, and knows which of them have begun."""

    async def run(self, use: ToolUse, call_id: str) -> Outcome: ...

    def begun(self, call_id: str) -> bool: ...


class Presenter:
    """Presents one message; its index moves on only from blocks that are done with."""

    def __init__(self, tell: Callable[[Event], None], runner: Runner, *, several: bool) -> None:
        self._tell, self._runner, self._several = tell, runner, several
        self._blocks: Sequence[Block] = ()
        self._index = 0
        self._shown = ""
        self._snapshot: ToolUse | None = None
        self._ids: dict[int, str] = {}
        self._locked = self._pending = False
        self._finish: str | None = None
        self._running: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()
        self._bug: BaseException | None = None
        self._interrupted = self._refused = self._used = self._completed = False
        self._answers: list[Answer] = []

    @property
    def answers(self) -> tuple[Answer, ...]:
        return tuple(self._answers)

    @property
    def satisfied(self) -> bool:
        """Say whether nothing that may still come in this message would be run."""
        return self._refused or self._completed or (self._used and not self._several)

    def present(self, blocks: Sequence[Block], finish: str | None = None) -> None:
        """Take the message's blocks so far; `finish` is given once, with the last of them."""
        self._blocks = blocks
        self._finish = finish or self._finish
        if self._locked:
            self._pending = True
            return
        self._advance()

    def interrupt(self) -> None:
        """End the call that runs, and let no further one begin."""
        self._interrupted = True
        if self._running is not None:
            self._running.cancel()

    async def settled(self) -> None:
        """Wait until every block of the finished message is done with."""
        await self._settled.wait()
        if self._bug is not None:
            raise self._bug

    async def ended(self) -> None:
        """Wait until no call runs."""
        while self._running is not None:
            await asyncio.wait([self._running])
            await asyncio.sleep(0)  # its callback goes on to the next block

    def _advance(self) -> None:
        self._locked = True
        while True:
            self._pending = False
            if self._index < len(self._blocks) and self._present(self._blocks[self._index]):
                self._index, self._shown, self._snapshot = self._index + 1, "", None
            elif self._running is not None:
                return  # stays locked: the call that runs goes on from here
            elif not self._pending:
                break
        self._locked = False
        if self._finish is not None:
            self._settled.set()

    def _present(self, block: Block) -> bool:
        """Show a block, or begin its call; says whether it is done with."""
        match block:
            case TextBlock():
                if more := self._more(block.content):
                    self._tell(TextGrew(self._index, more))
            case ReasoningBlock():
                if more := self._more(block.reasoning):
                    self._tell(ReasoningGrew(self._index, more))
            case ToolUse():
                return self._present_use(block)
        if block.partial and self._finish is None:
            return False
        self._tell(BlockClosed(self._index, block))
        return True

    def _more(self, content: str) -> str:
        if not content.startswith(self._shown):
            return ""  # only cline-v2 takes text back; the closed block tells it whole
        more, self._shown = content[len(self._shown) :], content
        return more

    def _present_use(self, use: ToolUse) -> bool:
        call_id = self._ids.get(self._index) or generate(size=8)
        self._ids[self._index] = call_id
        if use.partial and self._finish is None:
            if use != self._snapshot:
                self._snapshot = use
                self._tell(UseGrew(self._index, call_id, use))
            return False
        self._tell(BlockClosed(self._index, use, call_id))
        if why := self._why_not(use):
            self._skip(use, call_id, why)
            return True
        self._used = True
        self._running = asyncio.create_task(self._run_call(use, call_id))
        self._running.add_done_callback(lambda task: self._after(task, use, call_id))
        return False

    def _why_not(self, use: ToolUse) -> str:
        """Say why a call is not run, or nothing."""
        if self._interrupted:
            return NOT_BEGUN
        if self._refused:
            return AFTER_REFUSAL
        if self._completed:
            return AFTER_COMPLETION
        if self._used and not self._several:
            return ONE_PER_MESSAGE
        if use.partial:
            return cut_note(self._finish or "")
        if use.fault is not None:
            return f"This call was not run. {use.fault}"
        if use.name == COMPLETION and any(_failed(answer) for answer in self._answers):
            return AFTER_FAILURE
        return ""

    async def _run_call(self, use: ToolUse, call_id: str) -> None:
        try:
            outcome = await self._runner.run(use, call_id)
        except asyncio.CancelledError:
            begun = self._runner.begun(call_id)
            self._skip(use, call_id, INTERRUPTED_CALL if begun else NOT_BEGUN)
            return
        self._refused = outcome.kind is OutcomeKind.REFUSED
        self._completed = outcome.kind is OutcomeKind.COMPLETED
        self._answers.append(Answer(call_id, heading(use), outcome.for_model, use, outcome))
        self._tell(CallFinished(call_id, use, outcome))

    def _after(self, task: asyncio.Task[None], use: ToolUse, call_id: str) -> None:
        """Go on behind a call, however its task ended; a bug is kept for settled() to raise."""
        self._running = None
        try:
            if not task.cancelled() and (bug := task.exception()) is not None:
                raise bug
            if all(answer.call_id != call_id for answer in self._answers):
                self._skip(use, call_id, NOT_BEGUN)  # cancelled before its first step
            self._index, self._shown, self._snapshot = self._index + 1, "", None
            self._advance()
        except BaseException as bug:
            self._bug = bug
            self._settled.set()

    def _skip(self, use: ToolUse, call_id: str, why: str) -> None:
        self._answers.append(Answer(call_id, heading(use), why, use))
        self._tell(CallSkipped(call_id, use, why))


def _failed(answer: Answer) -> bool:
    return answer.outcome is None or answer.outcome.failed

"""Reads one message's text into blocks in the mode that was chosen.

Law: a divergence of the two modes is told with a report and never ends the task, which goes on
with the reparse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from agent.accumulator import NativeCall
from agent.native import NativeUse, native_use
from parsing import Block, Divergence, Finish, Mode, ToolSpec, ToolUse


class Reader(Protocol):
    """As much of a parser as a turn needs."""

    @property
    def blocks(self) -> tuple[Block, ...]: ...

    def feed(self, chunk: str) -> object: ...

    def close(self, finish: Finish) -> object: ...


Open = Callable[[Mode], Reader]
"""Opens a reader for one message in the mode that is named."""


class Hearing(Protocol):
    """One message that is read as it comes, by text and by native calls."""

    @property
    def blocks(self) -> tuple[Block, ...]: ...

    def reasons_apart(self) -> None: ...

    def feed(self, chunk: str) -> None: ...

    def calls(self, calls: Sequence[NativeCall]) -> None: ...

    def close(self, finish: Finish) -> None: ...

    def leave(self) -> None: ...


class Reading:
    """One message, read as it comes; `diverged` is told the report of a divergence.

    Calls stand in the text; native ones that come all the same are read at its end.
    """

    def __init__(
        self,
        open_reader: Open,
        mode: Mode,
        diverged: Callable[[str], None],
        open_answer: Open | None = None,
        tools: Sequence[ToolSpec] = (),
    ) -> None:
        self._open, self._diverged = open_reader, diverged
        self._answer = open_answer or open_reader
        self._mode: Mode = mode
        self._reader = open_reader(mode)
        self._chunks: list[str] = []
        self._left = False
        self._tools = tools
        self._calls: Sequence[NativeCall] = ()
        self._native: tuple[NativeUse, ...] = ()

    @property
    def blocks(self) -> tuple[Block, ...]:
        blocks = self._reader.blocks
        return (tuple(map(_ended, blocks)) if self._left else blocks) + self._native

    def reasons_apart(self) -> None:
        """Take it that the reasoning came beside the text: what comes is the answer.

        Says nothing of a message whose text has begun.
        """
        if not self._chunks:
            self._open = self._answer
            self._reader = self._open(self._mode)

    def feed(self, chunk: str) -> None:
        self._chunks.append(chunk)
        try:
            self._reader.feed(chunk)
        except Divergence as divergence:
            self._fall_back(divergence)

    def calls(self, calls: Sequence[NativeCall]) -> None:
        """Take the native calls so far."""
        self._calls = calls

    def close(self, finish: Finish) -> None:
        self._close(finish)
        self._read_calls(ended=finish is Finish.STOP)

    def leave(self) -> None:
        """End a message that we stopped: a half tag that was held stays unseen."""
        self._left = True
        self._read_calls(ended=False)

    def _read_calls(self, *, ended: bool) -> None:
        self._native = tuple(native_use(call, self._tools, ended=ended) for call in self._calls)

    def _close(self, finish: Finish) -> None:
        try:
            self._reader.close(finish)
        except Divergence as divergence:
            self._fall_back(divergence)
            self._reader.close(finish)

    def _fall_back(self, divergence: Divergence) -> None:
        self._diverged(divergence.report)
        self._reader = self._open("reparse")
        self._reader.feed("".join(self._chunks))


def _ended(block: Block) -> Block:
    """Give a block that will not grow; a call that is not whole stays so."""
    return block if isinstance(block, ToolUse) else replace(block, partial=False)

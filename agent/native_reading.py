"""Reads one message of a model that calls natively, in the order in which its parts came.

Law: a block keeps its place once it was told.  A call is closed when its arguments are whole and
something came after it, or with the message; what comes for it later changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agent.accumulator import NativeCall
from agent.native import NativeUse, growing_use, native_use, whole
from agent.reading import Reading
from parsing import Block, Finish, ToolSpec


class NativeReading:
    """Text and native calls; `open_text` begins to read a stretch of text."""

    def __init__(self, open_text: Callable[[], Reading], tools: Sequence[ToolSpec]) -> None:
        self._open, self._tools = open_text, tools
        self._parts: list[Reading | NativeCall] = [open_text()]
        self._known: set[str] = set()
        self._uses: dict[str, NativeUse] = {}
        self._ended: bool | None = None

    @property
    def blocks(self) -> tuple[Block, ...]:
        made: list[Block] = []
        for place, part in enumerate(self._parts, 1):
            if isinstance(part, Reading):
                made.extend(part.blocks)
            else:
                made.append(self._use(part, last=place == len(self._parts)))
        return tuple(made)

    def reasons_apart(self) -> None:
        """Take it that the reasoning came beside the text: what comes is the answer."""
        self._text().reasons_apart()

    def feed(self, chunk: str) -> None:
        self._text().feed(chunk)

    def calls(self, calls: Sequence[NativeCall]) -> None:
        """Take the native calls so far; a new one ends the stretch of text before it."""
        for call in calls:
            if call.made_id not in self._known:
                self._known.add(call.made_id)
                self._end_text(Finish.STOP)
                self._parts.append(call)

    def close(self, finish: Finish) -> None:
        self._end_text(finish)
        self._ended = finish is Finish.STOP

    def leave(self) -> None:
        """End a message that we stopped."""
        if isinstance(last := self._parts[-1], Reading):
            last.leave()
        self._ended = False

    def _text(self) -> Reading:
        last = self._parts[-1]
        if not isinstance(last, Reading):
            last = self._open()
            self._parts.append(last)
        return last

    def _end_text(self, finish: Finish) -> None:
        if isinstance(last := self._parts[-1], Reading):
            last.close(finish)

    def _use(self, call: NativeCall, *, last: bool) -> NativeUse:
        if (known := self._uses.get(call.made_id)) is not None:
            return known
        open_still = self._ended is None and last
        if not self._ended and (open_still or not whole(call.arguments)):
            return growing_use(call, self._tools)
        use = native_use(call, self._tools, ended=True)
        self._uses[call.made_id] = use
        return use

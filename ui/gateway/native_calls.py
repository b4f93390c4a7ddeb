"""Calls that the upstream made itself, told one after the other.

Law: a call of a name that was not offered leaves no trace, and none is told as ended that may
still be cut: it ends when another one begins after it and its arguments are whole, or with the
answer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.providers.base import CallPiece
from agent.providers.calls import Calls
from agent.providers.surrogates import Joiner
from parsing import ArgumentsDelta, CallBegan, CallEnded, Delta, ToolSpec


@dataclass(slots=True)
class _Call:
    name: str = ""
    pieces: list[str] = field(default_factory=list[str])
    told: int = 0  # pieces
    number: int | None = None  # among those that are told

    def whole(self) -> bool:
        try:
            return isinstance(json.loads("".join(self.pieces)), dict)
        except (ValueError, RecursionError):
            return False


class NativeCalls:
    """The native calls of one answer; a call's index is its place among those told."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._names = frozenset(tool.name for tool in tools)
        self._numbering = Calls()
        self._joiner = Joiner()
        self._calls: list[_Call] = []
        self._current = 0
        self._told = 0

    def take(self, elements: Sequence[object]) -> list[Delta]:
        """Take elements of `tool_calls`; give what they tell."""
        out: list[Delta] = []
        for element in elements:
            piece = self._numbering.piece(element)
            for item in () if piece is None else self._joiner.join(piece):
                if isinstance(item, CallPiece):
                    self._add(item)
        self._tell(out)
        return out

    def settle(self) -> list[Delta]:
        """End the open call if its arguments are whole: something else begins."""
        if self._current == len(self._calls) or not self._calls[self._current].whole():
            return []
        ended = self._ended(self._calls[self._current])
        self._current += 1
        return ended

    def end(self, *, stopped: bool) -> list[Delta]:
        """Give what is left; in an answer that was cut only what is whole has ended."""
        out: list[Delta] = []
        for call in self._calls[self._current :]:
            self._grow(out, call)
            if call.number is not None and (stopped or call.whole()):
                out += self._ended(call)
            self._current += 1
        return out

    def _add(self, piece: CallPiece) -> None:
        while len(self._calls) <= piece.index:
            self._calls.append(_Call())
        call = self._calls[piece.index]
        call.name = call.name or piece.name or ""
        if piece.arguments:
            call.pieces.append(piece.arguments)

    def _tell(self, out: list[Delta]) -> None:
        while self._current < len(self._calls):
            call = self._calls[self._current]
            self._grow(out, call)
            last = self._current == len(self._calls) - 1
            if last or not call.name or not call.whole():
                return
            out += self._ended(call)
            self._current += 1

    def _grow(self, out: list[Delta], call: _Call) -> None:
        if call.name not in self._names:
            return
        if call.number is None:
            call.number = self._told
            self._told += 1
            out.append(CallBegan(call.number, call.name))
        text = "".join(call.pieces[call.told :])
        call.told = len(call.pieces)
        if text:
            out.append(ArgumentsDelta(call.number, text))

    @staticmethod
    def _ended(call: _Call) -> list[Delta]:
        if call.number is None:
            return []
        empty = [] if call.pieces else [ArgumentsDelta(call.number, "{}")]
        return [*empty, CallEnded(call.number)]

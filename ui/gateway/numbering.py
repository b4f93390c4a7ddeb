"""Brings what several channels of one answer tell to one numbering of blocks.

Law: blocks are numbered from 0 without a gap, in the order in which they begin; what a channel
tells while a call of another one is open waits until that call has ended.
"""

from __future__ import annotations

from parsing import CallBegan, CallEnded, Delta

Channel = str
"""Where a delta came from: the text, the reasoning beside it, the upstream's native calls."""
_Key = tuple[Channel, int]


class Numbering:
    """The blocks of one answer; without `parallel` only the first call is told."""

    def __init__(self, *, parallel: bool) -> None:
        self._parallel = parallel
        self._alone: Channel | None = None  # the only channel so far, which needs no numbering
        self._numbers: dict[_Key, int] = {}
        self._next = 0
        self._calls: set[_Key] = set()
        self._dropped: set[_Key] = set()
        self._last: _Key | None = None
        self._open: Channel | None = None  # whose call is open
        self._waiting: list[tuple[Channel, Delta]] = []
        self.calls = 0  # that were told

    def take(self, channel: Channel, deltas: list[Delta]) -> list[Delta]:
        """Number what a channel tells."""
        if not deltas:
            return deltas
        if self._parallel and (channel is self._alone or not (self._next or self._waiting)):
            self._alone = channel
            return self._pass(channel, deltas)
        self._alone = None
        out: list[Delta] = []
        for delta in deltas:
            self._take(out, channel, delta)
        return out

    def _pass(self, channel: Channel, deltas: list[Delta]) -> list[Delta]:
        """Tell what the only channel tells as it is: its numbers are the answer's."""
        for delta in deltas:
            if type(delta) is CallBegan:
                self.calls += 1
                self._open = channel
                self._calls.add((channel, delta.index))
            elif type(delta) is CallEnded:
                self._open = None
        last = deltas[-1].index
        if last >= self._next:
            self._next = last + 1
            self._last = (channel, last)
            self._numbers[self._last] = last
        return deltas

    def close(self) -> list[Delta]:
        """Give what still waits: a call that was cut keeps nothing back."""
        out: list[Delta] = []
        while self._waiting:
            self._open = None
            self._release(out)
        return out

    def _take(self, out: list[Delta], channel: Channel, delta: Delta) -> None:
        if self._open not in (None, channel):
            self._waiting.append((channel, delta))
            return
        self._number(out, channel, delta)
        if isinstance(delta, CallEnded) and self._open is None and self._waiting:
            self._release(out)

    def _release(self, out: list[Delta]) -> None:
        waiting, self._waiting = self._waiting, []
        for channel, delta in waiting:
            self._take(out, channel, delta)

    def _number(self, out: list[Delta], channel: Channel, delta: Delta) -> None:
        key = (channel, delta.index)
        match delta:
            case CallBegan():
                self._open = channel
                if self.calls and not self._parallel:
                    self._dropped.add(key)
                else:
                    self.calls += 1
                    self._calls.add(key)
            case CallEnded():
                self._open = None
            case _:
                pass
        if key in self._dropped:
            return
        if key not in self._numbers or (key not in self._calls and key != self._last):
            self._numbers[key] = self._next  # text that was interrupted goes on in a new block
            self._next += 1
        self._last = key
        delta.index = self._numbers[key]
        out.append(delta)

"""Asking on the screen whether a call in another dialect is to be taken as a call.

Law: the person sees the call exactly as it was read; there is no default yes; no answer is a no.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ui.terminal.question import Answer, Reply
from ui.terminal.rows import verb
from ui.terminal.styles import Glyphs, Line, plain, shown

if TYPE_CHECKING:
    from parsing import ForeignCalls, ToolUse
    from tools import Decision


class Desk(Protocol):
    """What an offer needs of the screen."""

    def say(self, lines: list[Line]) -> None:
        """Show lines above the question."""

    async def ask(self, title: str, scope: str | None) -> Reply:
        """Put the question and wait for the answer; without a scope no wide yes is offered."""
        ...


class ScreenOffers:
    """A person at the screen, asked about each such message anew."""

    def __init__(self, desk: Desk, look: Glyphs) -> None:
        self._desk, self._look = desk, look

    async def offer(self, calls: ForeignCalls, expected: str) -> Decision:
        """Show the calls and ask; a yes takes them as calls, each asked about as any other."""
        from tools import Allow, Refuse

        self._desk.say(offer_lines(calls, expected, self._look))
        reply = await self._desk.ask(title_of(calls), None)
        return Allow() if reply.answer is Answer.ONCE else Refuse(reply.words)


def title_of(calls: ForeignCalls) -> str:
    """Give the question itself; what it is about stands above it."""
    count = len(calls.uses)
    return "Take this as a call?" if count == 1 else f"Take these as {count} calls?"


def offer_lines(calls: ForeignCalls, expected: str, look: Glyphs) -> list[Line]:
    """Show which dialect was written, and all of each call."""
    head = f"! written in the dialect {calls.dialect}, not in {expected}"
    lines = [plain(shown(head), "warn")]
    for use in calls.uses:
        lines += _use_lines(use, look)
    return lines


def _use_lines(use: ToolUse, look: Glyphs) -> list[Line]:
    lines: list[Line] = [(("class:accent", look.bullet), ("class:name", f" {verb(use.name)}"))]
    for key, value in use.params.items():
        first, *rest = shown(str(value)).split("\n")
        lines.append((("class:dim", f"  {shown(key)}: "), ("", first)))
        lines += [(("", f"    {row}"),) for row in rest]
    return lines

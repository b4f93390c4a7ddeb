"""Asking a person on a plain terminal: the whole change or the whole command, then yes or no.

Law: nothing but a clear yes is a yes; who cannot be asked has not agreed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ui.plain.screen import PlainScreen
from ui.plain.terminal_line import TerminalLine
from ui.sanitise import one_line, visible
from ui.terminal.diff import diff_lines
from ui.terminal.styles import Line, plain

if TYPE_CHECKING:
    from tools import Decision, Request

_YES = frozenset({"y", "yes"})
_NO = frozenset({"", "n", "no"})


class PlainConsent:
    """A person at the controlling terminal, asked line by line."""

    def __init__(self, screen: PlainScreen, terminal: TerminalLine) -> None:
        self._screen = screen
        self._terminal = terminal

    async def decide(self, request: Request) -> Decision:
        """Show what will happen and ask; anything but a yes refuses."""
        from tools import Allow, Refuse

        self._screen.say(*asked(request))
        words = await self._terminal.ask("Allow? [y]es / [N]o: ") or ""
        if words.lower() in _YES:
            return Allow()
        if words.lower() not in _NO:
            self._screen.say(plain("  That is no yes, so it is refused.", "warn"))
        return Refuse(None)

    async def answer(self, question: str, options: Sequence[str]) -> str:
        """Put the model's question to the person."""
        lines = [plain(line) for line in visible(question).split("\n")]
        lines += [plain(f"  {n}. {one_line(option)}") for n, option in enumerate(options, 1)]
        self._screen.say(*lines)
        words = await self._terminal.ask("Answer: ") or ""
        if words.isdecimal() and 0 < int(words) <= len(options):
            return options[int(words) - 1]
        return words


class Nobody:
    """Nobody to be asked: what would have happened is shown, and refused."""

    def __init__(self, screen: PlainScreen, words: str) -> None:
        self._screen = screen
        self._words = words

    async def decide(self, request: Request) -> Decision:
        """Show what will not happen."""
        from tools import Refuse

        self._screen.say(*asked(request))
        return Refuse(self._words)


def asked(request: Request) -> list[Line]:
    """Give what a person is shown before the answer: the whole change or the whole command."""
    preview = request.preview
    summary = preview.summary if preview else f"{request.tool} {dict(request.params)}"
    lines = [plain(one_line(summary, 400), "strong")]
    lines += [plain(f"! {one_line(caution)}", "warn") for caution in request.cautions]
    if preview and preview.diff:
        lines += diff_lines(preview.diff)
    if preview and preview.command:
        lines += [plain(f"  $ {line}") for line in visible(preview.command).split("\n")]
    return lines

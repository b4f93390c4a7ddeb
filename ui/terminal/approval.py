"""Consent asked on the screen.

Law: the person sees all of what will happen before they are asked; there is no default yes; no
answer is a no.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ui.sanitise import one_line
from ui.terminal.diff import diff_lines
from ui.terminal.question import Answer, Reply
from ui.terminal.rows import subject, verb
from ui.terminal.styles import Glyphs, Line, shown

if TYPE_CHECKING:
    from tools import Decision, Request


class Desk(Protocol):
    """What consent needs of the screen."""

    def show(self, request: Request) -> None:
        """Show in whole what the call will do."""

    async def ask(self, title: str, scope: str | None) -> Reply:
        """Put the question and wait for the answer; without a scope no wide yes is offered."""
        ...


def grant_of(request: Request) -> tuple[tuple[str, str], str] | None:
    """Give what "this session" would grant, as a key and in words: never more than was shown.

    What calls for caution is asked each time, so nothing is granted by it.
    """
    from tools import Effect

    if request.cautions:
        return None
    match request.effect:
        case Effect.EDIT:
            return ("edits", ""), "every edit"
        case Effect.RUN:
            command = request.preview.command if request.preview else None
            return ("command", command or str(dict(request.params))), "this same command"
        case _:
            return (request.tool, ""), f"every {shown(request.tool)}"


def title_of(request: Request) -> str:
    """Give the question itself; what it is about stands above it."""
    from tools import Effect

    match request.effect:
        case Effect.EDIT:
            return "Make this change?"
        case Effect.RUN:
            return "Run this command?"
        case _:
            return f"Allow {shown(request.tool)}?"


def preview_lines(request: Request, look: Glyphs) -> list[Line]:
    """Show all of what a call will do: the whole diff, the whole command, every caution."""
    values = {key: str(value) for key, value in request.params.items()}
    preview = request.preview
    many = preview is not None and "\n" in (preview.command or "").strip()
    what = "" if many else subject(request.tool, values, 1000)
    head = (("class:accent", look.bullet), ("class:name", f" {verb(request.tool)} "), ("", what))
    lines: list[Line] = [head]
    if preview and preview.diff:
        lines += diff_lines(preview.diff)
    elif preview and preview.command is not None:
        lines += _command_lines(preview.command, what)
    else:
        lines += [
            (("class:dim", f"  {shown(key)}: "), ("", row))
            for key, value in values.items()
            for row in shown(value).split("\n")
        ]
    return lines + [(("class:warn", f"! {one_line(note, 1000)}"),) for note in request.cautions]


def _command_lines(command: str, headed: str) -> list[Line]:
    if shown(command) == headed:
        return []
    return [
        (("class:dim", "  $ " if at == 0 else "  > "), ("class:quoted", row))
        for at, row in enumerate(shown(command).split("\n"))
    ]


class Approvals:
    """The consent of a person at the screen, with what was granted for the session."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._granted: set[tuple[str, str]] = set()

    async def decide(self, request: Request) -> Decision:
        """Ask about a call, unless its kind was granted."""
        from tools import Allow, Refuse

        grant, scope = grant_of(request) or (None, None)
        if grant in self._granted:
            return Allow()
        self._desk.show(request)
        reply = await self._desk.ask(title_of(request), scope)
        match reply.answer:
            case Answer.ONCE:
                return Allow()
            case Answer.SESSION:
                if grant:
                    self._granted.add(grant)
                return Allow()
            case Answer.NO | Answer.TELL:
                return Refuse(reply.words)

    def rules(self) -> list[str]:
        """Say what was granted for this session."""
        return [f"{name} {what}".strip() for name, what in sorted(self._granted)]

    def forget(self) -> None:
        """Take back what was granted for this session."""
        self._granted.clear()

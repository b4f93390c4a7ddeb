"""Consent asked on the screen.

Law: the person sees all of what will happen before they are asked; there is no default yes; keys
that were on their way when the question came up do not answer it; no answer is a no.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from ui.sanitise import one_line
from ui.terminal.diff import diff_lines
from ui.terminal.rows import subject, verb
from ui.terminal.styles import Fragment, Glyphs, Line, plain, shown

if TYPE_CHECKING:
    from tools import Decision, Request

QUIET = 0.3  # seconds without a key before a key counts as an answer


class Answer(Enum):
    """What a person can say to a call."""

    ONCE = "yes, once"
    SESSION = "yes, and {scope} in this session"
    NO = "no"
    TELL = "no, and tell the model what to do instead"


KEYS = {
    "1": Answer.ONCE,
    "y": Answer.ONCE,
    "2": Answer.SESSION,
    "s": Answer.SESSION,
    "3": Answer.NO,
    "n": Answer.NO,
    "4": Answer.TELL,
    "t": Answer.TELL,
}
_ORDER = tuple(Answer)
_LETTERS = "ysnt"


@dataclass(slots=True)
class Question:
    """One open question: what is asked, what is chosen so far, and when keys begin to count."""

    title: str
    scope: str
    clock: Callable[[], float]
    answer: asyncio.Future[Answer]
    quiet_until: float = 0.0
    chosen: int | None = None
    told: str | None = field(default=None)

    def __post_init__(self) -> None:
        self.quiet_until = self.clock() + QUIET

    def hears(self) -> bool:
        """Claim that a key now is an answer; one that is too early makes the quiet longer."""
        now = self.clock()
        if now < self.quiet_until:
            self.quiet_until = now + QUIET
            return False
        return not self.answer.done()

    def press(self, key: str) -> None:
        """Answer by letter or number; other keys do nothing."""
        if answer := KEYS.get(key.lower()):
            self.settle(answer)

    def move(self, step: int) -> None:
        """Choose the next or the previous answer; nothing is chosen at first."""
        at = -1 if self.chosen is None and step > 0 else (self.chosen or 0)
        self.chosen = (at + step) % len(_ORDER)

    def confirm(self) -> None:
        """Give the chosen answer, if one was chosen."""
        if self.chosen is not None:
            self.settle(_ORDER[self.chosen])

    def settle(self, answer: Answer) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def lines(self) -> list[Line]:
        """Give the question; the answers are there from the moment that keys count."""
        if self.clock() < self.quiet_until:
            return [self.head, *[plain("")] * len(_ORDER)]
        return [self.head, *self.answers()]

    @property
    def head(self) -> Line:
        return (("class:warn", "? "), ("class:name", self.title))

    def answers(self) -> list[Line]:
        """Give the answers there are, the chosen one marked."""
        lines: list[Line] = []
        for at, answer in enumerate(_ORDER):
            words = answer.value.format(scope=self.scope)
            row: list[Fragment] = [("class:key", f"  {at + 1} {_LETTERS[at]}"), ("", f"  {words}")]
            if at == self.chosen:
                row = [(f"{style} class:chosen", text) for style, text in row]
            lines.append(tuple(row))
        return lines


class Desk(Protocol):
    """What consent needs of the screen."""

    def show(self, request: Request) -> None:
        """Show in whole what the call will do."""

    async def ask(self, title: str, scope: str) -> Answer:
        """Put the question and wait for the answer."""
        ...

    async def words(self) -> str | None:
        """Read the words for the model; None when the person gave none."""
        ...


def grant_of(request: Request) -> tuple[tuple[str, str], str]:
    """Give what "this session" would grant, as a key and in words: never more than was shown."""
    from tools import Effect

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
        (("class:dim", "  $ " if at == 0 else "  > "), ("", row))
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

        grant, scope = grant_of(request)
        if grant in self._granted and not request.cautions:
            return Allow()
        self._desk.show(request)
        match await self._desk.ask(title_of(request), scope):
            case Answer.ONCE:
                return Allow()
            case Answer.SESSION:
                self._granted.add(grant)
                return Allow()
            case Answer.NO:
                return Refuse(None)
            case Answer.TELL:
                return Refuse(await self._desk.words())

    def rules(self) -> list[str]:
        """Say what was granted for this session."""
        return [f"{name} {what}".strip() for name, what in sorted(self._granted)]

    def forget(self) -> None:
        """Take back what was granted for this session."""
        self._granted.clear()

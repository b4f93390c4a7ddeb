"""A session on a terminal that cannot be drawn on: lines out, lines in, not one escape code.

Law: it asks the same questions as the drawn one, and takes the same answers.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from ui.exits import Exit
from ui.plain.screen import PlainScreen
from ui.plain.terminal_line import TerminalLine
from ui.sanitise import one_line
from ui.terminal.approval import Approvals, preview_lines
from ui.terminal.commands import is_command, run_command
from ui.terminal.desk import chosen, question_lines
from ui.terminal.foreign_call import ScreenOffers
from ui.terminal.question import Answer, Question, Reply, answers_for, reply_of
from ui.terminal.styles import Glyphs, Line, glyphs, plain

if TYPE_CHECKING:
    from agent.events import Event
    from tools import Request
    from ui.terminal.engine import Engine, Opener
    from ui.terminal.recap import Recap
    from ui.terminal.status import Standing

_TWICE = 2.0
_COLUMNS = 1_000  # nothing is cut where nothing is drawn


class DumbDesk:
    """Asks line by line."""

    def __init__(self, screen: PlainScreen, terminal: TerminalLine, look: Glyphs) -> None:
        self._screen = screen
        self._terminal = terminal
        self._look = look

    def show(self, request: Request) -> None:
        """Show in whole what the call will do."""
        self._screen.say(*preview_lines(request, self._look))

    def say(self, lines: list[Line]) -> None:
        """Show lines above a question."""
        self._screen.say(*lines)

    async def ask(self, title: str, scope: str | None) -> Reply:
        """Ask until an answer is clear; words are a no, and so is the end of the input."""
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        question = Question(title, scope, monotonic, future, self._look)
        self._screen.say(question.head, *question.answers())
        forget_typed_ahead()
        while True:
            said = await self._terminal.ask("a number, y, n, or words for a no: ")
            reply = reply_to(said, scope)
            if reply and reply.answer is Answer.TELL and not reply.words:
                reply = Reply(Answer.TELL, await self._terminal.ask("tell the model: "))
            if reply:
                return reply

    async def answer(self, question: str, options: Sequence[str]) -> str:
        """Put the model's own question."""
        self._screen.say(*question_lines(question, options, self._look))
        forget_typed_ahead()
        return chosen(await self._terminal.ask("answer: "), options)


class DumbSession:
    """The person, the agent and a line printer."""

    def __init__(self, standing: Standing, opener: Opener) -> None:
        self.standing = standing
        self._look = glyphs(sys.stdout.encoding)
        self._screen = PlainScreen()
        self._terminal = TerminalLine(sys.stdin.fileno())
        self.desk = DumbDesk(self._screen, self._terminal, self._look)
        self.approvals = Approvals(self.desk)
        self.offers = ScreenOffers(self.desk, self._look)
        self._opener = opener
        self._engine: Engine | None = None
        self._task: asyncio.Task[None] | None = None
        self._main: asyncio.Task[int] | None = None
        self._code: int | None = None
        self._last_interrupt = -_TWICE

    @property
    def session_id(self) -> str | None:
        return self._engine.session_id if self._engine else None

    async def run(self, first: str | None, past: Recap | None) -> int:
        """Take turns until the person leaves, and give the exit code."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self.interrupt)
        self._main = asyncio.create_task(self._turns(first, past))
        try:
            return await self._main
        except asyncio.CancelledError:
            return self._code or Exit.DONE
        finally:
            if self._engine:
                await self._engine.close()

    def hear(self, event: Event) -> None:
        self._screen.hear(event)

    def say(self, lines: list[Line]) -> None:
        self._screen.say(*lines)

    def interrupt(self) -> None:
        """Stop the agent; with nothing running, or twice: leave."""
        again = monotonic() - self._last_interrupt < _TWICE
        self._last_interrupt = monotonic()
        if again or not self._engine or not self._task:
            self.leave(Exit.INTERRUPTED)
        else:
            self._engine.interrupt()

    def leave(self, code: int = Exit.DONE) -> None:
        self._code = code
        if self._main:
            self._main.cancel()

    def start_anew(self) -> None:
        self._engine = None
        self.say([plain("a new session begins with your next message")])

    def told(self) -> list[tuple[str, str]]:
        return self.standing.table(self.session_id)

    def granted(self) -> list[str]:
        return self.approvals.rules()

    def forget_grants(self) -> None:
        self.approvals.forget()

    async def _turns(self, first: str | None, past: Recap | None) -> int:
        self.say(self.standing.welcome(_COLUMNS, self._look))
        if past:
            self.say(past.lines())
        resume = past is not None and (past.unfinished or bool(first))
        if first or resume:
            await self._work(first, resume=resume)
        while self._code is None:
            said = await self._terminal.ask(f"\n{self._look.prompt} ")
            if said is None:
                return Exit.DONE
            if is_command(said):
                run_command(self, said)
            elif said:
                await self._work(said, resume=False)
        return self._code

    async def _work(self, words: str | None, *, resume: bool) -> None:
        try:
            if self._engine is None:
                self._engine = self._opener(self)
            self._task = asyncio.create_task(self._engine.work(words, resume=resume))
            await self._task
        except Exception as error:
            words = one_line(str(error) or type(error).__name__, 600)
            self.say([plain(f"{self._look.bad} {words}", "bad")])
        finally:
            self._task = None


def reply_to(said: str | None, scope: str | None) -> Reply | None:
    """Read a line as an answer; one sign that is none is asked about again."""
    if said is None:
        return Reply(Answer.NO)
    choices = answers_for(scope)
    if said.isascii() and said.isdecimal():
        return Reply(choices[int(said) - 1]) if 1 <= int(said) <= len(choices) else None
    reply = reply_of(said)
    return None if len(said) < 2 and reply.answer is Answer.TELL else reply


def forget_typed_ahead() -> None:
    """Drop what was typed before the question was on the screen: it cannot be meant for it."""
    try:
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
    except (ImportError, OSError, ValueError):
        return

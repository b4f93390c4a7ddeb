"""An interactive session: the person, the agent and the screen brought together.

Law: there is one task at a time; what is typed meanwhile waits its turn and is never lost.
"""

from __future__ import annotations

import asyncio
import sys
from time import monotonic
from typing import TYPE_CHECKING, Any

from agent.errors import AgentError
from ui.exits import Exit
from ui.sanitise import one_line
from ui.streams import is_terminal
from ui.terminal.approval import Approvals
from ui.terminal.commands import is_command, rows, run_command
from ui.terminal.desk import Desk
from ui.terminal.foreign_call import ScreenOffers
from ui.terminal.keys import bindings
from ui.terminal.page import Page
from ui.terminal.prompt import Prompt, Words
from ui.terminal.question import Question
from ui.terminal.rows import message
from ui.terminal.screen import Screen, SteadyOutput
from ui.terminal.status import Standing
from ui.terminal.styles import Glyphs, Line, plain, shown, style

if TYPE_CHECKING:
    from prompt_toolkit.history import History

    from agent.events import Event
    from ui.terminal.engine import Engine, Opener
    from ui.terminal.recap import Recap

_TWICE = 2.0  # seconds in which a second Ctrl-C leaves
_TICK = 0.1  # seconds between two pictures of the spinner
_PATIENCE = 3.0  # seconds an interrupted task gets to end by itself


class Session:
    """What keys, commands and the agent act on."""

    def __init__(
        self,
        standing: Standing,
        opener: Opener,
        history: History,
        output: SteadyOutput,
        look: Glyphs,
        *,
        colour: bool,
    ) -> None:
        self.standing = standing
        self._look = look
        self._opener = opener
        self._engine: Engine | None = None
        self._task: asyncio.Task[None] | None = None
        self._last_interrupt = -_TWICE
        self._code: int = Exit.DONE
        self._left = False
        self.page = Page(look, monotonic, lambda: self.screen.columns)
        self.prompt = Prompt(history, Words(rows), self._lead, hidden=lambda: bool(self.question))
        self.desk = Desk(self.prompt, self.page, look, monotonic)
        self.approvals = Approvals(self.desk)
        self.offers = ScreenOffers(self.desk, look)
        self.screen = Screen(
            output,
            style(colour=colour),
            self.prompt,
            bindings(self),
            {
                "live": lambda: self.page.live(max(3, self.screen.rows // 2)),
                "queue": lambda: standing.queue_lines(self.screen.columns, look),
                "ask": lambda: self.desk.lines(self.screen.columns),
                "status": lambda: [standing.line(self.screen.columns, look)],
            },
        )
        self.desk.screen = self.screen

    @property
    def question(self) -> Question | None:
        return self.desk.question

    @property
    def telling(self) -> bool:
        return self.desk.telling

    def clear_words(self) -> None:
        """Esc: from the words of a refusal back to the answers."""
        self.desk.clear_words()

    @property
    def working(self) -> bool:
        return self._task is not None

    @property
    def session_id(self) -> str | None:
        return self._engine.session_id if self._engine else None

    async def run(self, first: str | None, past: Recap | None) -> int:
        """Show the first screen, take turns until the person leaves, give the exit code."""
        self.say(self.standing.welcome(self.screen.columns, self._look))
        if past:
            self.say(past.lines())
        resume = past is not None and (past.unfinished or bool(first))
        ticking = asyncio.create_task(self._tick())
        try:
            asyncio.get_running_loop().set_exception_handler(self._crash)
            await self.screen.app.run_async(
                pre_run=lambda: self._begin(first, resume=resume), set_exception_handler=False
            )
        except EOFError:
            self._code = Exit.DONE if is_terminal(sys.stdin) else Exit.HANGUP
        finally:
            ticking.cancel()
            await self._stop()
            await self._close()
            self.screen.put(self.page.take())
            self.screen.flush_lines()
        return self._code

    def hear(self, event: Event) -> None:
        """Take in what the agent tells."""
        from agent.events import UsageTold
        from ui.terminal.transcript import hear

        if isinstance(event, UsageTold):
            self.standing.count(event.usage)
        hear(self.page, event)
        self._draw()

    def say(self, lines: list[Line]) -> None:
        """Put lines of our own on the page."""
        self.page.say(lines)
        self._draw()

    def submit(self) -> None:
        """Act on what was written."""
        self.standing.hint = ""
        if self.desk.submit():
            self._draw()
            return
        text = self.prompt.take()
        if not text.strip():
            return
        if is_command(text):
            self._echo(text)
            run_command(self, text)
        elif self.working:
            self.standing.queued.append(text)
        else:
            self._start(text)
        self._draw()

    def interrupt(self) -> None:
        """Ctrl-C: stop the agent, also while it asks; else drop the draft; twice: leave."""
        again = monotonic() - self._last_interrupt < _TWICE
        self._last_interrupt = monotonic()
        if again and not self.question:
            self.leave(Exit.INTERRUPTED if self.working else Exit.DONE)
        elif self.working:
            self.standing.hint = "interrupting; Ctrl-C again leaves"
            if self._engine:
                self._engine.interrupt()
        elif self.prompt.buffer.text:
            self.prompt.stash()
            self._last_interrupt = -_TWICE
        else:
            self.standing.hint = "Ctrl-C again leaves"
        self._draw()

    def end_of_input(self) -> None:
        """Ctrl-D with nothing written: no to what is asked, else leave."""
        if not self.desk.give_up():
            self.leave()

    def leave(self, code: int = Exit.DONE) -> None:
        """End the session."""
        self._code, self._left = code, True
        if self.screen.app.is_running and not self.screen.app.is_done:
            self.screen.app.exit(result=code)

    def start_anew(self) -> None:
        """Let the next message begin a new session."""
        if self.working:
            self.say([plain("the agent is at work; Ctrl-C interrupts it", "warn")])
            return
        self._engine = None
        self.standing.sent = self.standing.tokens = 0
        self.say([plain("a new session begins with your next message")])

    def told(self) -> list[tuple[str, str]]:
        """Give what /status shows."""
        return self.standing.table(self.session_id)

    def granted(self) -> list[str]:
        return self.approvals.rules()

    def forget_grants(self) -> None:
        self.approvals.forget()

    def _begin(self, first: str | None, *, resume: bool) -> None:
        if resume:
            self._task = asyncio.get_running_loop().create_task(self._work(first, resume=True))
        elif first:
            self._start(first)

    def _start(self, text: str) -> None:
        self._echo(text)
        self._task = asyncio.get_running_loop().create_task(self._work(text, resume=False))

    async def _work(self, words: str | None, *, resume: bool) -> None:
        """Run one task; what goes wrong is said and ends the task, not the session."""
        try:
            if self._engine is None:
                self._engine = self._opener(self)
            await self._engine.work(words, resume=resume)
        except Exception as error:
            self._trouble(error)
        finally:
            self._task = None
            self.standing.hint = ""
            self._draw()
        self._next()

    def _next(self) -> None:
        """Begin the message that waits; after an interrupt it goes back to the prompt instead."""
        queued, self.standing.queued = self.standing.queued, []
        if not queued or self._left:
            return
        text = "\n\n".join(queued)
        if monotonic() - self._last_interrupt < _TWICE:
            self.prompt.fill("\n".join(filter(None, [text, self.prompt.buffer.text])))
        else:
            self._start(text)

    def _crash(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End with what nobody caught; it is seen once the terminal is restored."""
        error = context.get("exception")
        if error and self.screen.app.is_running and not self.screen.app.is_done:
            self.screen.app.exit(exception=error)

    def _trouble(self, error: Exception) -> None:
        kind = "" if isinstance(error, AgentError) else f"{type(error).__name__}: "
        words = one_line(f"{kind}{error}", 600)
        self.page.end()
        self.say(message("class:bad", self._look.bad, words, self.screen.columns))

    async def _stop(self) -> None:
        """End the task that runs, its commands included, before the terminal is given back."""
        task = self._task
        if task is None:
            return
        self.desk.give_up()
        if self._engine:
            self._engine.interrupt()
        done, _ = await asyncio.wait({task}, timeout=_PATIENCE)
        if not done:
            task.cancel()
            await asyncio.wait({task}, timeout=_PATIENCE)

    async def _close(self) -> None:
        if self._engine:
            await self._engine.close()

    async def _tick(self) -> None:
        """Keep the spinner and the clock going while something is open."""
        while True:
            await asyncio.sleep(_TICK)
            if self.working:
                self.screen.touch()
            elif self.standing.hint and monotonic() - self._last_interrupt > _TWICE:
                self.standing.hint = ""
                self.screen.touch()

    def _lead(self) -> str:
        lead = self.desk.lead
        return f"{lead} {self._look.prompt} " if lead else f"{self._look.prompt} "

    def _echo(self, text: str) -> None:
        first, *rest = shown(text.strip()).split("\n")
        head: Line = (("class:mark", f"{self._look.prompt} "), ("class:strong", first))
        self.say([head, *((("class:strong", f"  {line}"),) for line in rest)])

    def _draw(self) -> None:
        self.screen.put(self.page.take())
        self.screen.touch()

"""What the agent asks a person, and how the answers come back.

Law: one thing is asked at a time, and an interrupt or the end of the input is never a yes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ui.terminal.approval import preview_lines
from ui.terminal.prose import Prose
from ui.terminal.question import QUIET, Answer, Question, Reply, reply_of, telling_lines
from ui.terminal.styles import Glyphs, Line, plain, shown

if TYPE_CHECKING:
    from tools import Request
    from ui.terminal.page import Page
    from ui.terminal.prompt import Prompt
    from ui.terminal.screen import Screen

_TELL = "tell the model"
_WIDE = 10_000  # columns of what the page folds


class Desk:
    """Asks for consent, for words, and for answers."""

    def __init__(
        self, prompt: Prompt, page: Page, look: Glyphs, clock: Callable[[], float]
    ) -> None:
        self._prompt = prompt
        self._page = page
        self._look = look
        self._clock = clock
        self.screen: Screen | None = None  # set once the screen stands; it draws what is here
        self.question: Question | None = None
        self._reading: asyncio.Future[str | None] | None = None
        self._quiet_until = 0.0
        self._word = ""
        self._telling = ""  # the question that words of a refusal are written for

    @property
    def reading(self) -> bool:
        """Claim that what is written next answers a question."""
        return self._reading is not None

    @property
    def telling(self) -> bool:
        """Claim that what is written are the words of a refusal."""
        return self._telling != ""

    def lines(self, columns: int) -> list[Line]:
        """Give what stands in place of the prompt, or above it."""
        if self.question:
            return self.question.lines(columns)
        if self._telling:
            return telling_lines(self._telling, self._prompt.buffer.text, columns, self._look)
        return []

    @property
    def lead(self) -> str:
        """Give the word before the prompt, once what is sent counts as an answer."""
        return self._word if self._clock() >= self._quiet_until else ""

    def show(self, request: Request) -> None:
        """Show in whole what the call will do."""
        self._page.say(preview_lines(request, self._look))
        self._page.mark_shown(request.call_id)
        self._draw()

    def say(self, lines: list[Line]) -> None:
        """Show lines above a question."""
        self._page.say(lines)
        self._draw()

    async def ask(self, title: str, scope: str | None) -> Reply:
        """Put the question in place of the prompt until it is answered, words included."""
        fresh = True
        while True:
            answer, begun, sent = await self._put(title, scope, fresh=fresh)
            if answer is not Answer.TELL:
                return Reply(answer)
            if sent:
                self._echo(_TELL, begun)
            words = begun if sent else await self._words(title, begun)
            if words is None:
                return Reply(Answer.NO)
            if words.strip():
                return reply_of(words)
            fresh = False

    async def _put(self, title: str, scope: str | None, *, fresh: bool) -> tuple[Answer, str, bool]:
        """Ask once; gives the answer, the words that were begun, and whether they were sent."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        asked = Question(title, scope, self._clock, answer, self._look, fresh)
        self.question = asked
        if self.screen:
            self.screen.focus_question()
        self._draw()
        try:
            await answer
            return answer.result(), asked.typed, asked.sent
        finally:
            self.question = None
            if self.screen:
                self.screen.focus_prompt()
            self._draw()

    async def _words(self, title: str, begun: str) -> str | None:
        """Read the words for the model; the draft that was there comes back after."""
        draft = self._prompt.stash()
        self._telling = title or "?"
        self._prompt.fill(begun)
        try:
            return await self._read(_TELL, quiet=0)
        finally:
            self._telling = ""
            self._prompt.fill(draft)

    async def answer(self, question: str, options: Sequence[str]) -> str:
        """Put the model's own question; an answer is a number of the list or any words."""
        self._page.say(question_lines(question, options, self._look))
        said = await self._read("answer", quiet=QUIET)
        return chosen(said, options)

    def submit(self) -> bool:
        """Take what was written as the answer that is waited for; say whether one was."""
        if self._reading is None:
            return False
        if self._clock() >= self._quiet_until and self._prompt.buffer.text.strip():
            text = self._prompt.stash()
            self._echo(self._word, text)
            if not self._reading.done():
                self._reading.set_result(text.strip())
        return True

    def clear_words(self) -> None:
        """Go back from the words of a refusal to the answers."""
        if self._telling and self._reading and not self._reading.done():
            self._reading.set_result("")

    def give_up(self) -> bool:
        """Answer no, or nothing, to what is asked; say whether anything was."""
        if self.question:
            self.question.settle(Answer.NO)
            return True
        if self._reading and not self._reading.done():
            self._reading.set_result(None)
        return self._reading is not None

    async def _read(self, lead: str, *, quiet: float) -> str | None:
        self._reading = asyncio.get_running_loop().create_future()
        self._quiet_until = self._clock() + quiet
        self._word = lead
        self._draw()
        try:
            return await self._reading
        finally:
            self._reading, self._word = None, ""
            self._draw()

    def _echo(self, word: str, text: str) -> None:
        first, *rest = shown(text.strip()).split("\n")
        head: Line = (("class:dim", f"{word} {self._look.prompt} "), ("", first))
        self._page.say([head, *(plain(f"  {line}") for line in rest)])

    def _draw(self) -> None:
        if self.screen:
            self.screen.put(self._page.take())
            self.screen.touch()


def chosen(said: str | None, options: Sequence[str]) -> str:
    """Read an answer: a number of the list, or any words; raises NobodyThere when there is none."""
    if said is None:
        from tools import NobodyThere

        raise NobodyThere("the person gave no answer")
    words = said.strip()
    if words.isascii() and words.isdecimal() and 1 <= int(words) <= len(options):
        return options[int(words) - 1]
    return words


def question_lines(question: str, options: Sequence[str], look: Glyphs) -> list[Line]:
    """Show a question of the model with its numbered answers."""
    prose = Prose()
    lines = [*prose.feed(shown(question.strip()) + "\n", _WIDE), *prose.close(_WIDE)]
    first: Line = (("class:warn", "? "), *(lines[0] if lines else ()))
    rows: list[Line] = [first, *(((("", "  ")), *line) for line in lines[1:])]
    rows += [
        (("class:key", f"  {number} "), ("", shown(option)))
        for number, option in enumerate(options, 1)
    ]
    if options:
        hint = f"  a number {look.dot} or your own words"
        rows.append((("class:dim", hint),))
    return rows

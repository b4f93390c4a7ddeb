"""One question for consent: its answers, and which keys give them.

Law: only a deliberate key answers.  A key that is followed by another was the beginning of words,
and words are never a yes; keys that were on their way when the question came up are no answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from ui.terminal.fold import fold
from ui.terminal.styles import Fragment, Glyphs, Line, plain

QUIET = 0.3  # seconds without a key before a key counts as an answer
_BACKSPACE = "\x7f"
ALONE = 0.4  # seconds a key must stay alone to be an answer and not the beginning of words


class Answer(Enum):
    """What a person can say to a call."""

    ONCE = "yes, once"
    SESSION = "yes, and {scope} in this session"
    NO = "no"
    TELL = "no, and tell the model what to do instead"


LETTERS = {"y": Answer.ONCE, "n": Answer.NO}
_WHOLE = LETTERS | {"yes": Answer.ONCE, "no": Answer.NO}


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, with the words of a refusal."""

    answer: Answer
    words: str | None = None


def reply_of(words: str) -> Reply:
    """Read words that were sent: a yes or no alone is one, anything else a no with words."""
    answer = _WHOLE.get(words.strip().lower())
    return Reply(answer) if answer else Reply(Answer.TELL, words.strip())


def answers_for(scope: str | None) -> tuple[Answer, ...]:
    """Give the answers there are, in their order; without a scope there is no wide yes."""
    return tuple(answer for answer in Answer if scope or answer is not Answer.SESSION)


@dataclass(slots=True)
class Question:
    """One open question: what is asked, what is chosen so far, and when keys begin to count.

    `typed` holds what turned out to be words; `sent` says that Enter came behind them.
    """

    title: str
    scope: str | None
    clock: Callable[[], float]
    answer: asyncio.Future[Answer]
    look: Glyphs
    fresh: bool = True  # no other key came before: letters are answers
    quiet_until: float = 0.0
    chosen: int | None = None
    typed: str = ""
    sent: bool = False
    _alone: str = ""
    _timer: asyncio.TimerHandle | None = field(default=None)

    def __post_init__(self) -> None:
        self.quiet_until = self.clock() + QUIET

    @property
    def choices(self) -> tuple[Answer, ...]:
        return answers_for(self.scope)

    def hears(self, key: str = "") -> bool:
        """Claim that a key now is an answer; one that is too early makes the quiet longer."""
        now = self.clock()
        if now < self.quiet_until:
            self.quiet_until = now + QUIET
            if key.isprintable() and key.strip() and self._at(key) is None:
                self.fresh = False  # words were on their way: what follows may belong to them
            return False
        return not self.answer.done() or self.answer.result() is Answer.TELL

    def press(self, key: str) -> None:
        """Take a key: a number, or y and n as the first one, answers once it stayed alone."""
        at = None if self.typed or self._alone or self.answer.done() else self._at(key)
        if at is None:
            if key == _BACKSPACE or (
                key.isprintable() and (self.typed or self._alone or key.strip())
            ):
                self.write(key)
        elif self.choices[at] is Answer.TELL:
            self.settle(Answer.TELL)
        else:
            self.chosen, self._alone = at, key
            self._timer = asyncio.get_running_loop().call_later(ALONE, self.confirm)
        self.fresh = False

    def write(self, text: str) -> None:
        """Take words in: they answer no, and go to the model when they are sent."""
        typed = self._alone + self.typed
        self.typed = typed[:-1] if text == _BACKSPACE else typed + text
        self._stop()
        self.chosen, self.fresh = None, False
        if self.typed:
            self.settle(Answer.TELL)

    def move(self, step: int) -> None:
        """Choose the next or the previous answer; nothing is chosen at first."""
        if self.typed:
            return
        self._stop()
        at = -1 if self.chosen is None and step > 0 else (self.chosen or 0)
        self.chosen, self.fresh = (at + step) % len(self.choices), False

    def confirm(self) -> None:
        """Give the chosen answer, if one was chosen; send the words, if there are any."""
        self.sent = self.typed != ""
        if self.chosen is not None:
            self.settle(self.choices[self.chosen])

    def settle(self, answer: Answer) -> None:
        self._stop()
        if not self.answer.done():
            self.answer.set_result(answer)

    def lines(self, columns: int) -> list[Line]:
        """Give the question; the answers are there from the moment that keys count."""
        rows = fold([*self.answers(), self._hint()], columns)
        if self.clock() < self.quiet_until:
            rows = [plain("")] * len(rows)
        return [*fold([self.head], columns), *rows]

    @property
    def head(self) -> Line:
        return (("class:warn", "? "), ("class:name", self.title))

    def answers(self) -> list[Line]:
        """Give the answers there are, the chosen one marked; letters only while they answer."""
        letters = {answer: letter for letter, answer in LETTERS.items()}
        lines: list[Line] = []
        for at, answer in enumerate(self.choices):
            letter = letters.get(answer, " ") if self.fresh or self._alone else " "
            words = answer.value.format(scope=self.scope)
            row: list[Fragment] = [("class:key", f"  {at + 1} {letter}  "), ("", words)]
            if at == self.chosen:
                row = [(f"{style} class:chosen", text) for style, text in row]
            lines.append(tuple(row))
        return lines

    def _hint(self) -> Line:
        dot = self.look.dot
        return plain(f"  other words: no, with them {dot} Esc: no {dot} Ctrl-C: interrupt", "dim")

    def _at(self, key: str) -> int | None:
        """Give the answer that a key stands for, as its place."""
        if key in ("1", "2", "3", "4") and int(key) <= len(self.choices):
            return int(key) - 1
        answer = LETTERS.get(key.lower()) if self.fresh else None
        return self.choices.index(answer) if answer else None

    def _stop(self) -> None:
        self._alone = ""
        if self._timer:
            self._timer.cancel()
            self._timer = None


def telling_lines(title: str, words: str, columns: int, look: Glyphs) -> list[Line]:
    """Give what stands above words while they are written: what sending them would answer."""
    answer = reply_of(words).answer
    sends = "no, with these words" if answer is Answer.TELL else answer.value
    head: Line = (("class:warn", "? "), ("class:name", title))
    hint = f"  Enter: {sends} {look.dot} Esc: clear {look.dot} Ctrl-C: interrupt"
    return fold([head, plain(hint, "dim")], columns)

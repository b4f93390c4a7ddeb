"""Decides after each reply: go on, with which words to the model, or end, and how.

Law: no reply leaves the loop where it was; each path leads to a result, a reminder that is
counted, or an end that says why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agent.errors import AgentError, LimitReached, ProviderError, RateLimited, StreamBroken
from agent.events import End, Status
from agent.limits import Limits
from agent.repetition import Repetition
from agent.results import (
    BROKEN_WORDS,
    CUT_TEXT,
    INTERRUPTED_WORDS,
    ONLY_THOUGHT,
    REPEATED,
    Answer,
    nudge,
)
from agent.turn import FILTERED, Reply
from parsing import Block, TextBlock
from tools import OutcomeKind

CODES: dict[Status, int] = {
    "completed": 0,
    "failed": 1,
    "limit": 3,
    "needs_approval": 4,
    "no_tool_used": 4,
    "interrupted": 130,
}
TRANSIENT = 75


@dataclass(frozen=True, slots=True)
class Verdict:
    """What follows from a reply.

    `answers` and `words` go to the model; without an `end` the next request is sent after
    `wait_s` seconds, and `why` is what the person is told about a repeated one.
    """

    answers: tuple[Answer, ...] = ()
    words: tuple[str, ...] = ()
    end: End | None = None
    why: str = ""
    attempt: int = 0
    wait_s: float = 0.0
    most: int = 0


def ended(status: Status, result: str, error: Exception | None = None) -> End:
    """Make an end with the exit code of its status; a fault that may pass has a code of its own."""
    transient = status == "failed" and isinstance(error, AgentError) and error.retryable
    return End(status, result, TRANSIENT if transient else CODES[status], error)


class Judge:
    """Counts over one task what must not go on for ever.

    `example` is a call in the dialect's spelling; `slip` says what is wrong with a message that
    holds no call.
    """

    def __init__(
        self, limits: Limits, example: str, slip: Callable[[Sequence[Block]], str]
    ) -> None:
        self._limits, self._example, self._slip = limits, example, slip
        self._repetition = Repetition()
        self._breaks = self._empties = self._nudges = self._mistakes = 0
        self._answer = ""

    def judge(self, reply: Reply) -> Verdict:
        """Take a reply in; gives what follows from it."""
        if reply.finish == "interrupted":
            end = ended("interrupted", "Interrupted by the user.")
            return Verdict(reply.answers, (*_corrected(reply), INTERRUPTED_WORDS), end)
        if decided := self._decided(reply):
            return Verdict(reply.answers, _corrected(reply), decided)
        if reply.finish == "broken":
            return self._broken(reply)
        self._breaks = 0
        if not reply.uses and not any(isinstance(b, TextBlock) for b in reply.blocks):
            return self._empty(reply)
        self._empties = 0
        return self._used(reply) if reply.uses else self._idle(reply)

    def _decided(self, reply: Reply) -> End | None:
        """Give the end that a call brought about, however the stream went on."""
        for answer in reply.answers:
            kind = answer.outcome.kind if answer.outcome else None
            if answer.outcome and kind is OutcomeKind.COMPLETED:
                return ended("completed", answer.outcome.for_person)
            if kind is OutcomeKind.REFUSED and self._limits.stop_when_refused:
                why = f"{answer.use.name} needed approval, and nobody was there to give it."
                return ended("needs_approval", why)
        if reply.finish == FILTERED and not reply.answers:
            error = ProviderError("The server's content filter stopped the reply.")
            return ended("failed", str(error), error)
        return None

    def _broken(self, reply: Reply) -> Verdict:
        error = reply.error or StreamBroken("The stream ended early.")
        verdict = Verdict(reply.answers, (BROKEN_WORDS,) if reply.message else ())
        again = error.retryable and (reply.message is not None or isinstance(error, StreamBroken))
        if not again or self._breaks >= len(self._limits.backoff_s):
            return replace(verdict, end=ended("failed", str(error), error))
        wait_s = self._limits.backoff_s[self._breaks]
        if isinstance(error, RateLimited):
            wait_s = max(wait_s, error.retry_after or 0.0)
        self._breaks += 1
        most = len(self._limits.backoff_s)
        return replace(verdict, why=str(error), attempt=self._breaks, wait_s=wait_s, most=most)

    def _empty(self, reply: Reply) -> Verdict:
        self._empties += 1
        words = (ONLY_THOUGHT,) if reply.message else ()
        if reply.finish == "length":
            words = (CUT_TEXT,) if reply.message else ()
        if self._empties > self._limits.empty_retries:
            error = ProviderError(
                f"The model gave an empty reply {self._empties} times in a row. Try again, or "
                "another model; a very small context window on the server can be the cause."
            )
            return Verdict((), words, ended("failed", str(error), error))
        most = self._limits.empty_retries
        return Verdict((), words, None, "the reply was empty", self._empties, most=most)

    def _idle(self, reply: Reply) -> Verdict:
        self._nudges += 1
        # what comes after a reminder is often no more than "I have answered already"
        self._answer = max(_said(reply.blocks), self._answer, key=len)
        words = _corrected(reply) or (nudge(self._example, self._slip(reply.blocks)),)
        if reply.finish == "length":
            words = (CUT_TEXT,)
        if self._nudges > self._limits.nudges:
            return Verdict((), (), ended("no_tool_used", self._answer))
        return Verdict((), words)

    def _used(self, reply: Reply) -> Verdict:
        self._nudges, self._answer = 0, ""
        verdict = Verdict(reply.answers, _corrected(reply))
        last = reply.answers[-1]
        if reply.finish == "length" and last.use.partial and self._repetition.cut_again(last.use):
            error = LimitReached(
                f"The same {last.use.name} call was cut off by the token limit twice. Raise "
                "max_tokens, or ask for smaller steps.",
                "max_tokens",
            )
            return replace(verdict, end=ended("failed", str(error), error))
        return self._counted(reply, verdict)

    def _counted(self, reply: Reply, verdict: Verdict) -> Verdict:
        """Count mistakes in a row and calls that repeat themselves."""
        for answer in reply.answers:
            refused = answer.outcome and answer.outcome.kind is OutcomeKind.REFUSED
            wrong = answer.outcome is not None or answer.use.partial or answer.use.fault
            if answer.outcome is not None and not answer.outcome.failed:
                self._mistakes = 0
            elif wrong and not refused:
                self._mistakes += 1
        counts = [self._repetition.count(a.use, a.text) for a in reply.answers if a.outcome]
        most = max(counts, default=0)
        if most >= self._limits.stop_repeats:
            return replace(verdict, end=_limit(f"The same call gave the same result {most} times."))
        if self._mistakes >= self._limits.max_mistakes:
            return replace(verdict, end=_limit(f"{self._mistakes} calls failed in a row."))
        if most >= self._limits.warn_repeats:
            return replace(verdict, words=(*verdict.words, REPEATED.format(count=most)))
        return verdict


def _corrected(reply: Reply) -> tuple[str, ...]:
    """Give what the model is told of calls that it wrote in another dialect."""
    return (reply.foreign.words,) if reply.foreign and reply.foreign.words else ()


def _limit(why: str) -> End:
    return ended("limit", why, LimitReached(why))


def _said(blocks: Sequence[Block]) -> str:
    texts = [block.content for block in blocks if isinstance(block, TextBlock)]
    return "\n\n".join(text for text in texts if text)

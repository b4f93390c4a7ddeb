"""The loop: request, reply, verdict, until the task ends.

Law: the history is well-formed before each request, and what is told was recorded first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

from agent.calls import Calls
from agent.conversation import Conversation
from agent.divergence import saved_report
from agent.errors import AgentError, Rejected, SessionError
from agent.events import (
    Diverged,
    End,
    Event,
    Noticed,
    Retried,
    TaskFinished,
    TaskStarted,
    TurnFinished,
    TurnStarted,
    UsageTold,
)
from agent.foreign import Border, Offers
from agent.judgement import Judge, Verdict, ended
from agent.limits import Limits
from agent.native_speech import speech_of, weight
from agent.presenter import Presenter
from agent.providers.base import Message, Provider, Request
from agent.results import INTERRUPTED_WORDS, RESUMED_WORDS
from agent.room import Room
from agent.sessions.store import Session
from agent.turn import Ears, Reply, Turn
from parsing import Mode
from tools import Executor

_KEPT = 0.6


def _unheard(event: Event) -> None:
    """Take an event that nobody listens to."""


class Agent:
    """A model, tools and a conversation; it works on one task at a time."""

    def __init__(
        self,
        provider: Provider,
        executor: Executor,
        *,
        dialect: str = "cline",
        mode: Mode = "reparse",
        session: Session | None = None,
        listen: Callable[[Event], None] = _unheard,
        limits: Limits | None = None,
        offers: Offers | None = None,
    ) -> None:
        """Open the session's conversation; raises SessionError when it cannot be read.

        `dialect` is how the model is spoken to: a dialect's name, or `native`.
        `offers` is asked about calls in another dialect; nobody there means no.
        """
        self._provider = provider
        self._mode: Mode = mode
        self._limits = limits or Limits()
        self.speech = speech_of(dialect, executor.specs)
        self._conversation = Conversation(session, self.speech)
        self._listen = listen
        self._tell = self._conversation.teller(listen)
        executor.workspace.restore(self._conversation.seen)
        self._calls = Calls(executor, self._tell, self._conversation.saw)
        self._border = Border(
            self.speech, self._limits.foreign_calls, offers, self._calls.fits, self._tell
        )
        self._room = Room(self._limits)
        self._system = self.speech.prompt(
            executor.workspace.root,
            several=self._limits.several_tools,
            compact=self._limits.compact_prompt,
        )
        self._offered = self.speech.offered(compact=self._limits.compact_prompt)
        self._standing = len(self._system) + weight(self._offered)
        several, constrain = self._limits.several_tools, self._limits.constrain
        self._grammar = self.speech.grammar(several=several) if constrain != "off" else None
        self._turn: Turn | None = None
        self._stop = asyncio.Event()

    @property
    def session(self) -> Session | None:
        return self._conversation.session

    @property
    def messages(self) -> tuple[Message, ...]:
        """The history as the model would be sent it now."""
        return self._conversation.history.messages

    async def run(self, task: str) -> End:
        """Work on a task, or on what the person says next, until it ends."""
        if self.session:
            self.session.entitle(task)
        return await self._work(task, task)

    async def resume(self, words: str | None = None) -> End:
        """Go on with the session where it ended, with the person's words when there are any."""
        restored = self._conversation.restored
        said = [RESUMED_WORDS] if restored.interrupted and self._conversation.turns else []
        return await self._work(words or "", "\n\n".join([*said, words or ""]) or RESUMED_WORDS)

    def interrupt(self) -> None:
        """Stop the stream, or the command with its tree; the run then ends by itself."""
        self._stop.set()
        if self._turn is not None:
            self._turn.interrupt()

    async def _work(self, task: str, words: str) -> End:
        self._stop.clear()
        session_id = self.session.id if self.session else ""
        speech, model = self.speech, self._provider.model
        try:
            if not words.strip() and not self.messages:
                raise AgentError("There is nothing to do: the task is empty.")
            self._conversation.user(words if words.strip() else RESUMED_WORDS)
            self._tell(TaskStarted(session_id, task, model, speech.name, self._mode))
            end = await self._until_end()
        except AgentError as error:
            end = ended("failed", str(error), error)
        try:
            self._tell(TaskFinished(end))
        except SessionError:  # it cannot be recorded any more, and is told all the same
            self._listen(TaskFinished(end))
        return end

    async def _until_end(self) -> End:
        judge = Judge(self._limits, self.speech.example, self.speech.slip)
        for _ in range(self._limits.max_turns):
            reply = await self._reply()
            verdict = judge.judge(reply)
            self._conversation.answer(self.speech.results(verdict.answers, verdict.words))
            if verdict.end is not None:
                return verdict.end
            if await self._stopped_during(verdict):
                self._conversation.user(INTERRUPTED_WORDS)
                return ended("interrupted", "Interrupted by the user.")
        return ended("limit", f"The task took more than {self._limits.max_turns} turns.")

    async def _stopped_during(self, verdict: Verdict) -> bool:
        """Wait as long as the verdict says; says whether the person interrupted."""
        if verdict.why:
            self._tell(Retried(verdict.attempt, verdict.wait_s, verdict.why, verdict.most))
        if verdict.wait_s > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), verdict.wait_s)
        return self._stop.is_set()

    async def _reply(self) -> Reply:
        """Take one turn; once more with a shorter history when the server says it is too long."""
        reply = await self._take_turn(self._room.characters(self._standing))
        too_long = isinstance(reply.error, Rejected) and reply.error.kind == "context"
        if too_long and self._make_room(self._conversation.history.size() // 2):
            reply = await self._take_turn(self._conversation.history.size())
        return reply

    async def _take_turn(self, most: int) -> Reply:
        self._make_room(most)
        self._conversation.turns += 1
        number = self._conversation.turns
        history = self._conversation.history
        self._tell(TurnStarted(number))
        presenter = Presenter(self._tell, self._calls, several=self._limits.several_tools)
        reading = self.speech.reading(self._mode, self._diverged)
        ears = Ears(
            self._hear,
            self._conversation.piece,
            self._conversation.assistant,
            self.speech.said,
            self._border.look,
        )
        self._turn = Turn(self._provider, reading, presenter, ears)
        if self._stop.is_set():
            self._turn.interrupt()
        try:
            reply = await self._turn.take(
                Request(
                    self._system,
                    history.messages,
                    self._limits.max_tokens,
                    self._limits.temperature,
                    self._constraint(history.messages),
                    tools=self._offered,
                )
            )
        finally:
            self._turn = None
        self._tell(TurnFinished(number, reply.finish))
        return reply

    def _constraint(self, messages: Sequence[Message]) -> str | None:
        """Give the grammar; one sent by itself is left out once the model reasons in a channel."""
        reasons = any(message.reasoning for message in messages)
        return None if reasons and self._limits.constrain == "auto" else self._grammar

    def _make_room(self, most: int) -> int:
        """Cut a history of more than `most` characters well below that: cutting is to be rare."""
        if self._conversation.history.size() <= most:
            return 0
        dropped = self._conversation.make_room(int(most * _KEPT))
        if dropped:
            self._tell(Noticed("context", f"{dropped} old messages were left out to save room."))
        return dropped

    def _hear(self, event: Event) -> None:
        if isinstance(event, UsageTold):
            sent = self._standing + self._conversation.history.size()
            self._room.learn(event.usage, sent)
        self._tell(event)

    def _diverged(self, report: str) -> None:
        self._tell(Diverged(report, saved_report(report, self.session, self._conversation.turns)))

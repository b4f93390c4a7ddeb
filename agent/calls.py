"""Runs calls through the executor, and tells what it asks and begins.

Law: a call is told as started, and so recorded, after consent and before its effect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agent.events import CallAsked, CallDecided, CallStarted, Event
from agent.native import NativeUse
from parsing import ToolUse
from parsing.values import Form
from tools import Allow, Consent, Decision, Effect, Executor, Outcome, Request


class Calls:
    """Stands between the presenter and the executor, and between it and whoever consents.

    `remember` takes what the model has seen of files, before a call's result is told.
    """

    def __init__(
        self,
        executor: Executor,
        tell: Callable[[Event], None],
        remember: Callable[[Mapping[str, str]], None],
    ) -> None:
        self._executor, self._tell, self._remember = executor, tell, remember
        self._consent: Consent = executor.consent
        self._waiting: dict[str, ToolUse] = {}
        self._begun: set[str] = set()
        self._talk = {tool.name for tool in executor.tools if tool.effect is Effect.TALK}
        executor.consent = self

    async def run(self, use: ToolUse, call_id: str) -> Outcome:
        """Run a call; raises only CancelledError."""
        self._waiting[call_id] = use
        if use.name in self._talk:  # nobody is asked before it speaks
            self._begin(call_id, use)
        try:
            return await self._executor.execute(use, call_id, exact=_exact(use))
        finally:
            self._waiting.pop(call_id, None)
            self._remember(self._executor.workspace.export())

    async def decide(self, request: Request) -> Decision:
        """Ask whoever consents, and tell the question and the answer."""
        self._tell(CallAsked(request.call_id, request))
        decision = await self._consent.decide(request)
        self._tell(CallDecided(request.call_id, decision))
        if isinstance(decision, Allow) and (use := self._waiting.get(request.call_id)):
            self._begin(request.call_id, use)
        return decision

    def fits(self, use: ToolUse) -> bool:
        """Say whether a call could be run, if it were allowed."""
        return self._executor.fits(use)

    def begun(self, call_id: str) -> bool:
        """Say whether a call may have had an effect."""
        return call_id in self._begun

    def _begin(self, call_id: str, use: ToolUse) -> None:
        self._begun.add(call_id)
        self._tell(CallStarted(call_id, use))


def _exact(use: ToolUse) -> bool:
    """Say whether the values are what the model means to the byte: native, JSON and literals."""
    literal = any(value.form in (Form.JSON, Form.PYTHON, Form.GEMMA) for value in use.values)
    return isinstance(use, NativeUse) or use.raw is not None or literal

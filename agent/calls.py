"""Runs calls through the executor, and tells what it asks, begins and hears.

Law: a call is told as started, and so recorded, after consent and before its effect.
"""

from __future__ import annotations

from collections.abc import Callable

from agent.events import CallAsked, CallDecided, CallOutput, CallStarted, Event
from parsing import ToolUse
from tools import Allow, Consent, Decision, Executor, Outcome, Request


class Calls:
    """Stands between the presenter and the executor, and between it and whoever consents."""

    def __init__(self, executor: Executor, tell: Callable[[Event], None]) -> None:
        self._executor, self._tell = executor, tell
        self._consent: Consent = executor.consent
        self._waiting: dict[str, ToolUse] = {}
        executor.consent = self
        executor.on_output = self._output

    async def run(self, use: ToolUse, call_id: str) -> Outcome:
        """Run a call; raises only CancelledError."""
        self._waiting[call_id] = use
        try:
            return await self._executor.execute(use, call_id)
        finally:
            self._waiting.pop(call_id, None)

    async def decide(self, request: Request) -> Decision:
        """Ask whoever consents, and tell the question and the answer."""
        self._tell(CallAsked(request.call_id, request))
        decision = await self._consent.decide(request)
        self._tell(CallDecided(request.call_id, decision))
        if isinstance(decision, Allow) and (use := self._waiting.get(request.call_id)):
            self._tell(CallStarted(request.call_id, use))
        return decision

    def _output(self, call_id: str, text: str) -> None:
        self._tell(CallOutput(call_id, text))

"""What is done with a call in another dialect than the model was told.

Law: such a call is run only as it was read, and only where the setting or the person says so; in
every case the model is told once which dialect is expected, and how its own call is written in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, assert_never

from agent.events import Event, Noticed
from agent.limits import ForeignPolicy
from agent.speech import Speech
from parsing import Block, ForeignCalls, ToolUse
from tools import Allow, Decision, Refuse

_NOBODY = "not run, nobody is there to be asked (--foreign-calls accept takes such calls)"


class Offers(Protocol):
    """A person who can say whether calls in another dialect are to be taken as calls."""

    async def offer(self, calls: ForeignCalls, expected: str) -> Decision: ...


@dataclass(frozen=True, slots=True)
class Foreign:
    """What was found in a message, whether it is taken as calls, and what the model is told."""

    calls: ForeignCalls
    taken: bool
    words: str

    @property
    def uses(self) -> tuple[ToolUse, ...]:
        """The calls that are to be run."""
        return self.calls.uses if self.taken else ()


class Border:
    """Looks through messages without a call; `fits` says whether a call could be run at all."""

    def __init__(
        self,
        speech: Speech,
        policy: ForeignPolicy,
        offers: Offers | None,
        fits: Callable[[ToolUse], bool],
        tell: Callable[[Event], None],
    ) -> None:
        self._policy: ForeignPolicy = policy
        self._speech, self._offers, self._fits, self._tell = speech, offers, fits, tell
        self._corrected: set[str] = set()

    async def look(self, text: str, blocks: Sequence[Block]) -> Foreign | None:
        """Look for calls in another dialect, and ask about them where that is the policy."""
        calls = self._speech.foreign(text, blocks)
        if calls is None or not all(map(self._fits, calls.uses)):
            return None
        decision, came = await self._decided(calls)
        taken = isinstance(decision, Allow)
        what = f"A call in the dialect {calls.dialect} (expected: {self._speech.name})"
        self._tell(Noticed("foreign_call", f"{what}: {came}."))
        words: list[str] = []
        if isinstance(decision, Refuse) and decision.words:
            words.append(f"The user says:\n<feedback>\n{decision.words}\n</feedback>")
        if not (taken and calls.dialect in self._corrected):  # what is run needs no more words
            self._corrected.add(calls.dialect)
            words.insert(0, self._speech.correction(calls, taken=taken))
        return Foreign(calls, taken, "\n\n".join(words))

    async def _decided(self, calls: ForeignCalls) -> tuple[Decision, str]:
        match self._policy:
            case "accept":
                return Allow(), "taken as it stands (foreign_calls = 'accept')"
            case "refuse":
                return Refuse(), "not run (foreign_calls = 'refuse')"
            case "offer":
                return await self._asked(calls)
            case _:
                assert_never(self._policy)

    async def _asked(self, calls: ForeignCalls) -> tuple[Decision, str]:
        if self._offers is None:
            return Refuse(), _NOBODY
        decision = await self._offers.offer(calls, self._speech.name)
        taken = isinstance(decision, Allow)
        return decision, "you took it as it stands" if taken else "you did not take it"

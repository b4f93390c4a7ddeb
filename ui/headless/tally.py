"""What a run adds up to: turns, tokens, refusals, and the time it took."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from agent.events import (
    CallAsked,
    CallDecided,
    Diverged,
    Event,
    TurnStarted,
    UsageTold,
)

if TYPE_CHECKING:
    from tools import Request

_COUNTED = ("prompt", "completion", "reasoning", "cached")


@dataclass(slots=True)
class Tally:
    """Counts the events of a run."""

    turns: int = 0
    divergences: int = 0
    denied: list[Request] = field(default_factory=list["Request"])
    _asked: dict[str, Request] = field(default_factory=dict[str, "Request"])
    _tokens: dict[str, int | None] = field(default_factory=lambda: dict.fromkeys(_COUNTED))
    _turn: dict[str, int | None] = field(default_factory=lambda: dict.fromkeys(_COUNTED))
    _began: float = field(default_factory=monotonic)

    def hear(self, event: Event) -> None:
        """Count one event."""
        match event:
            case TurnStarted():
                self.turns += 1
                self._tokens, self._turn = self.tokens, dict.fromkeys(_COUNTED)
            case UsageTold(usage):
                self._turn = {name: getattr(usage, name) for name in _COUNTED}
            case Diverged():
                self.divergences += 1
            case CallAsked(call_id, request):
                self._asked[call_id] = request
            case CallDecided(call_id, decision):
                self._decided(call_id, decision)
            case _:
                pass

    @property
    def tokens(self) -> dict[str, int | None]:
        """The tokens of all requests so far; none where no server ever said."""
        return {name: _sum(self._tokens[name], self._turn[name]) for name in _COUNTED}

    @property
    def duration_ms(self) -> int:
        return round((monotonic() - self._began) * 1000)

    def _decided(self, call_id: str, decision: object) -> None:
        from tools import Refuse

        request = self._asked.pop(call_id, None)
        if request is not None and isinstance(decision, Refuse):
            self.denied.append(request)


def _sum(before: int | None, more: int | None) -> int | None:
    return more if before is None else before + (more or 0)

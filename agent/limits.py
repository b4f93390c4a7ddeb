"""How far a task may go before the agent stops it and says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ForeignPolicy = Literal["offer", "accept", "refuse"]
Constrain = Literal["auto", "on", "off"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What the loop holds a task to; a door may loosen or tighten each.

    `nudges` is how often a reply without a tool is answered by a reminder (0: such a reply ends
    the run).  `warn_repeats` and `stop_repeats` count identical calls with identical results.
    `backoff_s` are the waits after a broken stream; their number is the number of retries.
    `stop_when_refused` ends the run at a refused call (nobody is there to be asked).
    `compact_prompt` chooses the short system prompt, for a small window.  `several_tools` lets
    a message hold several calls; `foreign_calls` is what is done with calls in another dialect
    than the model was told.  `constrain` sends a grammar along that lets nothing but calls through,
    after reasoning and text; `auto` sends it until the model reasons in a channel of its own, where
    the server may hold the reasoning to it.
    """

    max_turns: int = 100
    max_mistakes: int = 4
    nudges: int = 2
    empty_retries: int = 2
    warn_repeats: int = 3
    stop_repeats: int = 5
    backoff_s: tuple[float, ...] = (1.0, 4.0, 10.0)
    context_window: int = 128_000
    max_tokens: int | None = None
    temperature: float | None = None
    stop_when_refused: bool = False
    compact_prompt: bool = False
    several_tools: bool = True
    foreign_calls: ForeignPolicy = "offer"
    constrain: Constrain = "off"

    @property
    def budget(self) -> int:
        """Tokens a request may have: the window less room for the reply."""
        reserve = self.max_tokens or min(30_000, self.context_window // 4)
        return max(self.context_window - reserve, self.context_window // 4)

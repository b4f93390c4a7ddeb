"""How much of the history fits into the model's window.

Law: an estimate, corrected by what the server counted; never trusted to the last token.
"""

from __future__ import annotations

from agent.limits import Limits
from agent.providers.base import Usage

_USUAL = 3.2  # characters to a token, for code and prose mixed; the first guess


class Room:
    """Watches the window of one model."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._ratio = _USUAL

    def learn(self, usage: Usage, characters: int) -> None:
        """Take the server's count for a request of so many characters."""
        if usage.prompt and characters:
            self._ratio = min(max(characters / usage.prompt, 1.0), 6.0)

    def characters(self, system: int) -> int:
        """Give how many characters of history fit beside a system prompt of this length."""
        return max(int(self._limits.budget * self._ratio) - system, 2_000)

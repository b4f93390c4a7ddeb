"""What a client's protocol is: how a request is read, and how its answer is written.

A protocol is one folder with one `ClientProtocol`; nothing else knows its words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from agent.providers.base import JsonObject
from ui.gateway.asked import Ask
from ui.gateway.told import Ended, Pieces

FaultKind = Literal[
    "bad_request", "auth", "not_found", "too_large", "busy", "upstream", "upstream_timeout", "ours"
]


@dataclass(frozen=True, slots=True)
class Fault:
    """Why there is no answer, or no more of it; `status` is HTTP's for an answer not begun."""

    status: int
    kind: FaultKind
    message: str
    param: str = ""
    retry_after: float | None = None  # seconds


class Answer(Protocol):
    """Writes one answer: as server-sent events piece by piece, or whole.

    Streamed and whole forms tell the same.
    """

    def begin(self) -> bytes:
        """Write what comes before the first piece."""
        ...

    def told(self, pieces: Pieces) -> bytes:
        """Write the events of what one chunk gave; b"" when there is nothing to say."""
        ...

    def ended(self, end: Ended) -> bytes:
        """Write what ends the answer."""
        ...

    def failed(self, fault: Fault) -> bytes:
        """Write that the answer breaks off here; the stream ends after it."""
        ...

    def whole(self, pieces: Pieces, end: Ended) -> JsonObject:
        """Give the body of an answer that is not streamed; called instead of all the above."""
        ...


@dataclass(frozen=True, slots=True)
class ClientProtocol:
    """One protocol that clients speak.  `asked` raises BadRequest."""

    name: str
    path: str
    asked: Callable[[JsonObject], Ask]
    answer: Callable[[Ask], Answer]
    error: Callable[[Fault], JsonObject]

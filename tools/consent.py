"""Who may say yes to a tool use: a question with a preview, and ready-made answers to it.

Whatever writes or runs asks, unless a policy that somebody chose says otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


class Effect(StrEnum):
    """What a tool does to the world."""

    READ = "read"
    EDIT = "edit"
    RUN = "run"
    TALK = "talk"  # only speaks to the person; never asked


@dataclass(frozen=True, slots=True)
class Preview:
    """What a tool use will do: one line, and the whole diff or the whole command."""

    summary: str
    diff: str | None = None
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A question for consent.

    With `cautions` (a secret file, git's own files, the model's own wish) it is to be asked
    even where the effect is allowed: each is one line for the person.
    """

    call_id: str
    tool: str
    effect: Effect
    params: Mapping[str, Any]
    preview: Preview | None = None
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Allow:
    """Yes, this once."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """No; the words are told to the model."""

    words: str | None = None


Decision = Allow | Refuse


class Consent(Protocol):
    """Whoever decides."""

    async def decide(self, request: Request) -> Decision: ...


class AllowAll:
    """Yes to everything, cautions included."""

    async def decide(self, request: Request) -> Decision:
        return Allow()


@dataclass(frozen=True, slots=True)
class RefuseAll:
    """No to everything, with the same words each time."""

    words: str | None = None

    async def decide(self, request: Request) -> Decision:
        return Refuse(self.words)


@dataclass(frozen=True, slots=True)
class ByEffect:
    """Yes where the effect is allowed and nothing calls for caution; else another decides."""

    allow: Collection[Effect] = frozenset({Effect.READ})
    otherwise: Consent = RefuseAll()

    async def decide(self, request: Request) -> Decision:
        if request.effect in self.allow and not request.cautions:
            return Allow()
        return await self.otherwise.decide(request)


class Questions(Protocol):
    """A person who can answer."""

    async def answer(self, question: str, options: Sequence[str]) -> str: ...

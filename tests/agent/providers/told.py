"""What a provider told, gathered for tests."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.errors import ProviderError
from agent.providers.base import (
    Attachment,
    CallPiece,
    Finished,
    JsonObject,
    Message,
    Provider,
    ReasoningPiece,
    Request,
    Retrying,
    StreamItem,
    TextPiece,
    Usage,
)
from agent.providers.open import open_provider
from agent.providers.retry import Backoff
from agent.providers.secret import Secret
from agent.providers.settings import ProviderSettings, Timeouts

ASK = Request("You are an agent.", (Message("user", "go"),))
KEY = "sk-test-0123456789abcdefghij"


@dataclass(slots=True)
class Told:
    """All items of one stream, put together, and the error that ended it."""

    items: list[StreamItem] = field(default_factory=list[StreamItem])
    error: ProviderError | None = None

    @property
    def text(self) -> str:
        return "".join(item.text for item in self.items if isinstance(item, TextPiece))

    @property
    def reasoning(self) -> str | None:
        pieces = [item.text for item in self.items if isinstance(item, ReasoningPiece)]
        return "".join(pieces) if pieces else None

    @property
    def finish(self) -> str | None:
        return next((item.reason for item in self.items if isinstance(item, Finished)), None)

    @property
    def usage(self) -> Usage | None:
        told = [item for item in self.items if isinstance(item, Usage)]
        return told[-1] if told else None

    @property
    def kept(self) -> tuple[JsonObject, ...]:
        return tuple(item.data for item in self.items if isinstance(item, Attachment))

    @property
    def retries(self) -> list[Retrying]:
        return [item for item in self.items if isinstance(item, Retrying)]

    @property
    def calls(self) -> list[dict[str, Any]]:
        made: dict[int, dict[str, Any]] = {}
        for item in self.items:
            if isinstance(item, CallPiece):
                call = made.setdefault(item.index, {"id": None, "name": None, "arguments": ""})
                call["id"] = item.id or call["id"]
                call["name"] = item.name or call["name"]
                call["arguments"] += item.arguments
        return [
            {**call, "arguments": json.loads(call["arguments"] or "{}")} for call in made.values()
        ]

    @property
    def message(self) -> Message:
        return Message("assistant", self.text, self.reasoning, self.kept)


async def ask(provider: Provider, request: Request = ASK) -> Told:
    told = Told()
    try:
        async for item in provider.stream(request):
            told.items.append(item)
    except ProviderError as fault:
        told.error = fault
    return told


async def no_sleep(seconds: float) -> None:
    del seconds


def opened(
    base_url: str,
    kind: str = "openai",
    *,
    timeouts: Timeouts | None = None,
    retries: int = 0,
    thinking_tokens: int | None = None,
    slept: list[float] | None = None,
) -> Provider:
    settings = ProviderSettings(
        kind=kind,
        model="fake",
        base_url=base_url,
        api_key=Secret(KEY),
        timeouts=timeouts or Timeouts(5.0, 5.0, 5.0),
        thinking_tokens=thinking_tokens,
    )

    async def sleep(seconds: float) -> None:
        if slept is not None:
            slept.append(seconds)

    return open_provider(settings, Backoff(retries=retries, fewer={}), sleep=sleep)


def history(*messages: Message) -> Request:
    return Request("You are an agent.", messages)


def as_texts(errors: Sequence[ProviderError]) -> list[str]:
    return [str(error) for error in errors]

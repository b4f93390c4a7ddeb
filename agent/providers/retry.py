"""A provider that tries again, and says so, as long as nothing of the answer was yielded.

What was yielded cannot be taken back: from the first piece on, a fault is raised as it is and the
loop decides.
"""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from agent.errors import ProviderError, RateLimited, Rejected, Stalled, Unreachable
from agent.providers.base import (
    Attachment,
    CallPiece,
    Provider,
    ReasoningPiece,
    Request,
    Retrying,
    StreamItem,
    TextPiece,
    close,
)

Sleep = Callable[[float], Awaitable[None]]


def _fewer() -> Mapping[type[ProviderError], int]:
    return {Unreachable: 2, Stalled: 1}


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often and how long: `first_s` doubles up to `longest_s`; a server's own wish counts
    more, but nobody waits longer than `patience_s` for it."""

    retries: int = 8  # some 70 s: a local server may be loading its model
    fewer: Mapping[type[ProviderError], int] = field(default_factory=_fewer)
    first_s: float = 0.5
    longest_s: float = 20.0
    patience_s: float = 180.0
    jitter: float = 0.25

    def most(self, fault: ProviderError) -> int:
        """Say how often such a fault is met with another attempt."""
        return self.fewer.get(type(fault), self.retries)

    def delay(self, fault: ProviderError, attempt: int, chance: float) -> float | None:
        """Say how long to wait before retry number `attempt`, None when it is given up.

        `chance` lies in [0, 1): with it, clients that failed together do not come back together.
        """
        if not fault.retryable or attempt > self.most(fault):
            return None
        usual = min(self.longest_s, self.first_s * 2.0 ** (attempt - 1))
        usual *= 1 + self.jitter * (2 * chance - 1)
        asked = fault.retry_after if isinstance(fault, RateLimited | Rejected) else None
        if asked is None:
            return usual
        return None if asked > self.patience_s else max(usual, asked + usual * self.jitter)


class Retry:
    """Another provider, asked again after faults that pass."""

    def __init__(
        self,
        provider: Provider,
        backoff: Backoff | None = None,
        *,
        sleep: Sleep = asyncio.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._provider = provider
        self._backoff = backoff or Backoff()
        self._sleep = sleep
        self._chance = chance

    @property
    def name(self) -> str:
        return self._provider.name

    @property
    def model(self) -> str:
        return self._provider.model

    async def aclose(self) -> None:
        await self._provider.aclose()

    async def stream(self, request: Request) -> AsyncGenerator[StreamItem, None]:
        attempt = 0
        while True:
            begun = False
            items = self._provider.stream(request)
            try:
                async for item in items:
                    begun = begun or _tells(item)
                    yield item
                return
            except ProviderError as fault:
                attempt += 1
                delay = None if begun else self._backoff.delay(fault, attempt, self._chance())
                if delay is None:
                    raise
                why, most = str(fault), self._backoff.most(fault)
            finally:
                await close(items)
            yield Retrying(attempt, delay, why, most)
            await self._sleep(delay)


def _tells(item: StreamItem) -> bool:
    match item:
        case TextPiece(text) | ReasoningPiece(text):
            return text != ""
        case CallPiece() | Attachment():
            return True
        case _:
            return False

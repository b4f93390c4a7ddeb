"""What an upstream says, and what it is asked: the seam between the wire and the runner."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Protocol

from agent.providers.base import JsonObject, Usage
from parsing import Options, ToolSpec
from ui.gateway.told import Tokens


@dataclass(slots=True)
class Heard:
    """What one chunk of the upstream said.

    `reasoning` came on a channel of its own, beside the text; `calls` are native ones that the
    upstream made itself, as elements of `tool_calls`; `stop` is the stop sequence that ended it.
    """

    text: str = ""
    reasoning: str | None = None
    tokens: Tokens | None = None
    calls: list[Any] | None = None
    finish: str | None = None
    usage: Usage | None = None
    stop: str | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request made ready for the upstream, and how its answer is to be read."""

    body: JsonObject
    dialect: str
    tools: tuple[ToolSpec, ...]
    options: Options
    parallel: bool = True


class Upstream(Protocol):
    """A server that writes text."""

    def stream(self, prepared: Prepared) -> AsyncGenerator[Heard, None]:
        """Ask it; raises ProviderError before the first chunk or between two."""
        ...

    async def aclose(self) -> None: ...

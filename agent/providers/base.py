"""What every provider takes and yields.

A stream is complete only when `Finished` was yielded; one that ends without it raises
`StreamBroken`, and what came before stays valid.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from parsing import ToolSpec

JsonObject: TypeAlias = Mapping[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SentCall:
    """A native call as it goes back to the model; `arguments` is the JSON text of an object."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class SentResult:
    """What the native call `call_id` came to, in words."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the history; of `reasoning`, None (absent) and "" (empty) differ.

    `calls` are the assistant's native calls, and the user's message after it has in `results`
    one for each of them.  The text of an assistant comes before its calls, that of a user after
    the results.
    """

    role: Literal["user", "assistant"]
    text: str
    reasoning: str | None = None
    attachments: tuple[JsonObject, ...] = ()
    calls: tuple[SentCall, ...] = ()
    results: tuple[SentResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """All that one turn asks of a model; `tools` are those that it may call natively."""

    system: str
    messages: tuple[Message, ...]
    max_tokens: int | None = None
    temperature: float | None = None
    grammar: str | None = None
    stop: tuple[str, ...] = ()
    tools: tuple[ToolSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Text of the answer, never empty."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPiece:
    """Text of the reasoning channel; "" once when the server sent the channel empty."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A piece of a native call.

    `index` is ours and counts calls; `id` and `name` are told once (set them, never
    concatenate); `arguments` are concatenated.
    """

    index: int
    id: str | None
    name: str | None
    arguments: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """Provider data that goes into `Message.attachments` and back to the same provider."""

    data: JsonObject


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of the whole request so far: a later one replaces an earlier one."""

    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cached: int | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """The end: "stop", "length", "tool_calls", "content_filter" or the server's own word."""

    reason: str


@dataclass(frozen=True, slots=True)
class Retrying:
    """The same request goes out again in `delay_s` seconds; nothing was yielded before.

    `most` is how often such a fault is met with another attempt; 0 when that is not known.
    """

    attempt: int
    delay_s: float
    why: str
    most: int = 0


StreamItem: TypeAlias = (
    TextPiece | ReasoningPiece | CallPiece | Attachment | Usage | Finished | Retrying
)


class Provider(Protocol):
    """A model behind some wire."""

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str: ...

    def stream(self, request: Request) -> AsyncIterator[StreamItem]: ...

    async def aclose(self) -> None: ...


async def close(items: AsyncIterator[T]) -> None:
    """Close a stream that is left, perhaps before its end: its connection is given back at once."""
    if isinstance(items, AsyncGenerator):
        await items.aclose()

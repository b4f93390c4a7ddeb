"""The message so far: what a stream yielded, kept by channel.

Law: nothing that came is lost, whatever ends the stream; an absent reasoning channel (None) and
an empty one ("") differ.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import choices
from string import ascii_letters, digits

from agent.providers.base import (
    Attachment,
    CallPiece,
    Finished,
    JsonObject,
    Message,
    ReasoningPiece,
    Retrying,
    StreamItem,
    TextPiece,
    Usage,
)


def _made_id() -> str:
    """Make up an id in the form that Mistral insists on, and nobody refuses."""
    return "".join(choices(ascii_letters + digits, k=9))


@dataclass(slots=True)
class NativeCall:
    """A call that came on the provider's own channel, as far as it came."""

    id: str | None = None
    name: str = ""
    pieces: list[str] = field(default_factory=list[str])
    made_id: str = field(default_factory=_made_id)

    @property
    def key(self) -> str:
        """The id by which the call is answered: the server's, or one that was made up."""
        return self.id or self.made_id

    @property
    def said(self) -> bool:
        """Anything of it came."""
        return bool(self.id or self.name or any(self.pieces))

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)


class Accumulator:
    """What one stream has yielded."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._reasoning: list[str] | None = None
        self._calls: dict[int, NativeCall] = {}
        self._attachments: list[JsonObject] = []
        self.usage: Usage | None = None
        self.finish: str | None = None

    def add(self, item: StreamItem) -> None:
        match item:
            case TextPiece(text):
                self._text.append(text)
            case ReasoningPiece(text):
                if self._reasoning is None:
                    self._reasoning = []
                self._reasoning.append(text)
            case CallPiece():
                self._add_call(item)
            case Attachment(data):
                self._attachments.append(data)
            case Usage():
                self.usage = item
            case Finished(reason):
                self.finish = reason
            case Retrying():
                pass

    @property
    def text(self) -> str:
        return "".join(self._text)

    @property
    def reasoning(self) -> str | None:
        return None if self._reasoning is None else "".join(self._reasoning)

    @property
    def calls(self) -> tuple[NativeCall, ...]:
        """The native calls in the order they were begun; one that says nothing is none."""
        return tuple(call for call in self._calls.values() if call.said)

    def message(self, *added: str) -> Message:
        """Give the message for the history: the model's own text, then the `added` paragraphs."""
        text = "\n\n".join(part for part in (self.text, *added) if part)
        return Message("assistant", text, self.reasoning, tuple(self._attachments))

    def _add_call(self, piece: CallPiece) -> None:
        call = self._calls.setdefault(piece.index, NativeCall())
        if piece.id and all(other.id != piece.id for other in self._calls.values()):
            call.id = piece.id
        call.name = piece.name if piece.name is not None else call.name
        call.pieces.append(piece.arguments)

"""What the model has been told and has answered, in order.

Law: always well-formed.  The first message is the user's, roles alternate, no message is empty,
and it is cut only where no call is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agent.providers.base import Message

DROPPED = (
    "[Earlier messages of this conversation were left out to save room. The task above still "
    "stands. Read files again instead of relying on what you remember of them.]"
)


class History:
    """The conversation of one session."""

    def __init__(self, messages: Iterable[Message] = ()) -> None:
        self._messages: list[Message] = []
        for message in messages:
            self.add(message)

    @property
    def messages(self) -> tuple[Message, ...]:
        return tuple(self._messages)

    def add(self, message: Message) -> None:
        """Append a message; it is joined to the last if that has its role, left out if empty."""
        if _empty(message):
            return
        if not self._messages and message.role == "assistant":
            raise ValueError("found an assistant's message first, expected the user's")
        last = self._messages[-1] if self._messages else None
        if last is not None and last.role == message.role:
            self._messages[-1] = _joined(last, message)
        else:
            self._messages.append(message)

    def size(self) -> int:
        """Count the characters a request with this history carries."""
        return sum(map(_size, self._messages))

    def drop_middle(self, keep: int) -> int:
        """Leave out the oldest messages after the first until `keep` characters are left.

        Returns how many messages went.  The first message (the task) and the last two stay.
        """
        size, upto = self.size(), 1
        last = len(self._messages) - 2
        while size > keep and upto + 2 <= last:
            size -= sum(map(_size, self._messages[upto : upto + 2]))
            upto += 2
        upto = boundary([_link(m) for m in self._messages], upto)
        if upto <= 1:
            return 0
        first = self._messages[0]
        if DROPPED not in first.text:
            first = replace(first, text=f"{first.text}\n\n{DROPPED}")
        self._messages[:upto] = [first]
        return upto - 1


@dataclass(frozen=True, slots=True)
class Link:
    """A message as far as calls are concerned: those it opens and those it answers."""

    opens: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


def boundary(links: Sequence[Link], wanted: int) -> int:
    """Give the first place at or after `wanted` where a history may be cut: no call is open.

    Source: report agent-compaction-keeps-pairs (rule R14).
    """
    open_calls: set[str] = set()
    for place, link in enumerate(links):
        if place >= wanted and not open_calls:
            return place
        open_calls |= set(link.opens)
        open_calls -= set(link.answers)
    return len(links)


def _link(message: Message) -> Link:
    """A reply is always answered whole, by the message after it; so is each of its native calls."""
    if message.role == "assistant":
        return Link(opens=("reply", *(call.id for call in message.calls)))
    return Link(answers=("reply", *(result.call_id for result in message.results)))


def _size(message: Message) -> int:
    calls = sum(len(call.name) + len(call.arguments) for call in message.calls)
    results = sum(len(result.text) for result in message.results)
    return len(message.text) + len(message.reasoning or "") + calls + results


def _empty(message: Message) -> bool:
    told = message.text.strip() or message.reasoning or message.attachments
    return not (told or message.calls or message.results)


def _joined(first: Message, second: Message) -> Message:
    text = "\n\n".join(part for part in (first.text, second.text) if part)
    thought = [part for part in (first.reasoning, second.reasoning) if part is not None]
    return Message(
        first.role,
        text,
        "\n\n".join(thought) if thought else None,
        first.attachments + second.attachments,
        first.calls + second.calls,
        first.results + second.results,
    )

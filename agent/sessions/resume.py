"""Makes the conversation again from a session's rows, wherever the program was ended.

Law: a call whose result was recorded is never run again; one that was begun and not recorded is
told to the model as interrupted; what had come of a half-streamed message is kept with a mark.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from agent.errors import SessionError
from agent.history import History
from agent.providers.base import JsonObject, Message, SentCall, SentResult
from agent.results import Speller
from agent.sessions.record import call_of, message_of
from agent.sessions.store import Row

BEGUN = (
    "This call was interrupted: the program ended while it ran, and its result was lost. It may "
    "have had its whole effect, part of it, or none: look before you repeat it."
)
NOT_BEGUN = "This call was not run: the program ended before it began."
HALF_MARK = "[The program ended here, in the middle of the message.]"


@dataclass(slots=True)
class _Call:
    name: str
    heading: str
    native: SentCall | None = None
    begun: bool = False
    result: str | None = None

    @property
    def answer(self) -> str:
        if self.result is not None:
            return self.result
        return BEGUN if self.begun else NOT_BEGUN


@dataclass(slots=True)
class Restored:
    """A conversation as it stood, and what must be recorded to make it whole.

    `repairs` are the messages that were made here: they are part of `history` already.  `seen`
    is what the model knew of files, as the workspace exports it.
    """

    history: History = field(default_factory=History)
    repairs: list[Message] = field(default_factory=list[Message])
    seen: dict[str, str] = field(default_factory=dict[str, str])
    turns: int = 0
    ended: bool = False
    interrupted: bool = False


class _Reader:
    """Follows the rows; keeps what belongs to a reply that was not answered yet."""

    def __init__(self) -> None:
        self.restored = Restored()
        self._messages: list[Message] = []
        self._pieces: list[str] = []
        self._thoughts: list[str] | None = None
        self._kept: list[JsonObject] = []
        self._calls: dict[str, _Call] = {}
        self._open = False  # a turn was begun, and its reply is not recorded

    def read(self, row: Row) -> None:
        match row.kind:
            case "user":
                self._messages.append(message_of("user", row.data))
                self._calls.clear()
            case "assistant" if self._messages:
                self._messages.append(message_of("assistant", row.data))
                self._close()
            case "piece":
                self._pieces.append(str(row.data["text"]))
            case "thought":
                self._thoughts = [*(self._thoughts or ()), str(row.data["text"])]
            case "kept":
                self._kept.append(row.data["data"])
            case "turn_started":
                self._close()
                self._open = True
                self.restored.turns = int(row.data["number"])
            case "task_started" | "task_finished":
                self.restored.ended = row.kind == "task_finished"
            case "seen":
                self.restored.seen |= row.data["files"]
            case "dropped":
                self._drop(int(row.data["keep"]))
            case _:
                self._read_call(row)

    def _read_call(self, row: Row) -> None:
        call_id = str(row.data.get("call_id", ""))
        if row.kind == "call":
            name = str(row.data["use"]["name"])
            native = call_of(row.data["native"]) if row.data.get("native") else None
            self._calls[call_id] = _Call(name, str(row.data["heading"]), native)
        call = self._calls.get(call_id)
        if call is None:
            return
        match row.kind:
            case "call_started":
                call.begun = True
            case "call_finished":
                call.result = str(row.data["for_model"])
            case "call_skipped":
                call.result = str(row.data["why"])
            case _:
                pass

    def _close(self) -> None:
        self._pieces.clear()
        self._kept.clear()
        self._thoughts, self._open = None, False

    def _drop(self, keep: int) -> None:
        history = History(self._messages)
        history.drop_middle(keep)
        self._messages = list(history.messages)

    def finish(self, speller: Speller) -> Restored:
        restored = self.restored
        restored.interrupted = not restored.ended
        restored.history = History(self._messages)
        text, thoughts = "".join(self._pieces), self._thoughts
        reasoning = None if thoughts is None else "".join(thoughts)
        native = tuple(call.native for call in self._calls.values() if call.native)
        if self._open and (text.strip() or reasoning or native):
            whole = f"{text}\n\n{HALF_MARK}" if text else HALF_MARK
            self._repair(Message("assistant", whole, reasoning, tuple(self._kept), native))
        messages = restored.history.messages
        if messages and messages[-1].role == "assistant":
            self._answer(messages[-1], speller)
        return restored

    def _answer(self, reply: Message, speller: Speller) -> None:
        """Answer each call of a reply: the native ones by their ids, those of the text in it."""
        calls = self._calls.values()
        known = {call.native.id: call.answer for call in calls if call.native}
        results = tuple(SentResult(c.id, known.get(c.id, NOT_BEGUN)) for c in reply.calls)
        ids = {call.id for call in reply.calls}
        texts = [c for c in calls if c.native is None or c.native.id not in ids]
        parts = [speller.spell_result(c.name, c.heading, c.answer) for c in texts]
        if parts or results:
            self._repair(Message("user", "\n\n".join(parts), results=results))

    def _repair(self, message: Message) -> None:
        self.restored.history.add(message)
        self.restored.repairs.append(message)


def restore(rows: Iterable[Row], speller: Speller) -> Restored:
    """Make the conversation again; it is well-formed whatever the last row is.

    Raises SessionError at a row that is not what its kind says.
    """
    reader = _Reader()
    for row in rows:
        try:
            reader.read(row)
        except (KeyError, TypeError, ValueError) as error:
            raise SessionError(
                f"Row {row.number} of the session ({row.kind}) is damaged: {error!r}. Begin a new "
                "session; this one can still be listed."
            ) from error
    return reader.finish(speller)

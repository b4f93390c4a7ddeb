"""The conversation of one session: its history, and the record of it on disk.

Law: everything is recorded before anybody hears of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agent.events import Event
from agent.history import History
from agent.providers.base import Attachment, Message, ReasoningPiece, StreamItem, TextPiece
from agent.sessions.hold import hold
from agent.sessions.record import message_data, row_of
from agent.sessions.resume import Restored, restore
from agent.sessions.store import Session
from agent.speech import Speech


class Conversation:
    """A history that is written down as it grows; without a session it is only kept."""

    def __init__(self, session: Session | None, speech: Speech) -> None:
        self.session = session
        if session:
            hold(session.folder, session.id)
        self._restored = restore(session.rows() if session else (), speech)
        self.history = History(speech.retold(self._restored.history.messages))
        self.turns = self._restored.turns
        self._seen = dict(self._restored.seen)
        for message in self._restored.repairs:
            self._record(message.role, message)

    @property
    def restored(self) -> Restored:
        """What was found of the session when it was opened."""
        return self._restored

    @property
    def seen(self) -> Mapping[str, str]:
        """What the model has seen of files, by path, as the workspace exports it."""
        return self._seen

    def saw(self, seen: Mapping[str, str]) -> None:
        """Record what the model has newly seen of files."""
        fresh = dict(seen.items() - self._seen.items())
        self._seen |= fresh
        if fresh and self.session:
            self.session.record("seen", {"files": fresh})

    def teller(self, listen: Callable[[Event], None]) -> Callable[[Event], None]:
        """Give what records an event and then tells it."""

        def tell(event: Event) -> None:
            row = row_of(event) if self.session else None
            if self.session and row:
                self.session.record(*row)
            listen(event)

        return tell

    def piece(self, item: StreamItem) -> None:
        """Record a piece of a message that is still coming."""
        if self.session is None:
            return
        match item:
            case TextPiece(text):
                self.session.record("piece", {"text": text})
            case ReasoningPiece(text):
                self.session.record("thought", {"text": text})
            case Attachment(data):
                self.session.record("kept", {"data": dict(data)})
            case _:
                pass

    def assistant(self, message: Message) -> None:
        """Add a reply that has come to its end, whichever."""
        self._add(message)

    def user(self, text: str) -> None:
        """Add what the model is told next; nothing is added for an empty text."""
        self.answer(Message("user", text))

    def answer(self, message: Message) -> None:
        """Add what a reply's calls came to, and further words; nothing is added for neither."""
        if message.text.strip() or message.results:
            self._add(message)

    def make_room(self, keep: int) -> int:
        """Leave out old messages until `keep` characters are left; gives how many went."""
        dropped = self.history.drop_middle(keep)
        if dropped and self.session:
            self.session.record("dropped", {"keep": keep, "messages": dropped})
        return dropped

    def _add(self, message: Message) -> None:
        self._record(message.role, message)
        self.history.add(message)

    def _record(self, role: str, message: Message) -> None:
        if self.session:
            self.session.record(role, message_data(message))

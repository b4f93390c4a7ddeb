"""The replies in this program's own sessions, with the chunks in which they came.

Law: what was recorded is read, never changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agent import Sessions
from agent.sessions.store import Row
from ui.compare.message import Message
from ui.doors.reading import Members
from ui.exits import Complaint

_MOST = 1_000_000  # sessions listed for `all`


def recorded(session_id: str) -> tuple[Message, ...]:
    """Read one session's replies, or those of `all`; raises `agent.errors.SessionError`."""
    sessions = Sessions()
    try:
        listed = [one.id for one in sessions.list(limit=_MOST)] if session_id == "all" else None
        if listed == []:
            raise Complaint("found no recorded session, expected at least one: run a task first")
        opened = [sessions.open(name) for name in (listed or [session_id])]
        return tuple(
            message for one in opened for message in replies(f"session {one.id}", one.rows())
        )
    finally:
        sessions.close()


def replies(source: str, rows: Iterable[Row]) -> Iterator[Message]:
    """Give the replies of a session's rows, half-streamed ones too, in order."""
    follower = _Follower()
    found = [reply for row in rows for reply in follower.take(row)]
    found += follower.rest()
    for number, (members, times) in enumerate(found, 1):
        yield Message(source, number, members, times)


Reply = tuple[Members, tuple[float, ...]]


@dataclass(slots=True)
class _Follower:
    """Follows the rows; keeps the chunks of the reply that is coming."""

    dialect: str = ""
    chunks: list[str] = field(default_factory=list[str])
    times: list[float] = field(default_factory=list[float])

    def take(self, row: Row) -> Iterator[Reply]:
        match row.kind:
            case "task_started":
                yield from self.rest()
                self.dialect = str(row.data.get("dialect", ""))
            case "turn_started":
                yield from self.rest()
            case "piece":
                self.chunks.append(str(row.data.get("text", "")))
                self.times.append(row.at)
            case "assistant":
                yield from self._whole(str(row.data.get("text", "")))
            case _:
                return

    def rest(self) -> Iterator[Reply]:
        """Give a reply that did not come to its end."""
        if self.chunks:
            yield self._reply({"finish_reason": "none"})

    def _whole(self, text: str) -> Iterator[Reply]:
        if "".join(self.chunks) == text and text:
            yield self._reply({})
        elif text:  # what was kept is not what came: spelled native calls, for example
            self.chunks, self.times = [text], []
            yield self._reply({})
        self.chunks, self.times = [], []

    def _reply(self, members: dict[str, object]) -> Reply:
        if self.dialect:
            members["dialect"] = self.dialect
        began = self.times[0] if self.times else 0.0
        times = tuple(time - began for time in self.times)
        if times:
            members["chunks"] = list(self.chunks)
        else:
            members["text"] = "".join(self.chunks)
        self.chunks, self.times = [], []
        return members, times

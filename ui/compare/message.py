"""One message to compare, and where it was found."""

from __future__ import annotations

from dataclasses import dataclass

from ui.doors.reading import Members
from ui.doors.shapes import is_texts


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a source, counted from 1; `members` are those of a line of `blocks --jsonl`.

    `times` are the seconds at which the recorded chunks came, counted from the first.
    """

    source: str
    number: int
    members: Members
    times: tuple[float, ...] = ()

    @property
    def chunks(self) -> tuple[str, ...] | None:
        """The chunks as they were recorded, if they were."""
        found: object = self.members.get("chunks")
        return tuple(found) if is_texts(found) else None

    @property
    def text(self) -> str:
        """The whole text; raises ValueError when there is none."""
        chunks = self.chunks
        if chunks is not None:
            return "".join(chunks)
        found: object = self.members.get("text")
        if not isinstance(found, str):
            raise ValueError("`text` must be a string")
        return found

    @property
    def place(self) -> str:
        """Where it was found, in words."""
        return f"{self.source}, message {self.number}"

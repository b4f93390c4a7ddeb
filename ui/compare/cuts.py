"""How a message is cut into chunks: a fixed size, at random, as recorded, or in two everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal

from ui.compare.message import Message
from ui.doors.reading import CHUNK, checked_size, pieces_of

Pieces = tuple[str, ...]
Manner = Literal["fixed", "random", "recorded", "every-cut"]
_SIZES = (2, 5, 20, 80)  # the longest chunk of a message that is cut at random


@dataclass(frozen=True, slots=True)
class Cutting:
    """How messages are cut; None for the size: 4 characters, more where a message is long.

    With no manner the recorded chunks are taken where there are some, else a fixed size.
    """

    manner: Manner | None = None
    size: int | None = None
    seed: int = 0

    def of(self, message: Message) -> Manner:
        """Give the manner in which this message is cut."""
        if self.manner is not None and self.manner != "recorded":
            return self.manner
        return "fixed" if message.chunks is None else "recorded"

    def pieces(self, message: Message) -> Pieces:
        """Cut a message from its beginning to its end, once."""
        text = message.text
        match self.of(message):
            case "random":
                return _random(text, Random(f"{self.seed} {message.number} {message.source}"))
            case "recorded":
                return message.chunks or ()
            case _:
                return pieces_of(text, self.size or checked_size(text))

    def words(self, message: Message) -> str:
        """Say how a message is cut."""
        match self.of(message):
            case "random":
                return f"random chunks (seed {self.seed})"
            case "recorded":
                return "recorded chunks"
            case "every-cut":
                return "every cut in two"
            case _:
                return f"chunks of {self.size or checked_size(message.text)}"


def in_two(text: str, places: range) -> Iterator[Pieces]:
    """Cut the text in two at each of these places."""
    for place in places:
        yield text[:place], text[place:]


def _random(text: str, random: Random) -> Pieces:
    longest = max(random.choice(_SIZES), 2 * (checked_size(text) - CHUNK))
    found: list[str] = []
    at = 0
    while at < len(text):
        size = random.randint(1, longest)
        found.append(text[at : at + size])
        at += size
    return tuple(found)

"""Characters that a server cut in two: pairs of surrogates are joined, lone ones replaced.

Servers that cut their text by UTF-16 units send half a character as a JSON escape at the end of
one piece and the other half at the start of the next. No file and no request can hold a half.
"""

import re
from collections.abc import Hashable, Iterator
from dataclasses import replace

from agent.providers.base import CallPiece, ReasoningPiece, StreamItem, TextPiece

_HALF = re.compile("[\ud800-\udfff]")
_FIRST = ("\ud800", "\udbff")


class Joiner:
    """What puts the halves together, in each channel for itself."""

    def __init__(self) -> None:
        self._held: dict[Hashable, str] = {}

    def join(self, item: StreamItem) -> Iterator[StreamItem]:
        """Give the item as it can be used; nothing when it is all held back."""
        match item:
            case TextPiece(text) | ReasoningPiece(text):
                joined = self.joined(type(item).__name__, text)
                if joined or not text:
                    yield item if joined is text else replace(item, text=joined)
            case CallPiece(index=index, arguments=arguments):
                joined = self.joined(index, arguments)
                yield item if joined is arguments else replace(item, arguments=joined)
            case _:
                yield item

    def joined(self, channel: Hashable, text: str) -> str:
        """Give the text that can be used of a channel; that of an item is its type's name."""
        held = self._held.pop(channel, "") if text else ""
        if not held and not _HALF.search(text):
            return text
        text = held + text
        if _FIRST[0] <= text[-1] <= _FIRST[1]:
            self._held[channel] = text[-1]
            text = text[:-1]
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

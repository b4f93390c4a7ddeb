"""How many of an answer's tokens are reasoning.

They are counted over the raw text between the marks of reasoning, tool markup in it included and
the marks themselves not, from the token ids that come with each chunk.  A chunk that lies wholly
inside counts all its tokens; one without text lies where the next text goes on.  Of a chunk that
a boundary cuts through, each token counts by its own text where logprobs name them; else its
tokens are shared by characters and rounded, so that a mark alone in its chunk counts none.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from agent.providers.jsons import as_object
from parsing.thoughts import Stretch
from ui.gateway.told import Tokens


class ReasoningTokens:
    """The chunks of one answer, by the length of their text and the number of their tokens.

    `start` is how much text came before tokens were spoken of.
    """

    def __init__(self, start: int = 0) -> None:
        self._start = start
        self._lengths = array("Q")
        self._counts = array("Q")
        self._parts: dict[int, list[int]] = {}  # of a chunk: the lengths of its tokens' texts
        self._apart = 0  # of the reasoning's own channel

    def take(self, text: str, reasoning: str | None, tokens: Tokens | None) -> None:
        """Take a chunk; `reasoning` is what it said beside the text."""
        ids = (tokens.ids if tokens else None) or []
        count = len(ids)
        if reasoning:
            apart = round(count * len(reasoning) / (len(reasoning) + len(text)))
            self._apart += apart
            count -= apart
        elif count > 1 and tokens is not None and tokens.logprobs:
            self._take_parts(text, count, tokens.logprobs)
        self._lengths.append(len(text))
        self._counts.append(count)

    def count(self, stretches: Sequence[Stretch]) -> int | None:
        """Count those in stretches of the text; None when no ids came."""
        if not any(self._counts) and not self._apart:
            return None
        whole = self._start + sum(self._lengths)
        ends = [whole if end is None else end for _, end in stretches]
        total, here, first = self._apart, self._start, 0
        for place, (length, count) in enumerate(zip(self._lengths, self._counts, strict=True)):
            while first < len(ends) and ends[first] <= here:
                first += 1
            last = first
            while last < len(ends) and stretches[last][0] <= here + length:
                last += 1
            near = [(stretches[n][0], ends[n]) for n in range(first, last)]
            if count and near:
                total += self._inside(place, here, count, near)
            here += length
        return total

    def _take_parts(self, text: str, count: int, logprobs: Sequence[object]) -> None:
        texts = [str(as_object(one).get("token", "")) for one in logprobs]
        if len(texts) == count and "".join(texts) == text:
            self._parts[len(self._lengths)] = list(map(len, texts))

    def _inside(self, place: int, here: int, count: int, near: Sequence[tuple[int, int]]) -> int:
        share = _share(here, self._lengths[place], near)
        if share in (0.0, 1.0) or place not in self._parts:
            return round(share * count)
        total = 0
        for part in self._parts[place]:
            total += round(_share(here, part, near))
            here += part
        return total


def _share(start: int, length: int, stretches: Sequence[tuple[int, int]]) -> float:
    """Say how much of a piece of the text lies in the stretches, from 0 to 1."""
    if not length:
        return float(any(a <= start < b for a, b in stretches))
    end = start + length
    within = (min(end, b) - max(start, a) for a, b in stretches)
    return sum(chars for chars in within if chars > 0) / length

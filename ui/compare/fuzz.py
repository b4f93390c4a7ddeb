"""Messages grown from the dialects' tables, held to the parser's laws in both modes.

Law: a message is made again from its dialect and its seed, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from parsing import Finish
from parsing.fuzz import Message, fault_of, message, smallest
from ui.compare.comparing import Tick, compare_whole
from ui.compare.comparison import Comparison
from ui.compare.pair import pair_of
from ui.doors.reading import Ending, Reading

_NEVER_RAISES = 7  # the law that an exception breaks


@dataclass(frozen=True, slots=True)
class Seed:
    """A message to be grown and compared, by whichever process."""

    order: int
    dialect: str
    seed: int
    storied: bool
    weight: int = 2_000
    places: range | None = None

    def done(self, tick: Tick | None = None) -> Comparison:
        """Grow the message, hold it to the laws, and compare its modes."""
        grown = message(self.dialect, self.seed)
        cut = "chunks of random sizes"
        found = Comparison("--fuzz", self.seed, self.dialect, grown.text, cut)
        fault = fault_of(grown)
        if fault is None or fault.law != _NEVER_RAISES:
            compare_whole(found, pair_of(_reading(grown)), grown.chunks, storied=self.storied)
        if tick is not None:
            tick(self.weight)
        if fault is not None:
            found.broken = f"law {fault.law} is broken after chunk {fault.place}: {fault.message}"
            found.differences = 1
        return found


def seeds(count: int, first: int, dialects: Sequence[str], *, storied: bool) -> Iterator[Seed]:
    """Share so many messages between the dialects; each dialect's seeds begin with the first."""
    order = 0
    for place, name in enumerate(dialects):
        for seed in range(first, first + (count + len(dialects) - 1 - place) // len(dialects)):
            yield Seed(order, name, seed, storied)
            order += 1


def smallest_words(found: Comparison) -> Iterator[str]:
    """Show the smallest message that breaks the law that this one breaks."""
    least = smallest(message(found.dialect, found.number))
    yield f"  again:     tagline compare --fuzz 1 --dialect {found.dialect} --seed {found.number}"
    yield f"  smallest:  {list(least.chunks)!r}"
    names = ", ".join(tool.name for tool in least.tools) or "none"
    yield f"  read with: {least.options}, tools: {names}, finish: {least.finish.value}"


def _reading(grown: Message) -> Reading:
    ending: Ending = "length" if grown.finish is Finish.LENGTH else "stop"
    return Reading(
        grown.chunks, grown.dialect, tools=grown.tools, ending=ending, options=grown.options
    )

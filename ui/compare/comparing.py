"""Feeds both modes of a pair and compares the blocks after every chunk and at the close."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ui.compare.against import decisions
from ui.compare.comparison import Comparison, Difference, first_difference
from ui.compare.pair import Pair
from ui.compare.story import Story

Tick = Callable[[int], None]  # is told how much is done: the characters fed


def compare_whole(
    found: Comparison,
    pair: Pair,
    pieces: Sequence[str],
    *,
    storied: bool = False,
    tick: Tick | None = None,
) -> None:
    """Read the message once, from its beginning to its end; tell its story if asked."""
    story = Story(found.text, pair) if storied else None
    compare(found, pair, pieces, story=story, tick=tick)
    if pair.other is not None and found.difference is None:
        found.against = decisions(found.blocks, pair.other.blocks)
    found.story = story.as_json() if story else None


def compare(
    found: Comparison,
    pair: Pair,
    pieces: Sequence[str],
    *,
    cut: int | None = None,
    story: Story | None = None,
    tick: Tick | None = None,
) -> None:
    """Feed both modes until the end, or until the first difference if no story is told."""
    difference: Difference | None = None
    fed = chunk = 0
    for chunk, step in enumerate(pair.steps(pieces), 1):
        found.reparse_s += pair.reparse.seconds
        found.incremental_s += pair.incremental.seconds
        found.compared += 1
        if difference is None:
            difference = first_difference(step, min(chunk, len(pieces)), cut)
            found.blocks = step.reparse
        if story is not None:
            story.take(step)
        if tick is not None:
            tick(step.fed)
        fed = step.fed
        if difference is not None and story is None:
            break
    found.chunks += min(chunk, len(pieces))
    found.read += len(found.text[:fed].encode("utf-8", "surrogatepass"))
    found.differences += difference is not None
    found.difference = found.difference or difference

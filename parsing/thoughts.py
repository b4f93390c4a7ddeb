"""Where a message reasons: the raw text between the marks of reasoning, by its offsets.

Law: what stands in it stays in it, a call and its markup too; the marks themselves do not.
"""

from __future__ import annotations

from parsing.crosscheck import Both
from parsing.incremental import Incremental
from parsing.reader import Reader
from parsing.reparse import Reparse

Stretch = tuple[int, int | None]
"""A stretch of the text, from its first character to the one after its last; None: it goes on."""


def reasoned(message: Reader) -> tuple[Stretch, ...]:
    """Give the stretches of reasoning read so far.

    Reasoning that is told as text is none, nor is that of a dialect without a table.  The end of
    one is known once its closing mark is; the text held back before it is part of it till then.
    """
    if isinstance(message, Both):
        message = message.reparse
    if not isinstance(message, (Incremental, Reparse)):
        return ()
    return tuple(
        (thought.start, thought.end)
        for thought in message.build.thoughts
        if thought.end is None or thought.end > thought.start
    )

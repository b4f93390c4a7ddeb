"""Where in a file the lines stand that are most like a text that is not there.

The work is bounded: so many lines are looked at, each by its first characters.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import islice

_COMPARED = 400  # characters compared of a line
_LINES = 200_000  # lines of the file looked at
_REPEATED = 8  # places that a line has in the search text
_LIKELY = 20_000  # lines compared by their words
_ALIKE = 0.4  # share of words two lines must have in common
_WORD = re.compile(r"\w+|[^\w\s]")


def closest(texts: Sequence[str], search: Sequence[str]) -> int | None:
    """Give the index of the first of the lines that are most like `search`, if any are."""
    looked_at = texts[:_LINES]
    start = _by_equal_lines(looked_at, search)
    return _by_words(looked_at, search) if start is None else start


def within_a_line(texts: Sequence[str], search: Sequence[str]) -> int | None:
    """Give the index of a line that holds a one-line search as a part."""
    wanted = search[0].strip() if len(search) == 1 else ""
    if not wanted:
        return None
    return next((at for at, line in enumerate(texts) if wanted in line), None)


def squeezed(line: str) -> str:
    """Give a line without its white space, as far as lines are compared."""
    return "".join(line[:_COMPARED].split())


def _by_equal_lines(texts: Sequence[str], search: Sequence[str]) -> int | None:
    wanted: defaultdict[str, list[int]] = defaultdict(list)
    for offset, line in enumerate(search):
        key = squeezed(line)
        if key and len(wanted[key]) < _REPEATED:
            wanted[key].append(offset)
    votes: Counter[int] = Counter()
    for at, line in enumerate(texts):
        key = squeezed(line)
        for offset in wanted.get(key, ()):
            votes[at - offset] += len(key)
    if not votes:
        return None
    best = max(votes.values())
    return max(0, min(at for at, vote in votes.items() if vote == best))


def _by_words(texts: Sequence[str], search: Sequence[str]) -> int | None:
    """Find the line most like the longest searched one."""
    offset = max(range(len(search)), key=lambda at: len(search[at].strip()))
    wanted = _words(search[offset])
    telling = sorted(wanted, key=len)[-3:]
    likely = (at for at, line in enumerate(texts) if any(word in line for word in telling))
    best, where = _ALIKE, None
    for at in islice(likely, _LIKELY):
        words = _words(texts[at])
        share = len(wanted & words) / max(1, len(wanted | words))
        if share > best:
            best, where = share, at
    return None if where is None else max(0, where - offset)


def _words(line: str) -> set[str]:
    return set(_WORD.findall(line[:_COMPARED]))

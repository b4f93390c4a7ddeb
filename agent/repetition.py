"""Notices when a task goes in circles.

Law: progress is what was not seen before.  A call repeated with a changing result is progress
(waiting for a build); the same call with the same result is not (rule R18).
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from parsing import ToolUse


class Repetition:
    """Counts identical calls with identical results since anything new was learnt."""

    def __init__(self) -> None:
        self._ever: set[bytes] = set()
        self._since: Counter[bytes] = Counter()
        self._cut: set[bytes] = set()

    def count(self, use: ToolUse, result: str) -> int:
        """Take a call with its result; gives how often the pair came since the last new one."""
        key = _key(use.name, use.arguments, result)
        if key not in self._ever:
            self._ever.add(key)
            self._since.clear()
        self._since[key] += 1
        return self._since[key]

    def cut_again(self, use: ToolUse) -> bool:
        """Take a call that was cut off by the token limit; says whether this one was before.

        What came after the last closed value is left out: a model seldom writes the very same
        text twice, but it is the same step that does not fit.
        """
        closed = [(v.key, v.text) for v in use.values if v.closed]
        if use.raw is not None:
            closed = [(key, str(value)) for key, value in use.params.items()][:-1]
        key = _key(use.name, repr(sorted(closed)), "")
        again = key in self._cut
        self._cut.add(key)
        return again


def _key(*parts: str) -> bytes:
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()

"""Looks for a message that breaks a law: `python -m tests.parsing.soak --seconds N [--seed S]`.

Prints the seed and the smallest such message, and exits with 1.  Keep what it finds as the next
number in `corpus/found/`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from parsing import Finish
from tests.parsing.cases import tools
from tests.parsing.grow import cline_table, seeded, sentence, soup
from tests.parsing.laws import check, same_for_any_cut
from tests.parsing.ways import pieces


@dataclass(frozen=True)
class Found:
    """A message that breaks a law."""

    seed: int
    text: str
    finish: Finish
    why: str


def fault(text: str, finish: Finish, seed: int) -> str | None:
    """Say which law the message breaks."""
    random = Random(seed)
    cuts = [tuple(text), pieces(text, random), (text,)]
    try:
        check(text, tools(), finish, cuts[seed % 3])
        same_for_any_cut(text, tools(), finish, cuts, "reparse")
        same_for_any_cut(text, tools(), finish, cuts, "incremental")
    except Exception as error:  # whatever a reading raises is a find
        return f"{type(error).__name__}: {error}"
    return None


def smallest(text: str, fails: Callable[[str], bool]) -> str:
    """Take pieces out of a text for as long as it fails."""
    size = len(text)
    while size:
        start = 0
        while start < len(text):
            shorter = text[:start] + text[start + size :]
            if fails(shorter):
                text = shorter
            else:
                start += size
        size //= 2
    return text


def soak(seconds: float, first: int = 0) -> tuple[int, Found | None]:
    """Try seeds for a time; give how many were tried, and the first find."""
    table = cline_table(tools())
    end = time.monotonic() + seconds
    seed = first
    while time.monotonic() < end:
        seed += 1
        pick = seeded(seed)
        text = (sentence if seed % 2 else soup)(table, pick)
        finish = pick(list(Finish))
        if fault(text, finish, seed):
            return seed - first, _reduced(seed, text, finish)
    return seed - first, None


def _reduced(seed: int, text: str, finish: Finish) -> Found:
    text = smallest(text, lambda shorter: fault(shorter, finish, seed) is not None)
    return Found(seed, text, finish, fault(text, finish, seed) or "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tried, found = soak(options.seconds, options.seed)
    print(f"soak: {tried} messages from seed {options.seed + 1} on")
    if found is None:
        return 0
    print(f"seed {found.seed}, finish {found.finish.value}: {found.text!r}\n{found.why}")
    return 1


if __name__ == "__main__":
    sys.exit(main())

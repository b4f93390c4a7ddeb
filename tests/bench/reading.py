"""How a reading is measured: a bare loop, a pattern pass, the best of some rounds, the growth."""

from __future__ import annotations

import math
import os
import re
import time
from collections.abc import Callable, Sequence
from functools import partial

from parsing import Finish
from parsing.grammar import Grammar
from parsing.incremental import Incremental
from parsing.marks import Mark, plain
from parsing.reparse import Reading
from tests.bench.messages import chunks
from tests.bench.report import RUNS, Row

KB = 1024
EXTRA = 8
FULL = bool(os.environ.get("BENCH_FULL"))  # more rounds, larger texts: minutes
FAMILIES = [
    "cline",
    "hermes",
    "qwen3_coder",
    "glm45",
    "dsml",
    "deepseek_v3",
    "kimi_k2",
    "harmony",
    "pythonic",
    "gemma4",
    "llama3_json",
    "mistral",
    "xlam",
    "step3",
]  # a dialect of each kind of grammar: what the quick run looks at
Read = Callable[[Grammar, Sequence[str]], object]


def pattern_of(grammar: Grammar, *more: str) -> re.Pattern[str]:
    """Compile the marks of a dialect, and what else is asked for, into one alternation."""
    marks: set[Mark] = {mark for mode in grammar.table.modes.values() for mark in mode.edges}
    longest_first = sorted(map(plain, marks), key=len, reverse=True)
    return re.compile("|".join((*longest_first, *more)), re.DOTALL)


def pattern_pass(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def bare_loop(pieces: Sequence[str]) -> None:
    kept: list[str] = []
    keep = kept.append
    for piece in pieces:
        keep(piece)
        piece.find("<")


def feed(grammar: Grammar, pieces: Sequence[str]) -> Incremental:
    parser = Incremental(grammar)
    take = parser.feed
    for piece in pieces:
        take(piece)
    return parser


def feed_and_tell(grammar: Grammar, pieces: Sequence[str]) -> Incremental:
    parser = Incremental(grammar)
    for piece in pieces:
        parser.feed(piece).deltas()
    return parser


def whole(grammar: Grammar, text: str) -> object:
    return Reading(grammar, text, Finish.STOP).blocks


def same(grammar: Grammar, parser: Incremental, text: str) -> bool:
    """The reconstruction is checked before a figure is shown."""
    return parser.blocks == Reading(grammar, text).blocks and parser.text == text


def best(run: Callable[[], object], rounds: int = 5) -> float:
    times: list[float] = []
    for _ in range(rounds):
        start = time.thread_time()
        run()
        times.append(time.thread_time() - start)
    return min(times)


def against(
    run: Callable[[], object], floor: Callable[[], object], rounds: int
) -> tuple[float, float]:
    """Measure both in turns; give the best of each."""
    pairs = [(best(run, 1), best(floor, 1)) for _ in range(rounds)]
    return min(run for run, _ in pairs), min(floor for _, floor in pairs)


def pooled(
    run: Callable[[], object], floor: Callable[[], object], limit: float, rounds: int
) -> tuple[float, float]:
    """Measure both in turns, some more rounds while the limit is missed; give the best of all.

    Another load only ever adds time, so the least of all rounds is the nearest to the truth, and
    both sides have the same rounds.
    """
    taken, least = against(run, floor, rounds)
    for _ in range(EXTRA):
        if taken <= limit * least:
            break
        more, less = against(run, floor, rounds)
        taken, least = min(taken, more), min(least, less)
    return taken, least


def until_ok(measure: Callable[[], Row]) -> list[Row]:
    """Measure up to three times, no more than it takes."""
    tries: list[Row] = []
    while len(tries) < RUNS and not (tries and tries[-1].ok):
        tries.append(measure())
    return tries


def grown(
    what: str,
    shape: Callable[[int], str],
    read: Callable[[str], object],
    sizes: Sequence[int],
    rounds: int = 3,
) -> Row:
    """Fit the exponent of the cost over these sizes; a ratio to 1, which is linear."""
    texts = [shape(size) for size in sizes]
    points = [(math.log(len(text)), math.log(best(partial(read, text), rounds))) for text in texts]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    over = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return Row(what, over / sum((x - mean_x) ** 2 for x, _ in points), 1.0, 1.2, "exponent")


def fed(grammar: Grammar, text: str) -> object:
    """Feed by four characters and ask for the blocks once."""
    return feed(grammar, chunks(text)).blocks


def told(grammar: Grammar, text: str) -> object:
    """Feed by four characters and ask for the deltas each time."""
    return feed_and_tell(grammar, chunks(text))

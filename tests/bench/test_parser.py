from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from functools import partial

import pytest

from parsing import Finish
from parsing.incremental import Incremental
from parsing.reparse import Reading
from tests.bench.messages import (
    GRAMMAR,
    chunks,
    many_small_calls,
    one_big_write,
    prose,
    prose_with_fences,
)
from tests.bench.report import RUNS, Ratio, Report, Row

pytestmark = [pytest.mark.bench, pytest.mark.benchmark(timer=time.thread_time)]

KB = 1024
TAGS = {str(tag) for mode in GRAMMAR.table.modes.values() for tag in mode.edges}
PATTERN = re.compile("|".join(map(re.escape, sorted(TAGS, key=len, reverse=True))) + "|`{3,}|~{3,}")
Shape = Callable[[int], str]


def one_pattern_pass(text: str) -> int:
    return sum(1 for _ in PATTERN.finditer(text))


def bare_loop(pieces: list[str]) -> None:
    kept: list[str] = []
    keep = kept.append
    for piece in pieces:
        keep(piece)
        piece.find("<")


def feed(pieces: list[str]) -> Incremental:
    parser = Incremental(GRAMMAR)
    take = parser.feed
    for piece in pieces:
        take(piece)
    return parser


def feed_and_tell(pieces: list[str]) -> Incremental:
    parser = Incremental(GRAMMAR)
    for piece in pieces:
        parser.feed(piece).deltas()
    return parser


def same(parser: Incremental, text: str) -> bool:
    """The reconstruction is checked before a figure is shown."""
    return parser.blocks == Reading(GRAMMAR, text).blocks and parser.text == text


@pytest.mark.parametrize(
    ("shape", "limit"), [(one_big_write, 3), (prose, 3), (many_small_calls, 10)]
)
def test_reparse_against_one_pattern_pass(ratio: Ratio, shape: Shape, limit: float) -> None:
    text = shape(64 * KB)
    ratio(
        f"reparse 64 KB, {shape.__name__}",
        lambda: Reading(GRAMMAR, text, Finish.STOP).blocks,
        floor=lambda: one_pattern_pass(text),
        limit=limit,
        rounds=15,
        timer=time.thread_time,
    )


@pytest.mark.parametrize("size", [64 * KB, 1024 * KB])
@pytest.mark.parametrize(
    ("shape", "limit"),
    [(one_big_write, 4), (prose, 4), (prose_with_fences, 6), (many_small_calls, 12)],
)
def test_incremental_feed_against_a_bare_loop(
    ratio: Ratio, shape: Shape, limit: float, size: int
) -> None:
    text = shape(size)
    pieces = chunks(text)
    assert same(feed(pieces), text)
    ratio(
        f"feed {size // KB} KB by 4, {shape.__name__}",
        lambda: feed(pieces),
        floor=lambda: bare_loop(pieces),
        limit=limit,
        rounds=15 if size == 64 * KB else 5,
        timer=time.thread_time,
    )


@pytest.mark.parametrize(
    ("shape", "limit"),
    [(one_big_write, 15), (prose, 15), (prose_with_fences, 15), (many_small_calls, 30)],
)
def test_incremental_with_deltas_against_a_bare_loop(
    ratio: Ratio, shape: Shape, limit: float
) -> None:
    text = shape(64 * KB)
    pieces = chunks(text)
    assert same(feed_and_tell(pieces), text)
    ratio(
        f"feed and tell 64 KB by 4, {shape.__name__}",
        lambda: feed_and_tell(pieces),
        floor=lambda: bare_loop(pieces),
        limit=limit,
        rounds=15,
        timer=time.thread_time,
    )


@pytest.mark.parametrize(
    "shape", [one_big_write, prose, prose_with_fences, many_small_calls], ids=lambda s: s.__name__
)
def test_cost_of_a_chunk_does_not_grow_with_the_message(report: Report, shape: Shape) -> None:
    small, large = chunks(shape(64 * KB)), chunks(shape(1024 * KB))
    report.add(until_ok(lambda: _per_chunk(shape.__name__, small, large)))


def _per_chunk(name: str, small: list[str], large: list[str]) -> Row:
    few = best(lambda: feed(small)) / len(small)
    many = best(lambda: feed(large)) / len(large)
    return Row(f"a chunk at 1 MB against 64 KB, {name}", many * 1e6, few * 1e6, 1.5, "us")


def best(run: Callable[[], object], rounds: int = 5) -> float:
    times: list[float] = []
    for _ in range(rounds):
        start = time.thread_time()
        run()
        times.append(time.thread_time() - start)
    return min(times)


def until_ok(measure: Callable[[], Row]) -> list[Row]:
    """Measure up to three times, no more than it takes."""
    tries: list[Row] = []
    while len(tries) < RUNS and not (tries and tries[-1].ok):
        tries.append(measure())
    return tries


ADVERSARIAL: dict[str, Shape] = {
    "line feeds after a call": lambda size: (
        "<read_file>\n<path>a</path>\n</read_file>" + "\n" * size
    ),
    "line feeds in a call": lambda size: "<read_file>\n<path>a</path>" + "\n" * size,
    "line feeds after a closing tag": lambda size: (
        "<write_to_file><path>a</path><content>x</content>" + "\n" * size
    ),
    "angle brackets": lambda size: "<" * size,
    "half tags": lambda size: "<read_fi" * (size // 8),
    "half closing tags": lambda size: (
        "<write_to_file><path>a</path><content>" + "</conten" * (size // 8)
    ),
    "closing tags in a body": lambda size: (
        "<write_to_file><path>a</path><content>" + "</content> " * (size // 11)
    ),
    "a parameter given over and over": lambda size: (
        "<replace_in_file>"
        + "<path>a</path>" * (size // 28)
        + "<diff>"
        + "</diff> <diff> " * (size // 30)
    ),
    "an unclosed body": lambda size: (
        "<write_to_file><path>a</path><content>" + "x y\n" * (size // 4)
    ),
    "an unclosed line": lambda size: "<read_file><path>" + "x y " * (size // 4),
    "openers on one line": lambda size: "`" + "<read_file>" * (size // 11),
    "openers in a command": lambda size: (
        "<execute_command><command>" + " <read_file>" * (size // 12)
    ),
    "blanks before openers": lambda size: (
        "<execute_command><command>" + (" " * 60 + "<read_file>") * (size // 71)
    ),
    "backticks": lambda size: "`<think>" * (size // 8),
    "fence marks": lambda size: "```\n<read_file>\n" * (size // 16),
    "nested calls": lambda size: (
        "<write_to_file><path>a</path><content>\n" + "<write_to_file>\n" * (size // 16)
    ),
    "stray closing tags": lambda size: "</think>\n" * (size // 9),
    "reasoning": lambda size: "<think>" + "`</think>`" * (size // 10),
    "tiny calls": lambda size: "<read_file><path>a</path></read_file>" * (size // 37),
    "calls left open": lambda size: "<read_file><path>a</path>\n" * (size // 26),
    "cut values": lambda size: "<read_file><path>a\n" * (size // 19),
}


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_cost_grows_with_the_text_alone(report: Report, name: str) -> None:
    shape = ADVERSARIAL[name]
    report.add(until_ok(lambda: _grown(f"fed: {name}", shape, lambda t: feed(chunks(t)))))
    report.add(until_ok(lambda: _grown(f"whole: {name}", shape, lambda t: Reading(GRAMMAR, t))))


def _grown(what: str, shape: Shape, read: Callable[[str], object]) -> Row:
    """Fit the exponent of the cost over four sizes; a ratio to 1, which is linear."""
    sizes = [64 * KB, 128 * KB, 256 * KB, 512 * KB]
    texts = [shape(size) for size in sizes]
    points = [(math.log(len(text)), math.log(best(partial(read, text), 3))) for text in texts]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    over = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return Row(what, over / sum((x - mean_x) ** 2 for x, _ in points), 1.0, 1.2, "exponent")

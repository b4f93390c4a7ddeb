"""Every dialect in its real syntax: against the bare loop, and against one pattern pass."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import cache, partial

import pytest

from parsing import ArgumentsDelta, Delta, Finish, TextDelta
from parsing.grammar import Grammar
from parsing.incremental import Incremental
from tests.bench.messages import chunks
from tests.bench.messages_dialects import NAMES, Said, Spoken
from tests.bench.reading import (
    FAMILIES,
    FULL,
    KB,
    Read,
    against,
    bare_loop,
    feed,
    feed_and_tell,
    pattern_of,
    pattern_pass,
    pooled,
    same,
    whole,
)
from tests.bench.report import Report, Row

pytestmark = [pytest.mark.bench, pytest.mark.benchmark(timer=time.thread_time)]

FEED, FEED_JSON, TELL, WHOLE = 6, 8, 15, 4
ROUNDS = 15 if FULL else 5
SIZES = (1, 4, 8, 16, 256)


@cache
def spoken(name: str) -> Spoken:
    return Spoken(name)


def check(grammar: Grammar, said: Said, pieces: list[str]) -> None:
    """The reconstruction is checked before a figure is shown."""
    assert same(grammar, feed(grammar, pieces), said.text)
    parser = Incremental(grammar)
    deltas: list[Delta] = []
    for piece in pieces:
        deltas += parser.feed(piece).deltas()
    deltas += parser.close(Finish.STOP).deltas()
    assert said.is_read_as(parser.blocks)
    told = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    assert told == said.prose
    calls: dict[int, str] = {}
    for delta in deltas:
        if isinstance(delta, ArgumentsDelta):
            calls[delta.index] = calls.get(delta.index, "") + delta.text
    assert [json.loads(call) for call in calls.values()] == [args for _, args in said.calls]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("read", [feed, feed_and_tell])
def test_long_value_by_four_against_a_bare_loop(report: Report, name: str, read: Read) -> None:
    dialect = spoken(name)
    said = dialect.long_value(64 * KB)
    pieces = chunks(said.text)
    check(dialect.grammar, said, pieces)
    limit = TELL if read is feed_and_tell else FEED_JSON if dialect.is_json else FEED
    told = "feed and tell" if read is feed_and_tell else "feed"
    row = partial(_row, f"{name}: {told} 64 KB by 4, a long value", limit)
    report.add([row(partial(read, dialect.grammar, pieces), partial(bare_loop, pieces))])


@pytest.mark.parametrize("name", NAMES)
def test_whole_long_value_against_one_pattern_pass(report: Report, name: str) -> None:
    dialect = spoken(name)
    said = dialect.long_value(64 * KB)
    pattern = pattern_of(dialect.grammar)
    row = partial(_row, f"{name}: whole 64 KB, a long value", WHOLE)
    reading = partial(whole, dialect.grammar, said.text)
    report.add([row(reading, partial(pattern_pass, pattern, said.text))])


def _row(what: str, limit: float, run: Callable[[], object], floor: Callable[[], object]) -> Row:
    taken, least = pooled(run, floor, limit, ROUNDS)
    return Row(what, taken * 1e3, least * 1e3, limit)


@pytest.mark.parametrize("name", NAMES if FULL else FAMILIES)
def test_chunks_of_every_size_are_shown(report: Report, name: str) -> None:
    if not report.shown:
        report.shown.append(("", *(f"{size}" for size in SIZES)))
    dialect = spoken(name)
    for shape in (dialect.long_value, dialect.small_calls, dialect.plain):
        said = shape(64 * KB if FULL else 8 * KB)
        told = shape.__name__.replace("_", " ")
        cells = [_cell(dialect.grammar, said, chunks(said.text, size)) for size in SIZES]
        report.shown.append((f"{name}, {told}", *cells))


def _cell(grammar: Grammar, said: Said, pieces: list[str]) -> str:
    check(grammar, said, pieces)
    floor = partial(bare_loop, pieces)
    rounds = 5 if FULL else 2
    fed = against(partial(feed, grammar, pieces), floor, rounds)
    told = against(partial(feed_and_tell, grammar, pieces), floor, rounds)
    return f"{fed[0] / fed[1]:.1f} {told[0] / told[1]:5.1f}"

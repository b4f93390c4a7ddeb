"""The ways to read one message: three readings, and every manner of cutting it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from parsing import Block, Dialect, Finish, Mode, Options, ToolSpec, reader
from parsing.options import AGENT

Cuts = tuple[str, ...]


def whole(text: str) -> Iterator[Cuts]:
    yield (text,)


def each_character(text: str) -> Iterator[Cuts]:
    yield tuple(text)


def every_cut_in_two(text: str) -> Iterator[Cuts]:
    for place in range(1, len(text)):
        yield text[:place], text[place:]


def random_cuts(text: str) -> Iterator[Cuts]:
    for seed in range(8):
        yield pieces(text, Random(1000 * len(text) + seed))


def pieces(text: str, random: Random) -> Cuts:
    """Cut a text at random places."""
    found: list[str] = []
    longest = random.choice([2, 5, 20, 80])
    while text:
        size = random.randint(1, longest)
        found.append(text[:size])
        text = text[size:]
    return tuple(found)


WAYS = {
    "whole": whole,
    "each-character": each_character,
    "every-cut-in-two": every_cut_in_two,
    "random-cuts": random_cuts,
}


def read(
    chunks: Sequence[str],
    mode: Mode,
    tools: Sequence[ToolSpec],
    finish: Finish | None,
    *,
    protocol: str | Dialect = "cline",
    options: Options = AGENT,
) -> tuple[Block, ...]:
    """Feed the chunks to a reader, close it and give its blocks."""
    message = reader(protocol, tools, mode, options=options)
    for chunk in chunks:
        message.feed(chunk)
    if finish is not None:
        message.close(finish)
    return message.blocks

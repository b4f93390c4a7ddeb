from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from ui.gateway.reasoning_tokens import ReasoningTokens
from ui.gateway.told import Tokens

MESSAGE = "<think>one two</think>done"
INSIDE = [(7, 14)]
CALL = '<think>hm <tool_call>{"name": "f"}</tool_call> so</think>ok'


def counted(chunks: list[tuple[str, int]], stretches: list[tuple[int, int | None]]) -> int | None:
    tokens = ReasoningTokens()
    for text, count in chunks:
        tokens.take(text, None, Tokens([1] * count) if count else None)
    return tokens.count(stretches)


def logprobs(*texts: str) -> list[Any]:
    return [{"token": text, "logprob": -0.1} for text in texts]


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([(char, 1) for char in MESSAGE], 7),
        ([("<think>", 1), ("one", 1), (" two", 1), ("</think>", 1), ("done", 1)], 2),
        ([("<think>", 3), ("one two", 2), ("</think>", 3), ("done", 1)], 2),
        ([("<think>", 1), ("one two</th", 2), ("ink>done", 2)], 1),  # 7 of 11 characters of 2
        ([("<think>one two</think>done", 26)], 7),
        ([("<think>", 1), ("", 1), ("one two", 1), ("</think>", 1), ("", 1), ("done", 1)], 2),
        ([("<think>one two</think>", 0), ("done", 1)], 0),
        ([(MESSAGE, 0)], None),
    ],
)
def test_tokens_of_a_chunk_count_by_what_of_it_is_inside(
    chunks: list[tuple[str, int]], expected: int | None
) -> None:
    assert counted(chunks, [*INSIDE]) == expected


@pytest.mark.parametrize("cut", range(1, len(CALL)))
def test_marks_cut_at_every_character_count_none_and_markup_inside_counts(cut: int) -> None:
    start, end = CALL.index("hm"), CALL.index("</think>")
    edges = sorted({0, start, cut, end, len(CALL)})
    chunks = [(CALL[a:b], b - a) for a, b in pairwise(edges)]

    assert counted(chunks, [(start, end)]) == end - start


def test_each_token_counts_by_its_own_text_where_logprobs_name_them() -> None:
    texts = ("<think>", "supercalifragilistic", "!", "</think>", "ok")
    whole = "".join(texts)
    stretch = (7, whole.index("</think>"))
    tokens, shared, other = ReasoningTokens(), ReasoningTokens(), ReasoningTokens()
    tokens.take(whole, None, Tokens([1] * 5, logprobs(*texts)))
    shared.take(whole, None, Tokens([1] * 5))
    other.take(whole, None, Tokens([1] * 5, logprobs("x", *texts[1:])))

    assert tokens.count([stretch]) == 2
    assert shared.count([stretch]) == other.count([stretch]) == 3  # 21 of 38 characters of 5


def test_tokens_of_reasoning_beside_the_text_count() -> None:
    tokens = ReasoningTokens()
    tokens.take("", "hm", Tokens([1, 2]))
    tokens.take("ok", "so", Tokens([1, 2]))
    tokens.take("ok", None, Tokens([1]))

    assert tokens.count([]) == 3


def test_reasoning_that_goes_on_to_the_end_counts_and_what_ends_the_answer_does_not() -> None:
    assert counted([("hm", 1), ("so", 1), ("", 1)], [(0, None)]) == 2


def test_several_stretches_count_together() -> None:
    chunks = [(char, 1) for char in "a<t>b</t>c<t>de</t>"]

    assert counted(chunks, [(4, 5), (13, 15)]) == 3


def test_text_before_the_first_tokens_is_passed_over() -> None:
    tokens = ReasoningTokens(start=7)
    tokens.take("one two", None, Tokens([1, 2]))
    tokens.take("</think>", None, Tokens([3]))

    assert tokens.count([*INSIDE]) == 2

from __future__ import annotations

import os
import random
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from parsing import Finish, Mode, dialect, parse, reader
from tests.parsing.cases import tools
from tests.parsing.grow import T, cline_table, sentence, soup
from tests.parsing.laws import check, same_for_any_cut
from tests.parsing.soak import soak
from tests.parsing.ways import each_character, random_cuts, read, whole

MODE_NAMES: tuple[Mode, ...] = ("reparse", "incremental")
TABLE = cline_table(tools())
MODES = st.sampled_from(MODE_NAMES)
FINISHES = st.sampled_from(list(Finish))
bounded = settings(
    max_examples=int(os.environ.get("TAGLINE_EXAMPLES", "120")),
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


class Drawn:
    """Choices made by hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def __call__(self, of: Sequence[T], /) -> T:
        return self._draw(st.sampled_from(of))


@st.composite
def sentences(draw: st.DrawFn) -> str:
    return sentence(TABLE, Drawn(draw))


@st.composite
def soups(draw: st.DrawFn) -> str:
    return soup(TABLE, Drawn(draw))


@bounded
@given(sentences(), FINISHES)
def test_laws_hold_for_sentences_of_the_table(text: str, finish: Finish) -> None:
    note(repr(text))
    check(text, tools(), finish, tuple(text))


@bounded
@given(soups(), FINISHES)
def test_laws_hold_for_soups_of_tags(text: str, finish: Finish) -> None:
    note(repr(text))
    check(text, tools(), finish, tuple(text))


@bounded
@given(st.one_of(sentences(), soups()), FINISHES, MODES)
def test_laws_cuts_do_not_matter(text: str, finish: Finish, mode: Mode) -> None:
    note(repr(text))
    cuts = [*whole(text), *each_character(text), *random_cuts(text)]
    same_for_any_cut(text, tools(), finish, cuts, mode)


@bounded
@given(st.text(), FINISHES, st.sampled_from(["cline", "cline-v2"]))
def test_laws_no_text_raises(text: str, finish: Finish, protocol: str) -> None:
    read(tuple(text), "both", tools(), finish, protocol=protocol)


@bounded
@given(st.one_of(sentences(), soups()))
def test_laws_cline_v2_agrees_with_itself(text: str) -> None:
    note(repr(text))
    once = read((text,), "reparse", (), None, protocol="cline-v2")
    for chunks in (*each_character(text), *random_cuts(text)):
        assert read(chunks, "both", (), None, protocol="cline-v2") == once


@bounded
@given(st.one_of(sentences(), soups()), FINISHES)
def test_laws_prefixes_are_messages_that_have_not_ended(text: str, finish: Finish) -> None:
    note(repr(text))
    message = reader("cline", tools(), "incremental")
    for place, character in enumerate(text, 1):
        message.feed(character)
        if place % 7 == 0:
            assert message.blocks == parse(text[:place], "cline", tools(), finish=None)
    message.close(finish)
    assert message.blocks == parse(text, "cline", tools(), finish=finish)


@bounded
@given(st.text(st.characters(exclude_characters="<", exclude_categories=["Cs"])))
def test_laws_spelled_calls_read_back(value: str) -> None:
    assume(not value.endswith("\r"))  # it would be framed as one line ending
    line = value.strip() or "a"
    text = dialect("cline").shape.spell("write_to_file", {"path": line, "content": value})

    (call,) = parse(f"Now:\n{text}", "cline", tools())[1:]

    assert call.as_json()["params"] == {"path": line, "content": value}
    assert call.as_json()["repaired"] == []


def test_laws_hold_for_the_soak_s_first_messages() -> None:
    _, found = soak(2.0)
    assert found is None, found


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_laws_hold_for_a_while() -> None:
    seconds = float(os.environ.get("SOAK_SECONDS", "20"))
    first = random.SystemRandom().randrange(10**9)

    tried, found = soak(seconds, first)

    print(f"{tried} messages from seed {first + 1} on")
    assert found is None, found

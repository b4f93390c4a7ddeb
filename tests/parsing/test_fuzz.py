from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parsing import (
    ArgumentsDelta,
    CallBegan,
    CallEnded,
    Change,
    Delta,
    Finish,
    Options,
    TextBlock,
    TextDelta,
    ToolUse,
    Value,
    dialect,
    dialect_names,
    fuzz,
    parse,
    reader,
)
from parsing.dialects.hermes import HERMES
from parsing.fuzz.growth import Heard, grown, unreadable
from parsing.fuzz.reduce import Reducing
from parsing.reader import Reader
from parsing.spec import ToolSpec
from tests.parsing.laws import agree
from tests.parsing.slow_reading import definition

NAMES = dialect_names()
TABLED = [name for name in NAMES if dialect(name).readers is None]
SEEDS = st.integers(min_value=0, max_value=10**9)
few = settings(
    max_examples=max(2, int(os.environ.get("TAGLINE_EXAMPLES", "120")) // 30),
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.parametrize("name", NAMES)
@few
@given(seed=SEEDS)
def test_fuzz_finds_no_message_that_breaks_a_law(name: str, seed: int) -> None:
    message = fuzz.message(name, seed)
    found = fuzz.fault_of(message)

    assert found is None, (fuzz.smallest(message), found)


@pytest.mark.parametrize("name", TABLED)
@few
@given(seed=SEEDS)
def test_definition_reads_what_the_modes_read(name: str, seed: int) -> None:
    message = fuzz.message(name, seed)
    cut = Random(seed).randrange(len(message.text) + 1)
    for text, finish in ((message.text[:cut], None), (message.text, message.finish)):
        blocks = parse(text, name, message.tools, finish=finish, options=message.options)
        agree(blocks, definition(name, text, message.tools, message.options, finish), text)


@pytest.mark.parametrize("name", ["cline", "harmony", "cline-v2", "none"])
def test_fuzz_grows_the_same_message_from_a_seed(name: str) -> None:
    messages = [fuzz.message(name, seed) for seed in range(40)]

    assert messages == [fuzz.message(name, seed) for seed in range(40)]
    assert len({message.text for message in messages}) > 30
    assert all("".join(message.chunks) == message.text for message in messages)


def test_fuzz_grows_calls_that_are_read() -> None:
    for name in ("cline", "hermes", "glm45", "pythonic", "harmony"):
        messages = [fuzz.message(name, seed) for seed in range(200)]
        read = [parse(one.text, name, one.tools, options=one.options) for one in messages]
        whole = [
            block
            for blocks in read
            for block in blocks
            if isinstance(block, ToolUse) and not block.partial and block.fault is None
        ]
        assert len(whole) > 10, name


def two_dialects(tools: object) -> tuple[Reader, Reader]:
    return reader("hermes"), reader("none", mode="incremental")


class Raises:
    """A reader of no text at all."""

    blocks = ()
    text = ""

    def feed(self, chunk: str) -> Change:
        raise RecursionError(chunk)

    def close(self, finish: Finish) -> Change:
        raise RecursionError(finish)


def raising(tools: object) -> tuple[Reader, Reader]:
    return Raises(), Raises()


def test_fuzz_tells_modes_that_differ() -> None:
    message = fuzz.Message("hermes", "a<tool_call>{", (1,), options=Options("serving"))

    with pytest.raises(fuzz.LawBroken) as broken:
        fuzz.check(message, replace(HERMES, readers=two_dialects))

    assert (broken.value.fault.law, broken.value.fault.place) == (1, 2)
    assert broken.value.fault.message.startswith("block 0: reparse TextBlock(content='a', ")


def test_fuzz_tells_an_exception() -> None:
    with pytest.raises(fuzz.LawBroken) as broken:
        fuzz.check(fuzz.Message("hermes", "a"), replace(HERMES, readers=raising))

    assert broken.value.fault == fuzz.Fault(7, 1, "RecursionError: a")


def test_fuzz_counts_a_comparison_for_each_chunk_and_the_close() -> None:
    assert fuzz.check(fuzz.Message("hermes", "abc", (1, 2))) == 4


def test_growth_tells_what_was_taken_back() -> None:
    text, call = TextBlock("ab", True, 0), ToolUse("run", (Value("a", "x", False),), True, start=0)

    assert grown([text], [replace(text, content="abc")]) is None
    assert (grown([text], []) or "").startswith("a block vanished")
    assert (grown([text], [call]) or "").startswith("a block changed its kind")
    assert (grown([text], [replace(text, content="b")]) or "").startswith("text was taken back")
    assert (grown([replace(text, partial=False)], [text]) or "").startswith("a closed block")
    assert (grown([call], [replace(call, name="now")]) or "").startswith("a name changed")
    assert (grown([call], [replace(call, values=())]) or "").startswith("arguments were taken")


def test_heard_deltas_tell_what_no_client_could_follow() -> None:
    assert Heard().take([CallBegan(0, "run"), ArgumentsDelta(0, "{}"), CallEnded(0)]) is None
    assert (Heard().take([ArgumentsDelta(0, "{}")]) or "").startswith("arguments before")
    assert (Heard().take([CallBegan(0, "a"), CallBegan(0, "a")]) or "").startswith("a call began")
    twice: list[Delta] = [CallBegan(0, "a"), CallEnded(0), CallEnded(0)]
    assert (Heard().take(twice) or "").startswith("a call ended twice")
    late: list[Delta] = [CallBegan(0, "a"), CallEnded(0), ArgumentsDelta(0, "{")]
    assert (Heard().take(late) or "").startswith("a piece of call")
    assert (Heard().take([TextDelta(0, "")]) or "").startswith("an empty delta")
    heard = Heard()
    heard.take([TextDelta(0, "ab")])
    assert heard.differs([TextBlock("ab")]) is None
    assert heard.differs([TextBlock("a")]) is not None


def test_arguments_of_markup_are_json_or_its_beginning() -> None:
    whole = ToolUse("run", (Value("a", "x"),))

    assert unreadable(whole) is None
    assert unreadable(replace(whole, partial=True)) is None
    assert unreadable(ToolUse("run", (Value("a", "\ud800", False),), True)) is None


def test_reducing_keeps_what_fails() -> None:
    message = fuzz.Message("hermes", "one <x> two <y> three", (3, 9), (ToolSpec("a"),) * 3)

    least = Reducing(lambda one: "<y>" in one.text and len(one.chunks) > 1).reduced(message)

    assert (least.text.strip(" t"), len(least.chunks), least.tools) == ("<y>", 2, ())

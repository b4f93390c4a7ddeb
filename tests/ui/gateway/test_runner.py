"""The runner's law, over an upstream that says what it is given."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing

import pytest

from agent.errors import StreamBroken
from agent.providers.base import Usage
from parsing import (
    Options,
    TextDelta,
)
from tests.ui.gateway.given import (
    SERVING,
    STOP,
    TOOLS,
    Given,
    ask,
    chars,
    native,
    one_or_two,
    spell,
)
from ui.gateway.heard import Heard, Prepared
from ui.gateway.runner import run
from ui.gateway.told import Ended, Pieces, Tokens, Told

DIALECTS = (
    *("hermes", "qwen3_coder", "kimi_k2", "harmony", "glm45", "mistral", "llama3_json"),
    *("deepseek_v3", "claude_xml", "gemma4", "pythonic", "minimax_m2"),
)


@pytest.mark.parametrize("name", DIALECTS)
def test_run_tells_a_dialects_call_as_one_call_in_one_character_chunks(name: str) -> None:
    told = ask([*chars(spell(name, ("look", {"at": "a b"}))), STOP], name=name)

    assert one_or_two(told) == [("look", {"at": "a b"})]
    assert told.finish == "tool_calls"
    assert len(told.ended) == 1


@pytest.mark.parametrize("name", ["hermes", "qwen3_coder", "kimi_k2", "deepseek_v3", "glm45"])
@pytest.mark.parametrize("parallel", [True, False])
def test_run_tells_calls_after_the_first_only_when_they_may_be_parallel(
    name: str, parallel: bool
) -> None:
    text = spell(name, ("look", {"at": "a"}), ("go", {"to": "b"})) + "Done"
    told = ask([*chars(text), STOP], name=name, parallel=parallel)

    both = [("look", {"at": "a"}), ("go", {"to": "b"})]
    assert one_or_two(told) == (both if parallel else both[:1])
    assert told.blocks[-1] == ("text", "Done")
    assert told.finish == "tool_calls"
    assert told.ended == ({0, 1} if parallel else {0})


def test_run_keeps_stop_when_no_call_was_told() -> None:
    unknown = '<tool_call>{"name": "nobody", "arguments": {}}</tool_call>'

    assert ask([Heard("Hi"), STOP]).finish == "stop"
    assert (ask([Heard(unknown), STOP]).finish, ask([Heard(unknown), STOP]).blocks) == ("stop", [])
    assert ask([Heard("Hi"), Heard(finish="tool_calls")]).finish == "stop"


def test_run_reads_no_call_when_none_is_allowed() -> None:
    text = spell("hermes", ("look", {"at": "a"}))
    options = Options("serving", starts_in_reasoning=False, calls=False)
    told = ask([Heard(text), Heard(calls=[native(0, "look", "{}")]), STOP], options=options)

    assert (told.blocks, told.finish) == ([("text", text)], "stop")


@pytest.mark.parametrize("finish", ["length", "content_filter"])
def test_run_keeps_the_reason_of_an_answer_that_was_cut(finish: str) -> None:
    text = spell("hermes", ("look", {"at": "a"}))
    whole = ask([Heard(text), Heard(finish=finish)])
    cut = ask([Heard(text[:-16]), Heard(finish=finish)])

    assert (whole.finish, whole.ended) == (finish, {0})
    assert (cut.finish, cut.ended, cut.blocks[0][0]) == (finish, set(), "look")


def test_run_tells_what_was_held_back_at_the_end() -> None:
    told = ask([Heard("a<tool_c"), STOP])

    assert told.blocks == [("text", "a<tool_c")]


def test_run_passes_a_fault_on_after_what_was_read() -> None:
    fault = StreamBroken("it broke")
    told = ask([Heard("Ha"), Heard('<tool_call>{"name": "look", ')], fault=fault)

    assert told.error is fault
    assert (told.blocks, told.end) == ([("text", "Ha"), ("look", "")], None)


def test_run_takes_an_end_without_a_reason_for_a_broken_stream() -> None:
    assert isinstance(ask([Heard("Ha")]).error, StreamBroken)


def test_run_leaves_the_upstream_when_it_is_left() -> None:
    upstream = Given([Heard("a"), Heard("b"), STOP])

    async def leave() -> list[Pieces | Ended]:
        async with aclosing(run(Prepared({}, "hermes", TOOLS, SERVING), upstream)) as told:
            return [await anext(told)]

    assert asyncio.run(leave()) == [[Told(TextDelta(0, "a"))]]
    assert upstream.left


def test_tokens_come_with_the_last_delta_of_their_chunk() -> None:
    one, two, three = (Tokens([number]) for number in range(3))
    call = spell("hermes", ("look", {"at": "a"}))
    told = ask([Heard("Hi", tokens=one), Heard("<tool", tokens=two)])
    many = ask([Heard(f"Hi{call}Ho", tokens=one), Heard(tokens=three), STOP])

    assert told.pieces == [Told(TextDelta(0, "Hi"), one), Told(None, two)]
    assert len(many.pieces) > 4
    assert [piece.tokens for piece in many.pieces[-2:]] == [one, three]
    assert many.pieces[-2].delta == TextDelta(2, "Ho")
    assert [piece.tokens for piece in many.pieces[:-2]] == [None] * (len(many.pieces) - 2)


def test_tokens_that_say_nothing_are_not_told() -> None:
    assert ask([Heard("<tool", tokens=Tokens()), STOP]).pieces == [Told(TextDelta(0, "<tool"))]


def test_reasoning_beside_the_text_is_a_block_before_it_and_the_text_is_the_answer() -> None:
    options = Options("serving", starts_in_reasoning=True)
    heard = [Heard(reasoning="h"), Heard(reasoning="m"), Heard("It is."), STOP]
    empty = [Heard(reasoning=""), Heard("It is."), STOP]
    absent = [Heard("hm</think>It is."), STOP]

    assert ask(heard, options=options).blocks == [("reasoning", "hm"), ("text", "It is.")]
    assert ask(empty, options=options).blocks == [("text", "It is.")]
    assert ask(absent, options=options).blocks == [("reasoning", "hm"), ("text", "It is.")]


def test_reasoning_beside_the_text_is_text_when_thinking_is_off() -> None:
    options = Options("serving", starts_in_reasoning=False, reasoning_as_text=True)

    assert ask([Heard(reasoning="hm"), STOP], options=options).blocks == [("text", "hm")]


def test_reasoning_that_interrupts_begins_a_new_block_and_waits_for_an_open_call() -> None:
    call = spell("hermes", ("look", {"at": "a"}))
    heard = [
        *(Heard("one"), Heard(reasoning="hm"), Heard("two"), Heard(call[:30])),
        *(Heard(reasoning="so"), Heard(call[30:]), STOP),
    ]
    told = ask(heard)

    assert told.blocks == [
        *(("text", "one"), ("reasoning", "hm"), ("text", "two")),
        *(("look", '{"at": "a"}'), ("reasoning", "so")),
    ]
    assert told.ended == {3}


def test_native_calls_of_the_upstream_are_told_one_after_the_other() -> None:
    heard = [
        Heard("Well."),
        Heard(calls=[native(0, "look", "")]),
        Heard(calls=[native(0, None, '{"at": '), native(1, "go", '{"to"')]),
        Heard(calls=[native(1, None, ': "b"}'), native(0, None, '"a"}')]),
        Heard(calls=[native(2, "nobody", "{}"), native(3, "look", "")]),
        Heard(finish="tool_calls"),
    ]
    told = ask(heard)

    assert told.blocks == [
        *(("text", "Well."), ("look", '{"at": "a"}'), ("go", '{"to": "b"}')),
        ("look", "{}"),
    ]
    assert (told.ended, told.finish) == ({1, 2, 3}, "tool_calls")


def test_native_call_that_was_cut_is_not_told_as_ended() -> None:
    calls = [native(0, "look", '{"at": "a"}'), native(1, "go", '{"to": "')]
    told = ask([Heard(calls=calls), Heard(finish="length")])

    assert told.blocks == [("look", '{"at": "a"}'), ("go", '{"to": "')]
    assert (told.ended, told.finish) == ({0}, "length")


def test_native_call_ends_when_text_follows_it() -> None:
    told = ask([Heard(calls=[native(0, "look", "{}")]), Heard("Done"), STOP], parallel=False)

    assert told.blocks == [("look", "{}"), ("text", "Done")]
    assert told.finish == "tool_calls"


def test_native_calls_after_the_first_are_not_told_when_they_may_not_be_parallel() -> None:
    calls = [native(0, "look", "{}"), native(1, "go", '{"to": "b"}')]
    told = ask([Heard(calls=calls), STOP], parallel=False)

    assert (told.blocks, told.ended) == ([("look", "{}")], {0})


def test_usage_has_the_reasoning_tokens_that_were_counted() -> None:
    usage = Usage(5, 6)
    heard = [Heard(char, tokens=Tokens([1])) for char in "<think>hmm</think>ok"]
    off = Options("serving", starts_in_reasoning=False, reasoning_as_text=True)
    none = Options("serving", starts_in_reasoning=False, reasoning=False)
    end = Heard(finish="stop", usage=usage)

    assert ask([*heard, end]).end == Ended("stop", Usage(5, 6, 3))
    for own in (0, 2):
        assert ask([*heard, Heard(finish="stop", usage=Usage(5, 6, own))]).reasoning == 3
    assert ask([*chars("<think>hmm"), Heard(finish="stop", usage=Usage(5, 6, 2))]).reasoning == 2
    beside = [Heard("ok", tokens=Tokens([1])), Heard(finish="stop", usage=Usage(5, 6, 2))]
    assert ask(beside).reasoning == 2
    assert ask([*heard, end], options=off).end == Ended("stop", usage)
    assert ask([*heard, end], options=none).end == Ended("stop", usage)
    assert ask([*chars("<think>hmm</think>"), end]).end == Ended("stop", usage)
    assert ask([*heard, STOP]).end == Ended("stop")


def several() -> Iterator[tuple[str, str]]:
    for name in ("hermes", "qwen3_coder", "kimi_k2", "glm45", "deepseek_v3"):
        yield name, f"one {spell(name, ('look', {'at': 'a'}))} two"


@pytest.mark.parametrize(("name", "text"), list(several()))
def test_call_inside_reasoning_is_a_call_and_its_tokens_are_reasoning(name: str, text: str) -> None:
    options = Options("serving", starts_in_reasoning=True)
    end = Heard(finish="stop", usage=Usage(5, 6))
    heard = [Heard(char, tokens=Tokens([1])) for char in f"{text}</think>ok"]
    told = ask([*heard, end], name=name, options=options)

    assert one_or_two(told) == [("look", {"at": "a"})]
    assert told.reasoning == len(text)

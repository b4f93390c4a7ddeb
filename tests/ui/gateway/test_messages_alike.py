from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from parsing import ArgumentsDelta, CallBegan, CallEnded, Delta, ReasoningDelta, TextDelta
from tests.ui.gateway.messages_play import ASKED, Play, assert_in_order, events, said
from tests.ui.gateway.test_messages_arguments import TEXTS, cut
from ui.gateway.told import Ended

WORDS = st.text(alphabet=st.sampled_from('a "\\\n\u2028é🚀\ud83d\ude80\r'), max_size=6)
SIZES = st.lists(st.integers(1, 5), max_size=8)
Block = Callable[[int], list[Delta]]


def spoken(pieces: list[str]) -> Block:
    return lambda index: [TextDelta(index, piece) for piece in pieces]


def thought(pieces: list[str]) -> Block:
    return lambda index: [ReasoningDelta(index, piece) for piece in pieces]


def call(text: str, sizes: list[int], ended: bool) -> Block:
    return lambda index: [
        CallBegan(index, "f"),
        *(ArgumentsDelta(index, piece) for piece in cut(text, sizes)),
        *([CallEnded(index)] if ended else []),
    ]


BLOCKS = st.lists(
    st.builds(spoken, st.lists(WORDS, max_size=4))
    | st.builds(thought, st.lists(WORDS, max_size=4))
    | st.builds(call, TEXTS, SIZES, st.booleans()),
    max_size=4,
)


@settings(max_examples=60, deadline=None)
@given(BLOCKS, SIZES, st.sampled_from(["stop", "tool_calls", "length"]))
def test_messages_are_alike_streamed_and_whole(
    blocks: list[Block], sizes: list[int], finish: str
) -> None:
    deltas = [delta for index, block in enumerate(blocks) for delta in block(index)]
    play = Play()
    play.chunks, at = [], 0
    for size in [*sizes, len(deltas)]:
        play.chunks.append(deltas[at : at + size])
        at += size
    play.end = Ended(finish)
    with play.client() as client:
        whole = client.messages.create(**ASKED)
        with client.messages.stream(**ASKED) as stream:
            streamed = stream.get_final_message()

    assert said(streamed) == said(whole)
    assert_in_order(events(play.sent))
    assert sum(block.type == "tool_use" for block in whole.content) == sum(
        isinstance(delta, CallBegan) for delta in deltas
    )

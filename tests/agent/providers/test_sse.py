"""The law of the stream's lowest floor: the same bytes give the same events, however cut."""

import re
from collections.abc import Sequence
from itertools import chain, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.providers.base import CallPiece, ReasoningPiece, StreamItem, TextPiece
from agent.providers.sse import Events, SentEvent
from agent.providers.surrogates import Joiner

LINES = st.sampled_from(
    [
        *('data: {"a": 1}', "data:x", "data: 漢字🙂", "data: a\u2028b\x0b\x85c", "data", "data: "),
        *(": note", ":", "event: ping", "event: error", "id: 7", "retry: 5", "odd: x", "", "", ""),
        *('error: {"code": 1}', '{"error": "x"}', '[{"error": "x"}]', "\ufeffdata: b", " data: c"),
    ]
)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])
BODIES = st.lists(st.tuples(LINES, ENDS), max_size=12).flatmap(
    lambda lines: st.tuples(
        st.sampled_from(["", "\ufeff"]),
        st.just("".join(line + end for line, end in lines)),
        st.sampled_from(["", "data: [DONE]", 'data: {"cut', "\r"]),
    ).map("".join)
)


def slowly(body: str) -> list[SentEvent]:
    """Read a whole body line after line, as the standard has it, with our repairs of odd lines."""
    events: list[SentEvent] = []
    body = body.removeprefix("\ufeff")
    lines = re.split(r"\r\n|\n|\r", body)
    name, data = "", list[str]()
    for line in chain.from_iterable(map(straight, [*lines, ""])):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if "\n".join(data):
                events.append(SentEvent(name, "\n".join(data)))
            name, data = "", []
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)
    return events


def straight(line: str) -> list[str]:
    if line.startswith("error:"):
        return ["", "event: error", line.replace("error:", "data:", 1), ""]
    return ["", f"data: {line}", ""] if line.startswith(("{", "[{")) else [line]


def cut_at(data: bytes, places: Sequence[int]) -> list[bytes]:
    edges = [0, *sorted({place % (len(data) + 1) for place in places}), len(data)]
    return [data[start:end] for start, end in pairwise(edges)]


def read(chunks: list[bytes]) -> list[SentEvent]:
    reading = Events()
    return [*chain.from_iterable(map(reading.feed, chunks)), *reading.close()]


def named(events: list[SentEvent]) -> list[tuple[str, str]]:
    return [("" if event.name == "message" else event.name, event.data) for event in events]


@settings(deadline=None)
@given(BODIES, st.lists(st.integers(0, 10_000), max_size=30))
def test_events_are_the_same_however_the_bytes_are_cut(body: str, places: list[int]) -> None:
    data = body.encode()
    expected = named(slowly(body))

    assert named(read([data])) == expected
    assert named(read(cut_at(data, places))) == expected
    assert named(read([data[at : at + 1] for at in range(len(data))])) == expected


@settings(deadline=None)
@given(st.text("ab\n🙂漢𝄞\u2028"), st.lists(st.integers(0, 200), max_size=20))
def test_text_cut_between_the_halves_of_characters_is_whole_again(
    text: str, places: list[int]
) -> None:
    units = text.encode("utf-16-le")
    edges = [0, *sorted({2 * place for place in places if 2 * place < len(units)}), len(units)]
    halves = [
        units[start:end].decode("utf-16-le", "surrogatepass") for start, end in pairwise(edges)
    ]
    joiner = Joiner()
    items: list[StreamItem] = []
    for half in halves:
        for item in (TextPiece(half), ReasoningPiece(half), CallPiece(0, None, None, half)):
            items.extend(joiner.join(item))

    assert "".join(item.text for item in items if isinstance(item, TextPiece)) == text
    assert "".join(item.text for item in items if isinstance(item, ReasoningPiece)) == text
    assert "".join(item.arguments for item in items if isinstance(item, CallPiece)) == text

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

import pytest

from agent.providers.base import Usage
from parsing import Options, specs_from_openai
from tests.ui.gateway import gathered
from tests.ui.gateway.dialogue import (
    ASKED,
    CHAT_TOOLS,
    FIRST,
    MESSAGES_TOOLS,
    NAMES,
    READ_AS,
    RESPONSES_TOOLS,
    expected,
    turn,
)
from tests.ui.gateway.gathered import Gathered
from tests.ui.gateway.scripted_model import spoken
from ui.gateway.asked import Ask
from ui.gateway.chat import CHAT
from ui.gateway.client import ClientProtocol
from ui.gateway.heard import Heard, Prepared
from ui.gateway.messages import MESSAGES
from ui.gateway.responses import RESPONSES
from ui.gateway.runner import run
from ui.gateway.told import Ended, Pieces, Tokens

SPECS = specs_from_openai(CHAT_TOOLS)
SAID = [{"role": "user", "content": ASKED}]
READ = [name for name in NAMES if name not in READ_AS]
Row = tuple[
    ClientProtocol,
    dict[str, Any],
    Callable[[bytes], Gathered],
    Callable[[Any], Gathered],
]
ROWS: Sequence[Row] = (
    (
        CHAT,
        {"model": "m", "messages": SAID, "tools": CHAT_TOOLS},
        gathered.chat_stream,
        gathered.chat_whole,
    ),
    (
        RESPONSES,
        {"model": "m", "input": ASKED, "tools": RESPONSES_TOOLS},
        gathered.responses_stream,
        gathered.responses_whole,
    ),
    (
        MESSAGES,
        {"model": "m", "messages": SAID, "tools": MESSAGES_TOOLS, "max_tokens": 9},
        gathered.messages_stream,
        gathered.messages_whole,
    ),
)


class Says:
    """An upstream that says these chunks."""

    def __init__(self, chunks: Sequence[Heard]) -> None:
        self._chunks = chunks

    async def stream(self, prepared: Prepared) -> AsyncGenerator[Heard, None]:
        for chunk in self._chunks:
            yield chunk
        yield Heard(finish="stop", usage=Usage(11, 7))

    async def aclose(self) -> None:
        pass


async def ran(name: str, chunks: Sequence[Heard]) -> tuple[list[Pieces], Ended]:
    """Run an answer of these chunks, and give what was told of each and the end."""
    prepared = Prepared({}, name, SPECS, Options("serving"))
    *pieces, end = [one async for one in run(prepared, Says(chunks))]
    assert isinstance(end, Ended)
    return [one for one in pieces if not isinstance(one, Ended)], end


def asks(**more: Any) -> list[Ask]:
    """Give the request of each protocol; `more` is Chat Completions' own."""
    return [
        row[0].asked(row[1] | {"stream": True} | (more if row[0] is CHAT else {})) for row in ROWS
    ]


ASKS = asks()


def streamed(pieces: Sequence[Pieces], end: Ended, asked: Sequence[Ask] = ASKS) -> list[Gathered]:
    """Give what a client gathers of a stream in each protocol."""
    told: list[Gathered] = []
    for (protocol, _, gather, _), ask in zip(ROWS, asked, strict=False):
        answer = protocol.answer(ask)
        said = [answer.begin(), *map(answer.told, pieces), answer.ended(end)]
        told.append(gather(b"".join(said)))
    return told


def whole(pieces: Sequence[Pieces], end: Ended, asked: Sequence[Ask] = ASKS) -> list[Gathered]:
    """Give what a client gathers of a whole answer in each protocol."""
    together = [one for each in pieces for one in each]
    return [
        gather(protocol.answer(ask).whole(together, end))
        for (protocol, _, _, gather), ask in zip(ROWS, asked, strict=True)
    ]


FINISHES = {"tool_calls", "tool_use", "completed"}


@pytest.mark.parametrize("name", sorted(set(READ) & set(FIRST)))
def test_every_cut_in_two_is_told_as_the_turn_in_every_protocol(name: str) -> None:
    text, meant = spoken(name, turn(short=True)), expected(name, short=True)

    async def tried() -> None:
        for place in range(len(text)):
            chunks = [Heard(part) for part in (text[:place], text[place:]) if part]
            pieces, end = await ran(name, chunks)
            all_told = streamed(pieces, end, ASKS if place % 4 == 0 else ASKS[:1])
            all_told += whole(pieces, end) if place % 16 == 0 else []
            for told in all_told:
                assert told.said() == (meant.text, meant.reasoning, meant.calls), place
                assert told.finish in FINISHES, place

    asyncio.run(tried())


def tokens(text: str, size: int) -> list[Heard]:
    """Cut into chunks of three tokens each, one token `size` characters long."""
    chunks: list[Heard] = []
    for at in range(0, len(text), 3 * size):
        part = text[at : at + 3 * size]
        ids = list(range(at, at + len(part), size))
        chunks.append(Heard(part, tokens=Tokens(ids, [{"token": f"#{one}"} for one in ids])))
    return chunks


@pytest.mark.parametrize("size", [1, 4, 30])
@pytest.mark.parametrize("name", READ)
def test_tokens_of_chunks_that_give_several_deltas_all_arrive_in_order(
    name: str, size: int
) -> None:
    text = spoken(name, turn())
    asked = asks(logprobs=True, return_token_ids=True)
    pieces, end = asyncio.run(ran(name, tokens(text, size)))

    for chat in (streamed(pieces, end, asked)[0], whole(pieces, end, asked)[0]):
        assert chat.ids == list(range(0, len(text), size))
        assert [one["token"] for one in chat.logprobs] == [f"#{one}" for one in chat.ids]


@pytest.mark.parametrize("name", READ)
def test_tokens_come_with_the_last_delta_of_their_chunk(name: str) -> None:
    chunks = tokens(spoken(name, turn()), 30)
    pieces, _ = asyncio.run(ran(name, chunks))

    for told in pieces:
        assert all(one.tokens is None for one in told[:-1])
    came = [one[-1].tokens for one in pieces]
    assert [tokens for tokens in came if tokens] == [chunk.tokens for chunk in chunks]

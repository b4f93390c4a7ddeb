"""An upstream that says what it is given, and what a runner tells of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.errors import ProviderError
from parsing import (
    ArgumentsDelta,
    CallBegan,
    CallEnded,
    Options,
    ReasoningDelta,
    TextDelta,
    ToolSpec,
    dialect,
)
from ui.gateway.heard import Heard, Prepared
from ui.gateway.runner import run
from ui.gateway.told import Ended, Told

LOOK = ToolSpec("look", "", {"properties": {"at": {"type": "string"}}})
GO = ToolSpec("go", "", {"properties": {"to": {"type": "string"}, "far": {"type": "boolean"}}})
TOOLS = (LOOK, GO)
SERVING = Options("serving", starts_in_reasoning=False)
STOP = Heard(finish="stop")


class Given:
    """An upstream that says what it is given; it knows whether it was left."""

    def __init__(self, heard: Sequence[Heard], fault: ProviderError | None = None) -> None:
        self._heard = heard
        self._fault = fault
        self.left = False

    async def stream(self, prepared: Prepared) -> AsyncGenerator[Heard, None]:
        del prepared
        try:
            for heard in self._heard:
                yield heard
            if self._fault is not None:
                raise self._fault
        finally:
            self.left = True

    async def aclose(self) -> None:
        pass


@dataclass
class Answer:
    """What was told, block by block."""

    blocks: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    ended: set[int] = field(default_factory=set[int])
    pieces: list[Told] = field(default_factory=list[Told])
    end: Ended | None = None
    error: ProviderError | None = None

    def take(self, told: Told) -> None:
        self.pieces.append(told)
        delta = told.delta
        match delta:
            case None:
                return
            case CallBegan(index, name):
                assert index == len(self.blocks)
                self.blocks.append((name, ""))
            case CallEnded(index):
                assert index not in self.ended
                self.ended.add(index)
            case TextDelta(index, text) | ReasoningDelta(index, text):
                kind = "text" if isinstance(delta, TextDelta) else "reasoning"
                if index == len(self.blocks):
                    self.blocks.append((kind, ""))
                assert index == len(self.blocks) - 1
                assert self.blocks[index][0] == kind
                self.blocks[index] = (kind, self.blocks[index][1] + text)
            case ArgumentsDelta(index, text):
                assert index == len(self.blocks) - 1
                assert index not in self.ended
                name, before = self.blocks[index]
                self.blocks[index] = (name, before + text)

    @property
    def finish(self) -> str | None:
        return self.end.finish if self.end else None

    @property
    def reasoning(self) -> int | None:
        return self.end.usage.reasoning if self.end and self.end.usage else None


def ask(
    heard: Sequence[Heard],
    *,
    name: str = "hermes",
    options: Options = SERVING,
    tools: tuple[ToolSpec, ...] = TOOLS,
    parallel: bool = True,
    fault: ProviderError | None = None,
) -> Answer:
    answer = Answer()

    async def hear() -> None:
        async for told in run(prepared, upstream):
            if isinstance(told, Ended):
                assert answer.end is None
                answer.end = told
            else:
                assert told
                for piece in told:
                    answer.take(piece)

    prepared = Prepared({}, name, tools, options, parallel)
    upstream = Given(heard, fault)
    try:
        asyncio.run(hear())
    except ProviderError as error:
        answer.error = error
    assert upstream.left
    return answer


def chars(text: str) -> list[Heard]:
    return [Heard(char) for char in text]


def spell(name: str, *calls: tuple[str, dict[str, Any]]) -> str:
    return dialect(name).shape.spell_all(calls)


def native(index: int, name: str | None, arguments: str) -> dict[str, Any]:
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return {"index": index, "function": function} | ({"id": f"c{index}"} if name else {})


def one_or_two(answer: Answer) -> list[tuple[str, Any]]:
    return [(name, json.loads(told)) for name, told in answer.blocks if name in ("look", "go")]

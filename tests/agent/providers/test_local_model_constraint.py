from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from dataclasses import replace

import pytest

from agent.providers.base import Message, Request
from agent.providers.open import open_provider
from agent.providers.settings import ProviderSettings
from parsing import ToolSpec
from parsing.constraint import Bounds, gbnf
from tests.agent.providers.told import Told, ask
from tests.parsing.constrained import TOOLS as RICH
from tests.parsing.constrained import check_reads, constrained

EACH = int(os.environ.get("CONSTRAINED_MESSAGES", "10"))  # of each dialect
pytestmark = [pytest.mark.local_model, pytest.mark.timeout(30 * EACH)]

LONGEST = 96  # tokens; a message that is cut there is not looked at
TOOLS = (
    ToolSpec("now"),
    ToolSpec("note", "", {"properties": {"text": {"type": "string"}}, "required": ["text"]}),
    ToolSpec(
        "light",
        "",
        {
            "properties": {
                "room": {"enum": ["hall", "kitchen"]},
                "on": {"type": "boolean"},
                "level": {"type": "integer", "minimum": 0},
            },
            "required": ["room", "on"],
        },
    ),
)


def asked(number: int, grammar: str) -> Request:
    said = (Message("user", f"Step {number}: turn on the light, or note what you think of it."),)
    return Request("", said, max_tokens=LONGEST, temperature=1.0, grammar=grammar)


def answers(server: ProviderSettings, requests: Iterable[Request]) -> list[Told]:
    async def messages() -> list[Told]:
        provider = open_provider(server)
        try:
            return [await ask(provider, request) for request in requests]
        finally:
            await provider.aclose()

    return asyncio.run(messages())


def test_local_server_takes_the_grammar_of_every_dialect(server: ProviderSettings) -> None:
    grammars = {name: gbnf(name, RICH) for name in constrained()}
    requests = (replace(asked(0, one), max_tokens=1) for one in grammars.values())

    told = answers(server, requests)

    assert {name: one.error for name, one in zip(grammars, told, strict=True) if one.error} == {}


@pytest.mark.parametrize("name", ["cline", "hermes", "qwen3_coder"])
def test_local_model_writes_only_well_formed_calls_when_constrained(
    server: ProviderSettings, name: str
) -> None:
    grammar = gbnf(name, TOOLS, Bounds(max_text=12, max_lines=1, max_calls=1))
    told = answers(server, (asked(number, grammar) for number in range(EACH)))
    ended = [one.text for one in told if one.finish == "stop"]

    assert [one.error for one in told] == [None] * EACH
    assert len(ended) >= EACH // 2
    for text in ended:
        check_reads(text, name, TOOLS)

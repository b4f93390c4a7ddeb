from __future__ import annotations

import asyncio
import os

import pytest

from agent.providers.base import Message, Request
from agent.providers.open import open_provider
from agent.providers.settings import ProviderSettings
from parsing import ToolSpec
from parsing.constraint import Bounds, gbnf
from tests.agent.providers.told import Told, ask
from tests.parsing.constrained import check_reads

pytestmark = [pytest.mark.local_model, pytest.mark.timeout(300)]

EACH = int(os.environ.get("CONSTRAINED_MESSAGES", "10"))  # of each dialect
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


@pytest.mark.parametrize("name", ["cline", "hermes", "qwen3_coder"])
def test_local_model_writes_only_well_formed_calls_when_constrained(
    server: ProviderSettings, name: str
) -> None:
    grammar = gbnf(name, TOOLS, Bounds(max_text=12, max_lines=1, max_calls=1))

    async def messages() -> list[Told]:
        provider = open_provider(server)
        try:
            return [await ask(provider, asked(number, grammar)) for number in range(EACH)]
        finally:
            await provider.aclose()

    told = asyncio.run(messages())
    ended = [one.text for one in told if one.finish == "stop"]

    assert [one.error for one in told] == [None] * EACH
    assert len(ended) >= EACH // 2
    for text in ended:
        check_reads(text, name, TOOLS)

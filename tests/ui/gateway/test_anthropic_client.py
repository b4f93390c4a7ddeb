from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from anthropic import Anthropic

from tests.ui.gateway.dialogue import ASKED, MESSAGES_TOOLS, NAMES, Expected, expected, turn
from tests.ui.gateway.gateway_process import gateway
from tests.ui.gateway.scripted_model import Model
from tests.ui.gateway.scripted_upstream import ScriptedUpstream

pytestmark = pytest.mark.timeout(60)
SAID: list[Any] = [{"role": "user", "content": ASKED}]


@pytest.fixture(scope="module")
def client() -> Iterator[Anthropic]:
    with Anthropic(api_key="none", base_url="http://127.0.0.1:9", max_retries=0) as made:
        yield made


@pytest.fixture(scope="module", params=NAMES)
def spoken_to(
    request: pytest.FixtureRequest, client: Anthropic
) -> Iterator[tuple[Anthropic, Expected]]:
    """A client of a gateway to a model of each dialect, and what is to be heard there."""
    name: str = request.param
    model = Model(name, {ASKED: turn()}, size=1)
    with (
        ScriptedUpstream(model, "vllm") as upstream,
        gateway(upstream.url, dialect=name) as running,
    ):
        yield client.with_options(base_url=running.url), expected(name)


def heard_of(message: Any) -> Expected:
    text = thought = ""
    calls: list[tuple[str, Any]] = []
    for block in message.content:
        match block.type:
            case "text":
                text += block.text
            case "thinking":
                thought += block.thinking
            case "tool_use":
                calls.append((block.name, block.input))
            case other:
                raise AssertionError(other)
    assert message.stop_reason == "tool_use"
    assert (message.usage.input_tokens, message.usage.output_tokens) == (11, 7)
    ids = [block.id for block in message.content if block.type == "tool_use"]
    assert len(set(ids)) == len(ids)
    return Expected(text, thought, calls)


def test_anthropic_client_gets_a_message(spoken_to: tuple[Anthropic, Expected]) -> None:
    client, heard = spoken_to
    message = client.messages.create(model="m", max_tokens=500, messages=SAID, tools=MESSAGES_TOOLS)

    assert heard_of(message) == heard


def test_anthropic_client_streams_a_message(spoken_to: tuple[Anthropic, Expected]) -> None:
    client, heard = spoken_to
    text = thought = ""
    with client.messages.stream(
        model="m", max_tokens=500, messages=SAID, tools=MESSAGES_TOOLS
    ) as stream:
        for event in stream:
            match event.type:
                case "text":
                    text += event.text
                case "thinking":
                    thought += event.thinking
                case _:
                    pass
        message = stream.get_final_message()

    assert heard_of(message) == heard
    assert (text, thought) == (heard.text, heard.reasoning)

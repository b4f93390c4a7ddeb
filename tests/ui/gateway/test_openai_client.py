from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from openai import OpenAI

from tests.ui.gateway.dialogue import (
    ASKED,
    CHAT_TOOLS,
    NAMES,
    RESPONSES_TOOLS,
    Expected,
    expected,
    turn,
)
from tests.ui.gateway.gateway_process import gateway
from tests.ui.gateway.scripted_model import Model
from tests.ui.gateway.scripted_upstream import ScriptedUpstream

pytestmark = pytest.mark.timeout(60)
SAID: list[Any] = [{"role": "user", "content": ASKED}]


@pytest.fixture(scope="module")
def client() -> Iterator[OpenAI]:
    with OpenAI(api_key="none", base_url="http://127.0.0.1:9/v1", max_retries=0) as made:
        yield made


@pytest.fixture(scope="module", params=NAMES)
def spoken_to(request: pytest.FixtureRequest, client: OpenAI) -> Iterator[tuple[OpenAI, Expected]]:
    """A client of a gateway to a model of each dialect, and what is to be heard there."""
    name: str = request.param
    model = Model(name, {ASKED: turn()}, size=1)
    with (
        ScriptedUpstream(model, "vllm") as upstream,
        gateway(upstream.url, dialect=name) as running,
    ):
        yield client.with_options(base_url=running.api), expected(name)


def called(calls: Any) -> list[tuple[str, Any]]:
    assert len({call.id for call in calls}) == len(calls)
    return [(call.function.name, json.loads(call.function.arguments)) for call in calls]


def test_openai_client_completes_a_chat(spoken_to: tuple[OpenAI, Expected]) -> None:
    client, heard = spoken_to
    done = client.chat.completions.create(model="m", messages=SAID, tools=CHAT_TOOLS)
    (choice,) = done.choices

    assert called(choice.message.tool_calls) == heard.calls
    assert choice.message.content == (heard.text or None)
    assert (getattr(choice.message, "reasoning_content", None) or "") == heard.reasoning
    assert choice.finish_reason == "tool_calls"
    assert done.usage is not None
    assert (done.usage.prompt_tokens, done.usage.completion_tokens) == (11, 7)


def test_openai_client_streams_a_chat(spoken_to: tuple[OpenAI, Expected]) -> None:
    client, heard = spoken_to
    chunks: list[Any] = []
    with client.chat.completions.stream(
        model="m", messages=SAID, tools=CHAT_TOOLS, stream_options={"include_usage": True}
    ) as stream:
        chunks.extend(event.chunk for event in stream if event.type == "chunk")
        done = stream.get_final_completion()
    deltas = [choice.delta for chunk in chunks for choice in chunk.choices]
    thought = "".join(getattr(delta, "reasoning_content", None) or "" for delta in deltas)

    assert called(done.choices[0].message.tool_calls) == heard.calls
    assert (done.choices[0].message.content or "") == heard.text
    assert thought == heard.reasoning
    assert done.choices[0].finish_reason == "tool_calls"
    assert done.usage is not None
    assert done.usage.total_tokens == 18
    assert len(deltas) > 40  # it came in pieces


def responded(done: Any) -> Expected:
    text = thought = ""
    calls: list[tuple[str, Any]] = []
    for item in done.output:
        match item.type:
            case "message":
                text += "".join(part.text for part in item.content)
            case "reasoning":
                thought += "".join(part.text for part in item.content or item.summary)
            case "function_call":
                calls.append((item.name, json.loads(item.arguments)))
                assert item.status == "completed"
            case other:
                raise AssertionError(other)
    assert done.status == "completed"
    assert (done.usage.input_tokens, done.usage.output_tokens) == (11, 7)
    return Expected(text, thought, calls)


def test_openai_client_gets_a_response(spoken_to: tuple[OpenAI, Expected]) -> None:
    client, heard = spoken_to
    done = client.responses.create(model="m", input=ASKED, tools=RESPONSES_TOOLS)

    assert responded(done) == heard


def test_openai_client_streams_a_response(spoken_to: tuple[OpenAI, Expected]) -> None:
    client, heard = spoken_to
    text = arguments = ""
    numbers: list[int] = []
    with client.responses.stream(model="m", input=ASKED, tools=RESPONSES_TOOLS) as stream:
        for event in stream:
            numbers.append(event.sequence_number)
            match event.type:
                case "response.output_text.delta":
                    text += event.delta
                case "response.function_call_arguments.delta":
                    arguments += event.delta
                case _:
                    pass
        done = stream.get_final_response()

    assert responded(done) == heard
    assert text == heard.text
    assert arguments == "".join(
        item.arguments for item in done.output if item.type == "function_call"
    )
    assert numbers == list(range(len(numbers)))

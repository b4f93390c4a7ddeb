from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import pytest
from anthropic import Anthropic
from canitoolcall.probe import BUILTIN_SCENARIOS, Scenario, probe
from jsonschema import Draft202012Validator
from openai import OpenAI

from agent.providers.local import PACKAGES, LocalServer, ready, weights
from tests.ui.gateway.gateway_process import Running, gateway

pytestmark = [pytest.mark.local_model, pytest.mark.timeout(300)]

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "room": {"type": "string", "enum": ["hall", "kitchen"]},
        "on": {"type": "boolean"},
    },
    "required": ["room", "on"],
    "additionalProperties": False,
}
LIGHT = {"name": "light", "description": "Turn a light on or off.", "parameters": SCHEMA}
DARK = {**LIGHT, "name": "dark", "description": "Make a room dark."}
TOOLS: list[Any] = [{"type": "function", "function": one} for one in (LIGHT, DARK)]
SAID: list[Any] = [{"role": "user", "content": "Make the kitchen bright."}]
LONGEST = 80  # tokens
ASKED: dict[str, Any] = {
    "model": "m",
    "messages": SAID,
    "tools": TOOLS,
    "parallel_tool_calls": False,
    "max_tokens": LONGEST,
    "temperature": 0,
}
FORCED = ("empty-args", "forced-tool-choice")


@pytest.fixture(scope="module")
def llama() -> Iterator[str]:
    if not all(map(find_spec, PACKAGES)):
        pytest.skip("the extra `local` is not installed")
    running = LocalServer(weights(), context=4096)
    try:
        address = running.address()
        asyncio.run(ready(address))
        yield address
    finally:
        running.stop()


@pytest.fixture(scope="module")
def gateways(llama: str) -> Iterator[Mapping[str, Running]]:
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(gateway(llama, dialect=name))
            for name in ("hermes", "cline", "qwen3_coder")
        }


def fits(name: str, arguments: Any, allowed: tuple[str, ...] = ("light", "dark")) -> None:
    assert name in allowed
    assert isinstance(arguments, dict)
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(arguments)] == []


def chosen(named: bool) -> tuple[Any, tuple[str, ...]]:
    """Give a choice, and the tools that it allows."""
    if named:
        return {"type": "function", "function": {"name": "dark"}}, ("dark",)
    return "required", ("light", "dark")


@pytest.mark.parametrize(("name", "named"), [("hermes", True), ("qwen3_coder", False)])
def test_local_model_is_held_to_a_call_for_the_openai_client(
    gateways: Mapping[str, Running], name: str, named: bool
) -> None:
    choice, allowed = chosen(named)
    with OpenAI(api_key="none", base_url=gateways[name].api, max_retries=0) as client:
        done = client.chat.completions.create(**ASKED, tool_choice=choice)
    (said,) = done.choices
    calls: Any = said.message.tool_calls
    (call,) = calls

    assert call.type == "function"
    fits(call.function.name, json.loads(call.function.arguments), allowed)
    assert said.finish_reason == "tool_calls"


@pytest.mark.parametrize(("name", "named"), [("cline", False), ("qwen3_coder", True)])
def test_local_model_is_held_to_a_call_that_is_streamed_to_the_openai_client(
    gateways: Mapping[str, Running], name: str, named: bool
) -> None:
    choice, allowed = chosen(named)
    with OpenAI(api_key="none", base_url=gateways[name].api, max_retries=0) as client:
        stream = client.chat.completions.create(**ASKED, tool_choice=choice, stream=True)
        deltas = [each.delta for chunk in stream for each in chunk.choices]
    functions = [part.function for delta in deltas for part in delta.tool_calls or ()]
    called = "".join((function and function.name) or "" for function in functions)
    arguments = "".join((function and function.arguments) or "" for function in functions)

    fits(called, json.loads(arguments), allowed)
    assert len(functions) > 2  # it came in pieces


@pytest.mark.parametrize(("name", "named"), [("hermes", False), ("qwen3_coder", True)])
def test_local_model_is_held_to_a_call_for_the_anthropic_client(
    gateways: Mapping[str, Running], name: str, named: bool
) -> None:
    choice: Any = {"type": "tool", "name": "dark"} if named else {"type": "any"}
    about: Any = {
        "model": "m",
        "messages": SAID,
        "tools": [
            {"name": one["name"], "description": one["description"], "input_schema": SCHEMA}
            for one in (LIGHT, DARK)
        ],
        "tool_choice": {**choice, "disable_parallel_tool_use": True},
        "max_tokens": LONGEST,
    }
    with Anthropic(api_key="none", base_url=gateways[name].url, max_retries=0) as client:
        if named:
            with client.messages.stream(**about) as stream:
                message = stream.get_final_message()
        else:
            message = client.messages.create(**about)
    (use,) = (block for block in message.content if block.type == "tool_use")

    fits(use.name, use.input, chosen(named)[1])
    assert message.stop_reason == "tool_use"


def test_local_model_is_held_to_a_call_for_responses(gateways: Mapping[str, Running]) -> None:
    tools: Any = [{"type": "function", "strict": False, **LIGHT}]
    with OpenAI(api_key="none", base_url=gateways["qwen3_coder"].api, max_retries=0) as client:
        done = client.responses.create(
            model="m",
            input="Make the kitchen bright.",
            tools=tools,
            tool_choice="required",
            parallel_tool_calls=False,
            max_output_tokens=LONGEST,
        )
    (call,) = (item for item in done.output if item.type == "function_call")

    fits(call.name, json.loads(call.arguments), ("light",))
    assert done.status == "completed"


def forced(scenario: Scenario) -> Scenario:
    """Require one call of the scenario, of words to choose from: weights so small ramble."""
    tools = json.loads(json.dumps([dict(tool) for tool in scenario.tools]), object_hook=bounded)
    choice = scenario.tool_choice if isinstance(scenario.tool_choice, dict) else "required"
    body = {**scenario.extra_body, "max_tokens": 3 * LONGEST, "parallel_tool_calls": False}
    return replace(scenario, tools=tuple(tools), tool_choice=choice, extra_body=body)


def bounded(schema: dict[str, Any]) -> dict[str, Any]:
    match schema:
        case {"type": "string", "enum": _}:
            return schema
        case {"type": "string"}:
            return {**schema, "enum": ["Paris", "9.9"]}
        case {"type": "array"}:
            return {**schema, "maxItems": 1}
        case _:
            return schema


def test_local_model_passes_the_probe_where_a_grammar_forces_the_call(
    gateways: Mapping[str, Running],
) -> None:
    scenarios = [forced(one) for one in BUILTIN_SCENARIOS if one.id in FORCED]
    api = gateways["qwen3_coder"].api
    report = probe(api, "m", scenarios=scenarios, timeout_s=120, concurrency=1)

    wrong = [one for one in report.outcomes if one.status != "pass"]
    assert len(report.outcomes) == 3 * len(FORCED)
    assert wrong == [], report.render_text()

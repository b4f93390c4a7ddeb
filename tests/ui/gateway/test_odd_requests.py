from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from parsing import dialect
from tests.ui.gateway.dialogue import CHAT_TOOLS, MESSAGES_TOOLS, READ_AS, RESPONSES_TOOLS
from ui.gateway.asked import BadRequest
from ui.gateway.client import ClientProtocol
from ui.gateway.prepare import Preparer
from ui.gateway.servers import server_called
from ui.gateway.serving import PROTOCOLS
from ui.gateway.settings import Settings

SEEDS = 300
CALL = {"name": "get_weather", "arguments": '{"city": "Paris"}'}
USED = {"type": "tool_use", "id": "a", "name": "get_weather", "input": {"city": "Paris"}}
BODIES: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "Hi"}]},
            {
                "role": "assistant",
                "content": None,
                "reasoning_content": "hm",
                "tool_calls": [{"id": "a", "type": "function", "function": CALL}],
            },
            {"role": "tool", "tool_call_id": "a", "content": "rain"},
        ],
        "tools": CHAT_TOOLS,
        "tool_choice": {"type": "function", "function": {"name": "save_note"}},
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 5,
        "stop": ["x"],
        "logprobs": True,
        "chat_template_kwargs": {"enable_thinking": False},
        "response_format": {"type": "text"},
        "parallel_tool_calls": False,
    },
    "/v1/responses": {
        "model": "m",
        "instructions": "Be brief.",
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
            {"type": "reasoning", "id": "r", "summary": [], "content": []},
            {"type": "function_call", "call_id": "a", **CALL},
            {"type": "function_call_output", "call_id": "a", "output": "rain"},
        ],
        "tools": RESPONSES_TOOLS,
        "tool_choice": "required",
        "stream": True,
        "max_output_tokens": 20,
        "reasoning": {"effort": "low"},
        "text": {"format": {"type": "text"}},
        "include": ["message.output_text.logprobs"],
        "temperature": 0.5,
    },
    "/v1/messages": {
        "model": "m",
        "max_tokens": 9,
        "system": [{"type": "text", "text": "Be brief."}],
        "messages": [
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, USED]},
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "a", "content": "rain"}],
            },
        ],
        "tools": MESSAGES_TOOLS,
        "tool_choice": {"type": "any"},
        "stop_sequences": ["x"],
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "stream": True,
    },
}
ODD: list[Any] = [
    None, True, 0, -1, 1.5, 10**30, "", "x", "auto", "\ud800", "<tool_call>", [], [None], [[]], {},
    {"": 1}, {"type": "x"}, {"type": "object"}, {"$ref": "#"}, {"anyOf": []}, [{}], ["x"],
]  # fmt: skip


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the way to every member of a body."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        yield (*way, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*way, key))


def spoiled(body: dict[str, Any], random: Random) -> dict[str, Any]:
    """Put something odd in one or two places of a body, or leave a member out."""
    made = copy.deepcopy(body)
    for _ in range(random.choice([1, 1, 2])):
        *way, last = random.choice(list(places(made)))
        holder = made
        for key in way:
            holder = holder[key]
        if random.random() < 0.2:
            del holder[last]
        else:
            holder[last] = copy.deepcopy(random.choice(ODD))
    return made


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=[one.name for one in PROTOCOLS])
@pytest.mark.parametrize("name", ["hermes", "cline", "harmony", "pythonic"])
def test_request_with_something_odd_is_prepared_or_refused_in_words(
    protocol: ClientProtocol, name: str
) -> None:
    assert dialect(READ_AS.get(name, name)).shape.call
    preparer = Preparer(Settings("http://127.0.0.1:9", dialect=name), server_called("vllm"))
    body, outcomes = BODIES[protocol.path], Counter[str]()
    preparer.prepare(protocol.asked(body))
    for seed in range(SEEDS):
        odd = spoiled(body, Random(seed))
        try:
            preparer.prepare(protocol.asked(odd))
        except BadRequest as fault:
            outcomes["refused" if str(fault) else "refused without a word"] += 1
        except Exception as fault:
            raise AssertionError(f"seed {seed}: {type(fault).__name__}: {fault}: {odd}") from fault
        else:
            outcomes["prepared"] += 1

    assert set(outcomes) == {"refused", "prepared"}, outcomes
    assert min(outcomes.values()) > SEEDS / 10, outcomes


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=[one.name for one in PROTOCOLS])
def test_history_that_ends_with_a_call_is_refused(protocol: ClientProtocol) -> None:
    body = copy.deepcopy(BODIES[protocol.path])
    body["input" if "input" in body else "messages"].pop()

    with pytest.raises(
        BadRequest, match="the call 'a' of get_weather has no result before the end"
    ):
        protocol.asked(body)

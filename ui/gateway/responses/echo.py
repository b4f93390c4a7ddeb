"""What a response says of the request that it answers.

Law: it says what was done with the request, not what was asked: nothing is stored or cut short.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.providers.base import JsonObject
from agent.providers.jsons import as_array, as_object

_AS_ASKED = (
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "prompt_cache_key",
    "safety_identifier",
    "temperature",
    "top_p",
    "user",
)


def echo(body: JsonObject, *, parallel: bool) -> JsonObject:
    """Give the members of the response that repeat a request, one that was read and found good."""
    reasoning, text = as_object(body.get("reasoning")), as_object(body.get("text"))
    return {
        **{name: body.get(name) for name in _AS_ASKED},
        "metadata": as_object(body.get("metadata")),
        "parallel_tool_calls": parallel,
        "reasoning": {"effort": reasoning.get("effort"), "summary": None},
        "text": {"format": {"type": "text"}, **_told(text)},
        "tool_choice": body.get("tool_choice") or "auto",
        "tools": [_tool(entry) for entry in as_array(body.get("tools"))],
        "top_logprobs": body.get("top_logprobs") or 0,
        "truncation": "disabled",
    }


def _told(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _tool(entry: dict[str, Any]) -> JsonObject:
    return {"description": None, "parameters": None, "strict": None, **entry}

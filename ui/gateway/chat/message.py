"""The message that a whole answer is, and its usage."""

from __future__ import annotations

from typing import Any

from nanoid import generate

from agent.providers.base import JsonObject, Usage
from parsing import ArgumentsDelta, CallBegan, ReasoningDelta, TextDelta
from ui.gateway.told import Ended, Pieces


def call_told(name: str, arguments: str) -> JsonObject:
    """Write a call with an id of its own."""
    function = {"name": name, "arguments": arguments}
    return {"id": f"call_{generate()}", "type": "function", "function": function}


def usage_told(usage: Usage) -> JsonObject:
    """Write the usage; details are told only where they are known."""
    prompt, completion = usage.prompt or 0, usage.completion or 0
    made: dict[str, Any] = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
    if usage.cached is not None:
        made["prompt_tokens_details"] = {"cached_tokens": usage.cached}
    if usage.reasoning is not None:
        made["completion_tokens_details"] = {"reasoning_tokens": usage.reasoning}
    return made


def whole_choice(pieces: Pieces, end: Ended, *, ids: bool, logprobs: bool) -> JsonObject:
    """Gather the pieces of an answer into its one choice."""
    text: list[str] = []
    reasoning: list[str] = []
    calls: dict[int, tuple[str, list[str]]] = {}
    numbers: list[int] = []
    odds: list[Any] = []
    for piece in pieces:
        match piece.delta:
            case TextDelta(text=more):
                text.append(more)
            case ReasoningDelta(text=more):
                reasoning.append(more)
            case CallBegan(index=index, name=name):
                calls[index] = name, []
            case ArgumentsDelta(index=index, text=more):
                calls[index][1].append(more)
            case _:
                pass
        if piece.tokens is not None:
            numbers.extend(piece.tokens.ids or ())
            odds.extend(piece.tokens.logprobs or ())
    message: dict[str, Any] = {"role": "assistant", "content": "".join(text) or None}
    if reasoning:
        message["reasoning_content"] = "".join(reasoning)
    if calls:
        message["tool_calls"] = [call_told(name, "".join(said)) for name, said in calls.values()]
    told = {"content": odds, "refusal": None} if logprobs and odds else None
    choice = {"index": 0, "message": message, "logprobs": told, "finish_reason": end.finish}
    return {**choice, "token_ids": numbers} if ids and numbers else choice

"""The body of a Chat Completions request."""

from collections.abc import Mapping
from typing import Any

from agent.providers.base import JsonObject, Message, Request
from agent.providers.jsons import as_array, is_object
from agent.providers.openai_chunks import OURS

# A field that some servers refuse, and the name under which they take it (None: not at all).
RENAMED: Mapping[str, str | None] = {
    "stream_options": None,
    "max_tokens": "max_completion_tokens",
}


def body(request: Request, model: str, refused: frozenset[str]) -> JsonObject:
    """Write the request for a server that refuses the fields in `refused`."""
    made: dict[str, Any] = {
        "model": model,
        "messages": [*_system(request.system), *(_message(told) for told in request.messages)],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "stop": list(request.stop) or None,
        "grammar": request.grammar,
    }
    for name in refused:
        value = made.pop(name)
        if (other := RENAMED[name]) is not None:
            made[other] = value
    return {name: value for name, value in made.items() if value is not None}


def _system(text: str) -> list[JsonObject]:
    return [{"role": "system", "content": text}] if text else []


def _message(message: Message) -> JsonObject:
    made: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.role != "assistant":
        return made
    ours = [kept for kept in message.attachments if kept.get("provider") == OURS]
    field = next((kept["reasoning_field"] for kept in ours if "reasoning_field" in kept), None)
    if message.reasoning is not None:  # "" is sent back too: some servers insist on it
        made[field or "reasoning_content"] = message.reasoning
    details: list[Any] = []
    for kept in ours:
        details.extend(as_array(kept.get("reasoning_details")))
        if kept.get("extra_content"):
            made["extra_content"] = _merged(made.get("extra_content"), kept["extra_content"])
        if kept.get("thought_signature"):
            made["thought_signature"] = kept["thought_signature"]
    if details:
        made["reasoning_details"] = details
    return made


def _merged(old: Any, new: Any) -> Any:
    if not (is_object(old) and is_object(new)):
        return new
    return {**old, **{name: _merged(old.get(name), value) for name, value in new.items()}}

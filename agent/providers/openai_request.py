"""The body of a Chat Completions request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from agent.providers.base import JsonObject, Message, Request, SentCall
from agent.providers.jsons import as_array, as_count, is_object
from agent.providers.openai_chunks import OURS

if TYPE_CHECKING:
    from parsing import ToolSpec

# A field that some servers refuse, and the name under which they take it (None: not at all).
RENAMED: Mapping[str, str | None] = {
    "stream_options": None,
    "max_tokens": "max_completion_tokens",
}


def body(request: Request, model: str, refused: frozenset[str]) -> JsonObject:
    """Write the request for a server that refuses the fields in `refused`."""
    made: dict[str, Any] = {
        "model": model,
        "messages": [*_system(request.system), *_messages(request.messages)],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "stop": list(request.stop) or None,
        "grammar": request.grammar,
        "tools": [_tool(tool) for tool in request.tools] or None,
        "tool_choice": "auto" if request.tools else None,
    }
    for name in refused:
        value = made.pop(name)
        if (other := RENAMED[name]) is not None:
            made[other] = value
    return {name: value for name, value in made.items() if value is not None}


def _system(text: str) -> list[JsonObject]:
    return [{"role": "system", "content": text}] if text else []


def _tool(tool: ToolSpec) -> JsonObject:
    told = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": told}


def _messages(history: Iterable[Message]) -> Iterator[JsonObject]:
    for message in history:
        for result in message.results:
            yield {"role": "tool", "tool_call_id": result.call_id, "content": result.text}
        if message.role == "assistant":
            yield _assistant(message)
        elif message.text or not message.results:
            yield {"role": "user", "content": message.text}


def _assistant(message: Message) -> JsonObject:
    made: dict[str, Any] = {"role": "assistant", "content": message.text}
    ours = [kept for kept in message.attachments if kept.get("provider") == OURS]
    field = next((kept["reasoning_field"] for kept in ours if "reasoning_field" in kept), None)
    if message.reasoning is not None:  # "" is sent back too: some servers insist on it
        made[field or "reasoning_content"] = message.reasoning
    calls = [_call(call) for call in message.calls]
    for kept in ours:
        place = as_count(kept.get("call"))
        _keep(made if place is None or place >= len(calls) else calls[place], kept)
    if calls:
        made["tool_calls"] = calls
    return made


def _call(call: SentCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _keep(holder: dict[str, Any], kept: JsonObject) -> None:
    """Put what the server attached back where it stood: to the message, or to one of its calls."""
    if details := as_array(kept.get("reasoning_details")):
        holder["reasoning_details"] = [*holder.get("reasoning_details", []), *details]
    if kept.get("extra_content"):
        holder["extra_content"] = _merged(holder.get("extra_content"), kept["extra_content"])
    if kept.get("thought_signature"):
        holder["thought_signature"] = kept["thought_signature"]


def _merged(old: Any, new: Any) -> Any:
    if not (is_object(old) and is_object(new)):
        return new
    return {**old, **{name: _merged(old.get(name), value) for name, value in new.items()}}

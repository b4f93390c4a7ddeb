"""A Messages request, read: POST /v1/messages.

Law: what would change the answer's meaning is passed on or refused.  Ignored are: `metadata`,
`cache_control`, `service_tier`, the words on caches, places and speed, `budget_tokens` and
`effort` (hints that no upstream shares), and members that are not known here.
"""

from __future__ import annotations

from typing import Any

from agent.providers.base import JsonObject
from parsing import ToolSpec
from ui.gateway.asked import Ask, BadRequest, Choice
from ui.gateway.history import distinct, narrowed, tool
from ui.gateway.members import (
    an_array,
    an_object,
    needed_word,
    number,
    objects,
    truth,
    whole_number,
    within,
    word,
)
from ui.gateway.messages.history import said

VEILED = "veiled"
"""The member of `Ask.echo` that says: thinking is wanted, and its text is not."""

_CHOICES: dict[str, Choice] = {
    "auto": "auto",
    "any": "required",
    "tool": "required",
    "none": "none",
}
_NOT_HERE = {
    "container": "there are no containers here",
    "mcp_servers": "no MCP server is called from here; send their tools as tools",
}


def asked(body: JsonObject) -> Ask:
    """Read a request; raises BadRequest."""
    for name, why in _NOT_HERE.items():
        if body.get(name):
            raise BadRequest(f"{name}: {why}", name)
    model = needed_word(body, "model")
    thinking, veiled = _thinking(body)
    tools, choice, parallel = _tools(body)
    return Ask(
        model=model,
        said=said(body),
        tools=tools,
        choice=choice,
        parallel=parallel,
        stream=truth(body, "stream") or False,
        usage_wanted=True,
        thinking=thinking,
        sampling=_sampling(body),
        echo={VEILED: True} if veiled else {},
    )


def _sampling(body: JsonObject) -> JsonObject:
    limit = whole_number(body, "max_tokens")
    if limit is None or limit < 1:
        found = "nothing" if limit is None else limit
        raise BadRequest(f"max_tokens: found {found}, expected a whole number from 1", "max_tokens")
    made: dict[str, Any] = {"max_tokens": limit}
    for name in ("temperature", "top_p"):
        if (value := number(body, name)) is not None:
            made[name] = value
    if (top := whole_number(body, "top_k")) is not None:
        made["top_k"] = top
    if stops := _stops(body):
        made["stop"] = stops
    if (form := _form(body)) is not None:
        made["response_format"] = form
    return made


def _stops(body: JsonObject) -> list[str]:
    told: object = body.get("stop_sequences")
    stops: list[str] = []
    for at, stop in enumerate([] if told is None else an_array(told, "stop_sequences")):
        if not isinstance(stop, str) or not stop:
            where = f"stop_sequences[{at}]"
            raise BadRequest(f"{where}: found {stop!r}, expected a string that is not empty", where)
        stops.append(stop)
    return stops


def _form(body: JsonObject) -> JsonObject | None:
    """Read the format of the output: a JSON schema, as Chat Completions writes it."""
    config: object = body.get("output_config")
    told: object = None if config is None else an_object(config, "output_config").get("format")
    if told is None:
        return None
    place = "output_config.format"
    form = an_object(told, place)
    if form.get("type") != "json_schema":
        where = within(place, "type")
        raise BadRequest(f"{where}: found {form.get('type')!r}, expected 'json_schema'", where)
    schema = an_object(form.get("schema"), within(place, "schema"))
    named = {"name": "output", "schema": schema, "strict": True}
    return {"type": "json_schema", "json_schema": named}


def _thinking(body: JsonObject) -> tuple[bool | None, bool]:
    """Give whether thinking is wanted, and whether its text is to be left out."""
    if body.get("thinking") is None:
        return None, False
    told = an_object(body["thinking"], "thinking")
    kind = needed_word(told, "type", "thinking")
    if kind not in ("enabled", "adaptive", "disabled"):
        raise BadRequest(
            f"thinking.type: found {kind!r}, expected enabled, adaptive or disabled",
            "thinking.type",
        )
    return kind != "disabled", word(told, "display", "thinking") == "omitted"


def _tools(body: JsonObject) -> tuple[tuple[ToolSpec, ...], Choice, bool]:
    """Give the tools that are exposed, the choice, and whether several calls are allowed."""
    told: object = body.get("tools")
    listed = objects([] if told is None else told, "tools")
    tools = distinct(_tool(entry, place) for place, entry in listed)
    if body.get("tool_choice") is None:
        return tools, "auto", True
    chosen = an_object(body["tool_choice"], "tool_choice")
    kind = needed_word(chosen, "type", "tool_choice")
    if kind not in _CHOICES:
        words = f"tool_choice.type: found {kind!r}, expected auto, any, tool or none"
        raise BadRequest(words, "tool_choice.type")
    if kind == "tool":
        tools = narrowed(tools, [needed_word(chosen, "name", "tool_choice")], "tool_choice.name")
    if kind == "any" and not tools:
        raise BadRequest("tool_choice: found 'any', but the request has no tools", "tool_choice")
    parallel = not truth(chosen, "disable_parallel_tool_use", "tool_choice")
    return tools, _CHOICES[kind], parallel


def _tool(entry: JsonObject, place: str) -> ToolSpec:
    kind = word(entry, "type", place)
    if kind not in (None, "custom"):
        where = within(place, "type")
        raise BadRequest(
            f"{where}: found {kind!r}, a tool of Anthropic's own servers or models; expected "
            "'custom', a tool with a name, a description and an input_schema",
            where,
        )
    an_object(entry.get("input_schema"), within(place, "input_schema"))
    return tool(entry, place, schema="input_schema")

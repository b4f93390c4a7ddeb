"""The tools of a Responses request, and which of them may be called."""

from __future__ import annotations

from agent.providers.base import JsonObject
from parsing import ToolSpec
from ui.gateway.asked import BadRequest, Choice
from ui.gateway.history import distinct, narrowed, tool
from ui.gateway.members import an_object, needed_word, objects, within, word

_CHOICES: dict[str, Choice] = {"auto": "auto", "none": "none", "required": "required"}
_EXPECTED = "auto, none, required, or an object of type function or allowed_tools"


def tools(body: JsonObject) -> tuple[tuple[ToolSpec, ...], Choice]:
    """Give the tools that are exposed, and the choice."""
    told: object = body.get("tools")
    found = () if told is None else tuple(_tool(entry, at) for at, entry in objects(told, "tools"))
    exposed, choice = _chosen(distinct(found), body.get("tool_choice"))
    if choice == "required" and not exposed:
        raise BadRequest("tool_choice: a call is required, but there are no tools", "tool_choice")
    return exposed, choice


def _tool(entry: JsonObject, place: str) -> ToolSpec:
    kind = needed_word(entry, "type", place)
    if kind != "function":
        where = within(place, "type")
        raise BadRequest(
            f"{where}: found {kind!r}, expected 'function'; OpenAI's own tools are not here",
            where,
        )
    return tool(entry, place)


def _chosen(tools: tuple[ToolSpec, ...], told: object) -> tuple[tuple[ToolSpec, ...], Choice]:
    if told is None:
        return tools, "auto"
    if isinstance(told, str):
        return tools, _choice(told, "tool_choice")
    chosen = an_object(told, "tool_choice")
    match word(chosen, "type", "tool_choice"):
        case "function":
            name = needed_word(chosen, "name", "tool_choice")
            return narrowed(tools, [name], "tool_choice.name"), "required"
        case "allowed_tools":
            place = "tool_choice.tools"
            names = [_allowed(entry, at) for at, entry in objects(chosen.get("tools"), place)]
            mode = needed_word(chosen, "mode", "tool_choice")
            return narrowed(tools, names, place), _choice(mode, "tool_choice.mode")
        case kind:
            raise BadRequest(
                f"tool_choice.type: found {kind!r}, expected {_EXPECTED}", "tool_choice.type"
            )


def _choice(told: str, place: str) -> Choice:
    if told not in _CHOICES:
        raise BadRequest(f"{place}: found {told!r}, expected {_EXPECTED}", place)
    return _CHOICES[told]


def _allowed(entry: JsonObject, place: str) -> str:
    kind = needed_word(entry, "type", place)
    if kind != "function":
        where = within(place, "type")
        raise BadRequest(f"{where}: found {kind!r}, expected 'function'", where)
    return needed_word(entry, "name", place)

"""The tools of a Chat Completions request, and which of them may be called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from agent.providers.base import JsonObject
from agent.providers.jsons import is_object
from parsing import ToolSpec
from ui.gateway.asked import BadRequest, Choice
from ui.gateway.history import distinct, narrowed, tool
from ui.gateway.members import an_object, needed_word, objects, unlike, within, word

Tools: TypeAlias = tuple[ToolSpec, ...]
_PLACE = "tool_choice"


def exposed(body: JsonObject) -> Tools:
    """Read the tools."""
    told = body.get("tools")
    if told is None:
        return ()
    return distinct(_tool(entry, place) for place, entry in objects(told, "tools"))


def _tool(entry: JsonObject, place: str) -> ToolSpec:
    _must_be_function(entry, place)
    where = within(place, "function")
    return tool(an_object(entry.get("function"), where), where)


def _must_be_function(entry: JsonObject, place: str) -> None:
    kind = word(entry, "type", place)
    if kind not in {None, "function"}:
        where = within(place, "type")
        raise BadRequest(f"{where}: found {kind!r}, expected 'function'", where)


def chosen(body: JsonObject, tools: Tools) -> tuple[Tools, Choice]:
    """Read the tool choice: the tools that it leaves, and whether one must be called."""
    told: object = body.get(_PLACE)
    if is_object(told):
        return _by_object(told, tools)
    match told:
        case None | "auto":
            return tools, "auto"
        case "none":
            return tools, "none"
        case "required":
            return _some(tools), "required"
        case str():
            raise BadRequest(
                f"{_PLACE}: found {told!r}, expected 'none', 'auto', 'required' or an object",
                _PLACE,
            )
        case _:
            raise unlike(told, "a string or an object", _PLACE)


def _by_object(told: JsonObject, tools: Tools) -> tuple[Tools, Choice]:
    match word(told, "type", _PLACE):
        case "function":
            return narrowed(tools, [_named(told, _PLACE)]), "required"
        case "allowed_tools":
            # OpenAI's own clients have it inside, its documents say outside too
            return _allowed(an_object(told.get("allowed_tools", told), _PLACE), tools)
        case kind:
            where = within(_PLACE, "type")
            raise BadRequest(
                f"{where}: found {kind!r}, expected 'function' or 'allowed_tools'", where
            )


def _named(told: JsonObject, place: str) -> str:
    if told.get("function") is None:
        return needed_word(told, "name", place)
    where = within(place, "function")
    return needed_word(an_object(told["function"], where), "name", where)


def _allowed(told: JsonObject, tools: Tools) -> tuple[Tools, Choice]:
    names: list[str] = []
    for place, entry in objects(told.get("tools"), f"{_PLACE}.tools"):
        _must_be_function(entry, place)
        names.append(_named(entry, place))
    kept = narrowed(tools, names)
    match word(told, "mode", _PLACE):
        case None | "auto":
            return kept, "auto"
        case "required":
            return _some(kept), "required"
        case mode:
            raise BadRequest(
                f"{_PLACE}.mode: found {mode!r}, expected 'auto' or 'required'", f"{_PLACE}.mode"
            )


def _some(tools: Sequence[ToolSpec]) -> Tools:
    if not tools:
        raise BadRequest(f"{_PLACE}: a call is required, but there are no tools", _PLACE)
    return tuple(tools)

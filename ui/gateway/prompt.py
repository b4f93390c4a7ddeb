"""A request as chat messages for a server whose template knows nothing of tools.

Laws: what is told of a call is spelled by what reads it; roles take turns, with one system message
at most and that first, since most templates insist on both; what the client sent is not changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent.providers.base import JsonObject
from parsing import Dialect, dialect
from parsing.shape import Hole, Shape
from ui.gateway.asked import Ask, Said

_TOOLS = "# Tools\n\nYou can call tools. {how} What a call gave comes in the user's next message."
_SEVERAL = "A message may hold several calls, which are made in order."
_ONE = "Write one call per message at most."
_MUST_ONE = "Your answer must call the tool {name}."
_MUST = "Your answer must call a tool."
_GAP = "\n\n"
_ROLES = {"assistant": "assistant", "system": "system"}


def chat_messages(ask: Ask, spoken: Dialect, *, reasoning: bool = True) -> list[JsonObject]:
    """Write the messages; `reasoning` says that the server takes it beside an assistant's text."""
    shape = _shape(spoken)
    rows = _Rows()
    for said in ask.said:
        if said.role == "system":
            rows.add(said, said.text)
    if described := tools_text(ask, spoken):
        rows.add(Said("system", described), described)
    for said in ask.said:
        match said.role:
            case "system":
                continue
            case "assistant":
                rows.add(said, assistant_text(said, shape), reasoning=reasoning)
            case "tool":
                rows.add(said, result_text(said, shape))
            case "user":
                rows.add(said, said.text)
    return rows.messages()


def in_order(history: Sequence[Said]) -> tuple[Said, ...]:
    """Put results in the order of their calls: most dialects do not say whose a result is."""
    told: list[Said] = []
    results: list[Said] = []
    places: dict[str, int] = {}
    for said in history:
        if said.role == "tool":
            results.append(said)
            continue
        told += sorted(results, key=lambda result: places.get(result.answers, 0))
        results.clear()
        told.append(said)
        if said.calls:
            places = {call.id: place for place, call in enumerate(said.calls)}
    return (*told, *sorted(results, key=lambda result: places.get(result.answers, 0)))


def tools_text(ask: Ask, spoken: Dialect) -> str:
    """Write the tools' part of the system message; "" when none is to be called."""
    if not ask.tools or ask.choice == "none" or not spoken.shape.call:
        return ""
    parts = [_TOOLS.format(how=_SEVERAL if ask.parallel else _ONE)]
    parts.append(spoken.shape.describe(ask.tools).strip())
    if ask.choice == "required":
        one = len(ask.tools) == 1
        parts.append(_MUST_ONE.format(name=ask.tools[0].name) if one else _MUST)
    return _GAP.join(parts)


def assistant_text(said: Said, shape: Shape) -> str:
    """Write what an assistant said and called, as its dialect spells calls."""
    if not said.calls:
        return said.text
    calls = shape.spell_all([(call.name, call.arguments) for call in said.calls])
    line = "" if not said.text or said.text.endswith("\n") or calls.startswith("\n") else "\n"
    return f"{said.text}{line}{calls}"


def result_text(said: Said, shape: Shape) -> str:
    """Write what a call gave; a shape that adds nothing to it leaves the tool to be named here."""
    if shape.result == (Hole.RESULT,):
        return f"Result of {said.name or 'the call'}:\n{said.text}"
    return shape.spell_result(said.name, said.text)


def _shape(spoken: Dialect) -> Shape:
    """Give the shape that calls of the history are told in, whether or not more may be made."""
    return spoken.shape if spoken.shape.call else dialect("hermes").shape


class _Rows:
    """Messages that grow: what has the role of the one before goes into it."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []
        self._before: Said | None = None

    def add(self, said: Said, text: str, *, reasoning: bool = False) -> None:
        role = _ROLES.get(said.role, "user")
        gap = "\n" if said.role == "tool" and _role(self._before) == "tool" else _GAP
        if not self._rows or self._rows[-1]["role"] != role:
            self._rows.append({"role": role, "content": []})
            gap = ""
        row = self._rows[-1]
        _append(row["content"], text, said.media, gap)
        if reasoning and said.reasoning:
            row["reasoning_content"] = _joined(row.get("reasoning_content", ""), said.reasoning)
        self._before = said

    def messages(self) -> list[JsonObject]:
        return [{**row, "content": _content(row["content"])} for row in self._rows]


def _role(said: Said | None) -> str:
    return "" if said is None else said.role


def _joined(before: str, text: str) -> str:
    return f"{before}{_GAP}{text}" if before else text


def _append(parts: list[JsonObject], text: str, media: Sequence[JsonObject], gap: str) -> None:
    last = parts[-1] if parts else None
    if last is not None and last.get("type") == "text" and text:
        parts[-1] = {"type": "text", "text": f"{last['text']}{gap if last['text'] else ''}{text}"}
    elif text or (not parts and not media):
        parts.append({"type": "text", "text": text})
    match parts[-1:], media[:1]:
        case [{"type": "text", "text": str(before)}], [{"type": "text", "text": str(begun)}]:
            parts[-1] = {"type": "text", "text": f"{before}{gap if before else ''}{begun}"}
            media = media[1:]
        case _:
            pass
    parts.extend(media)


def _content(parts: list[JsonObject]) -> str | list[JsonObject]:
    """Give parts as they are when there are media among them, and text alone as a string."""
    match parts:
        case [{"type": "text", "text": str(text)}]:
            return text
        case _:
            return parts

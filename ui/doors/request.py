"""What a message's members say of its dialect and of the request it answers.

Law: nothing that was said is ignored; what cannot be meant is refused in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard, get_args

from parsing import (
    AUTO,
    Options,
    Profile,
    ToolSpec,
    UnknownDialect,
    canonical_name,
    detect,
    dialect_for_model,
)
from parsing.request import chosen_tools, request_options

_USUAL = "cline"
_USUAL_REASONING = "default"


def dialect_of(members: Mapping[str, Any], text: str, tools: Sequence[ToolSpec]) -> str:
    """Give the name of the dialect to read with; ValueError says that there is none such.

    For `auto` the model's name decides where it is known, else the marks in the text.
    """
    name, model = _word(members, "dialect") or _USUAL, _word(members, "model")
    if name.lower() == AUTO:
        return (model and dialect_for_model(model)) or detect(text, tools) or _USUAL
    try:
        return canonical_name(name)
    except UnknownDialect as error:
        raise ValueError(str(error)) from error


def options_of(members: Mapping[str, Any]) -> Options:
    """Give the options of the request; ValueError says which member is wrong."""
    profile = members.get("profile", "agent")
    if not _is_profile(profile):
        raise ValueError(f"profile {profile!r}: expected one of {', '.join(get_args(Profile))}")
    opened, reasoning = _truth(members, "starts_in_reasoning"), members.get("reasoning")
    options = request_options(
        reasoning=_reasoning_parser(reasoning, profile),
        thinking=_truth(members, "thinking"),
        tool_choice=_word(members, "tool_choice"),
        profile=profile,
    )
    if opened is not None:
        reads = opened or options.reasoning
        return replace(options, starts_in_reasoning=opened, reasoning=reads)
    if reasoning is None and profile == "agent":
        return replace(options, starts_in_reasoning=None)
    return options


def tools_for(members: Mapping[str, Any], tools: Sequence[ToolSpec]) -> tuple[ToolSpec, ...]:
    """Give the tools that the request's tool choice leaves; ValueError when it names none."""
    return chosen_tools(tools, _word(members, "tool_choice"))


def _reasoning_parser(told: object, profile: Profile) -> str | None:
    """Give the server's reasoning parser; only a serving request may go without a word on it."""
    match told:
        case None:
            return None if profile == "serving" else _USUAL_REASONING
        case bool():
            return _USUAL_REASONING if told else None
        case str():
            return told
        case _:
            raise ValueError(f"reasoning {told!r}: expected true, false or a parser's name")


def _truth(members: Mapping[str, Any], name: str) -> bool | None:
    told: object = members.get(name)
    match told:
        case None | bool():
            return told
        case "on" | "off":
            return told == "on"
        case _:
            raise ValueError(f"{name} {told!r}: expected true or false")


def _word(members: Mapping[str, Any], name: str) -> str | None:
    told = members.get(name)
    if told is None or isinstance(told, str):
        return told
    raise ValueError(f"{name} {told!r}: expected a name")


def _is_profile(value: object) -> TypeGuard[Profile]:
    return value in get_args(Profile)

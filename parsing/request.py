"""A serving request's own words, as LMDeploy has them, made into options and tools of a reading."""

from __future__ import annotations

from collections.abc import Sequence

from parsing.options import Options, Profile
from parsing.spec import ToolSpec

# When the template opens the reasoning: unless thinking is off, or only when it is on.
_OPENED_BY_DEFAULT = {
    "default": True,
    "deepseek-v3": False,
    "deepseek-v32": False,
    "deepseek-v3.2": False,
    "deepseek-v4": False,
    # older names of `default`
    "qwen-qwq": True,
    "intern-s1": True,
    "deepseek-r1": True,
}
REASONING_NAMES = tuple(_OPENED_BY_DEFAULT)


def request_options(
    *,
    reasoning: str | None = None,
    thinking: bool | None = None,
    tool_choice: str | None = None,
    profile: Profile = "serving",
) -> Options:
    """Give the options of a request; raises ValueError for a reasoning parser nobody knows.

    `reasoning` names the server's reasoning parser (none: it has none), `thinking` is what the
    request says of it (none: nothing), `tool_choice` is auto, none, required or a tool's name.
    """
    calls = tool_choice != "none"
    if reasoning is None:
        return Options(profile, starts_in_reasoning=False, reasoning=False, calls=calls)
    opened = _OPENED_BY_DEFAULT.get(reasoning.replace("_", "-"))
    if opened is None:
        known = ", ".join(REASONING_NAMES)
        raise ValueError(f"no reasoning parser is called {reasoning!r}; there are: {known}")
    return Options(
        profile,
        starts_in_reasoning=opened if thinking is None else thinking,
        reasoning_as_text=thinking is False,
        calls=calls,
    )


def chosen_tools(tools: Sequence[ToolSpec], tool_choice: str | None) -> tuple[ToolSpec, ...]:
    """Give the tools that a request exposes; raises ValueError when it names one it has not."""
    if tool_choice in {None, "auto", "none", "required"}:
        return tuple(tools)
    chosen = tuple(tool for tool in tools if tool.name == tool_choice)
    if not chosen:
        known = ", ".join(tool.name for tool in tools) or "none"
        raise ValueError(f"tool choice {tool_choice!r} is no tool of the request; it has: {known}")
    return chosen

"""Whether a model reasons before it answers, and whether the prompt has begun that for it.

Laws: a prompt that was written here is believed before any table; what a request turns off is off.
"""

from __future__ import annotations

import re

from agent.providers.base import JsonObject
from parsing import Dialect
from ui.gateway.asked import Ask

_NAMES = ("enable_thinking", "thinking")
"""What templates call it: Qwen's, GLM's and most others, and DeepSeek's and Granite's."""

_OPENED_WHEN_ASKED = frozenset(
    ("deepseek_v31", "deepseek_v32", "deepseek_v4", "deepseek_v41", "dsml", "hy_v3", "poolside_v1")
)
"""Dialects whose templates open the reasoning of a request that asks for it."""

_OPENED_ALWAYS = re.compile(r"(?i)\bqwq|\bqwen-?3.*-thinking|\bdeepseek-r1-0528|\bminimax-?m2")
"""Models that reason in every answer, and whose template opens it, though their dialect's others do
not.  One that opens it again itself does no harm."""

_RARELY = frozenset(
    (
        *("claude_xml", "cline", "cline-v2", "fenced_json", "firefunction", "functionary_v31"),
        *("functionary_v32", "functiongemma", "gemma", "gigachat3", "granite", "granite_20b_fc"),
        *("hermes", "jamba", "lfm2", "llama3", "llama3_json", "mistral", "none", "phi4_mini"),
        *("pythonic", "xlam"),
    )
)
"""Dialects of models that do not reason unless they are told to."""


def thinking(ask: Ask) -> bool | None:
    """Say whether the request turns reasoning on or off; None when it says nothing."""
    told = (ask.template.get(name) for name in _NAMES)
    return next((value for value in (ask.thinking, *told) if isinstance(value, bool)), None)


def template_kwargs(ask: Ask) -> JsonObject:
    """Give the variables that the request sets of a chat template."""
    wanted = thinking(ask)
    return {**({} if wanted is None else dict.fromkeys(_NAMES, wanted)), **ask.template}


def begins_in_reasoning(
    spoken: Dialect, model: str, *, wanted: bool | None, told: bool | None
) -> bool:
    """Say whether an answer begins in reasoning, where the prompt is not known.

    `wanted` is what the request says, `told` what the gateway's settings do.
    """
    if wanted is False:
        return False
    if told is not None:
        return told
    if spoken.opens_reasoning or _OPENED_ALWAYS.search(model):
        return True
    return wanted is True and spoken.name in _OPENED_WHEN_ASKED


def may_reason(spoken: Dialect, *, wanted: bool | None, begun: bool) -> bool:
    """Claim that reasoning may come before the answer."""
    return begun or (wanted is not False and (wanted is True or spoken.name not in _RARELY))

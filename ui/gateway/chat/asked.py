"""A Chat Completions request, read.

Law: what is not known here goes on to the upstream as it came; what is known is looked at first.
"""

from __future__ import annotations

from typing import Any

from agent.providers.base import JsonObject
from agent.providers.jsons import is_array
from ui.gateway.asked import Ask, BadRequest
from ui.gateway.chat.choice import chosen, exposed
from ui.gateway.chat.history import said
from ui.gateway.members import (
    an_object,
    needed_word,
    number,
    truth,
    unlike,
    whole_number,
    word,
)

_OURS = frozenset(
    {
        *("model", "messages", "tools", "tool_choice", "parallel_tool_calls", "functions"),
        *("function_call", "stream", "stream_options", "n", "max_completion_tokens"),
        *("chat_template_kwargs", "enable_thinking", "return_token_ids"),
        # OpenAI's own house-keeping, which no other server has
        *("store", "metadata", "service_tier", "prompt_cache_key", "safety_identifier"),
        *("modalities", "audio", "prediction", "verbosity", "prompt_cache_retention"),
    }
)
_NUMBERS = ("temperature", "top_p", "presence_penalty", "frequency_penalty")
_COUNTS = ("max_tokens", "seed", "top_logprobs")


def asked(body: JsonObject) -> Ask:
    """Read a request; raises BadRequest."""
    model = needed_word(body, "model")
    _refuse(body)
    tools, choice = chosen(body, exposed(body))
    template, thinking = _template(body)
    return Ask(
        model=model,
        said=said(body.get("messages")),
        tools=tools,
        choice=choice,
        parallel=truth(body, "parallel_tool_calls") is not False,
        stream=truth(body, "stream") or False,
        usage_wanted=_usage_wanted(body),
        thinking=thinking,
        token_ids=truth(body, "return_token_ids") or False,
        sampling=_sampling(body),
        template=template,
    )


def _refuse(body: JsonObject) -> None:
    """Refuse what cannot be done, rather than do something else."""
    if whole_number(body, "n") not in {None, 1}:
        raise BadRequest(f"n: found {body['n']}, expected 1: one answer is given a request", "n")
    if body.get("functions"):
        raise BadRequest("functions: this older form is not known; send `tools`", "functions")
    told = body.get("modalities")
    if told is not None and told != ["text"]:
        raise BadRequest('modalities: expected ["text"]; answers are text', "modalities")


def _usage_wanted(body: JsonObject) -> bool:
    options = body.get("stream_options")
    if options is None:
        return False
    where = "stream_options"
    return truth(an_object(options, where), "include_usage", where) or False


def _template(body: JsonObject) -> tuple[JsonObject, bool | None]:
    """Give the words for the chat template, and what they say of thinking."""
    told = body.get("chat_template_kwargs")
    place = "chat_template_kwargs"
    template = {} if told is None else dict(an_object(told, place))
    effort, enabled = word(body, "reasoning_effort"), truth(body, "enable_thinking")
    if effort is not None:
        template.setdefault("reasoning_effort", effort)
    if enabled is not None:
        template.setdefault("enable_thinking", enabled)
    for thinking in (truth(template, name, place) for name in ("enable_thinking", "thinking")):
        if thinking is not None:
            return template, thinking
    return template, False if effort == "none" else None


def _sampling(body: JsonObject) -> JsonObject:
    for name in _NUMBERS:
        number(body, name)
    for name in (*_COUNTS, "max_completion_tokens"):
        whole_number(body, name)
    truth(body, "logprobs")
    _check_stop(body.get("stop"))
    for name in ("response_format", "logit_bias"):
        if body.get(name) is not None:
            an_object(body[name], name)
    made: dict[str, Any] = {
        name: value for name, value in body.items() if name not in _OURS and value is not None
    }
    if (most := body.get("max_completion_tokens")) is not None:
        made["max_tokens"] = most
    return made


def _check_stop(told: object) -> None:
    if told is None or isinstance(told, str):
        return
    if not is_array(told):
        raise unlike(told, "a string or an array of strings", "stop")
    for place, entry in enumerate(told):
        if not isinstance(entry, str):
            raise unlike(entry, "a string", f"stop[{place}]")

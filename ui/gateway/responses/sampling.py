"""How a Responses request wants its answer sampled, under the names of Chat Completions."""

from __future__ import annotations

from typing import Any

from agent.providers.base import JsonObject
from agent.providers.jsons import is_array
from ui.gateway.asked import BadRequest
from ui.gateway.members import (
    an_array,
    an_object,
    needed_word,
    number,
    truth,
    unlike,
    whole_number,
    within,
    word,
)

_LOGPROBS = "message.output_text.logprobs"
_MOST_LOGPROBS = 20
_LIMITS = {"temperature": 2, "top_p": 1}
# not OpenAI's, but what local servers take and the official clients send in `extra_body`
_NUMBERS = ("min_p", "presence_penalty", "frequency_penalty", "repetition_penalty")
_COUNTS = ("seed", "top_k")


def sampling(body: JsonObject) -> JsonObject:
    """Read it; raises BadRequest."""
    made: dict[str, Any] = {**_limited(body), **_logprobs(body)}
    made |= {name: value for name in _NUMBERS if (value := number(body, name)) is not None}
    made |= {name: value for name in _COUNTS if (value := whole_number(body, name)) is not None}
    if (stop := _stop(body.get("stop"))) is not None:
        made["stop"] = stop
    if (effort := effort_of(body)) is not None:
        made["reasoning_effort"] = effort
    if (form := _form(body)) is not None:
        made["response_format"] = form
    return made


def effort_of(body: JsonObject) -> str | None:
    """Read how much is to be thought; "none" is a word for it too."""
    told: object = body.get("reasoning")
    return None if told is None else word(an_object(told, "reasoning"), "effort", "reasoning")


def _limited(body: JsonObject) -> JsonObject:
    made: dict[str, Any] = {}
    most = whole_number(body, "max_output_tokens")
    if most is not None:
        if most < 1:
            words = f"max_output_tokens: found {most}, expected a whole number from 1"
            raise BadRequest(words, "max_output_tokens")
        made["max_tokens"] = most
    for name, limit in _LIMITS.items():
        if (value := number(body, name)) is not None:
            if not 0 <= value <= limit:
                raise BadRequest(f"{name}: found {value}, expected 0 to {limit}", name)
            made[name] = value
    return made


def _logprobs(body: JsonObject) -> JsonObject:
    included: object = body.get("include")
    names = [] if included is None else an_array(included, "include")
    for at, name in enumerate(names):
        if not isinstance(name, str):
            raise unlike(name, "a string", f"include[{at}]")
    top = whole_number(body, "top_logprobs") or 0
    if not 0 <= top <= _MOST_LOGPROBS:
        words = f"top_logprobs: found {top}, expected 0 to {_MOST_LOGPROBS}"
        raise BadRequest(words, "top_logprobs")
    if not top and _LOGPROBS not in names:
        return {}
    return {"logprobs": True, "top_logprobs": top} if top else {"logprobs": True}


def _stop(told: object) -> object:
    if told is None or isinstance(told, str):
        return told
    if not is_array(told):
        raise unlike(told, "a string or an array of strings", "stop")
    for at, entry in enumerate(told):
        if not isinstance(entry, str):
            raise unlike(entry, "a string", f"stop[{at}]")
    return told


def _form(body: JsonObject) -> JsonObject | None:
    """Read `text.format` as the `response_format` of Chat Completions; None for plain text."""
    text: object = body.get("text")
    told: object = None if text is None else an_object(text, "text").get("format")
    if told is None:
        return None
    place = "text.format"
    form = an_object(told, place)
    match needed_word(form, "type", place):
        case "text":
            return None
        case "json_object":
            return {"type": "json_object"}
        case "json_schema":
            an_object(form.get("schema"), within(place, "schema"))
            needed_word(form, "name", place)
            word(form, "description", place)
            truth(form, "strict", place)
            named = {name: value for name, value in form.items() if name != "type"}
            return {"type": "json_schema", "json_schema": named}
        case kind:
            where = within(place, "type")
            raise BadRequest(
                f"{where}: found {kind!r}, expected text, json_object or json_schema", where
            )


def template_of(body: JsonObject) -> tuple[JsonObject, bool | None]:
    """Give the words for the chat template, and whether thinking is wanted."""
    told: object = body.get("chat_template_kwargs")
    place = "chat_template_kwargs"
    template = {} if told is None else dict(an_object(told, place))
    effort = effort_of(body)
    if effort is not None:
        template.setdefault("reasoning_effort", effort)
    for name in ("enable_thinking", "thinking"):
        if (thinking := truth(template, name, place)) is not None:
            return template, thinking
    return template, False if effort == "none" else None

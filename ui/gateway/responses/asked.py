"""A Responses request, read: POST /v1/responses.

Law: what would change the answer's meaning is passed on or refused.  Ignored are words on
caches, places, speed, storing and verbosity, and members that are not known here.
"""

from __future__ import annotations

from agent.providers.base import JsonObject
from ui.gateway.asked import Ask, BadRequest
from ui.gateway.members import (
    an_object,
    needed_word,
    truth,
    unlike,
    whole_number,
    within,
    word,
)
from ui.gateway.responses.conversation import said
from ui.gateway.responses.echo import echo
from ui.gateway.responses.sampling import sampling, template_of
from ui.gateway.responses.tools import tools

_NOT_HERE = {
    "background": "answers are given at once, or as a stream; leave it out",
    "conversation": "nothing is stored here; send the whole conversation as input",
    "previous_response_id": "nothing is stored here; send the whole conversation as input",
    "prompt": "no prompts are stored here; send the prompt's text as instructions or input",
}
_WORDS = ("prompt_cache_key", "safety_identifier", "truncation", "user")


def asked(body: JsonObject) -> Ask:
    """Read a request; raises BadRequest."""
    for name, why in _NOT_HERE.items():
        if body.get(name):
            raise BadRequest(f"{name}: {why}", name)
    model = needed_word(body, "model")
    _check_echoed(body)
    template, thinking = template_of(body)
    exposed, choice = tools(body)
    parallel = truth(body, "parallel_tool_calls") is not False
    return Ask(
        model=model,
        said=said(body),
        tools=exposed,
        choice=choice,
        parallel=parallel,
        stream=truth(body, "stream") or False,
        usage_wanted=True,
        thinking=thinking,
        sampling=sampling(body),
        template=template,
        echo=echo(body, parallel=parallel),
    )


def _check_echoed(body: JsonObject) -> None:
    """Look at members that are only repeated in the answer."""
    for name in _WORDS:
        word(body, name)
    whole_number(body, "max_tool_calls")
    truth(body, "store")
    if body.get("metadata") is not None:
        for name, value in an_object(body["metadata"], "metadata").items():
            if not isinstance(value, str):
                raise unlike(value, "a string", within("metadata", name))
    if body.get("text") is not None:
        word(an_object(body["text"], "text"), "verbosity", "text")

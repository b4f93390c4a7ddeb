"""A tool choice that must be kept: the dialect's grammar, for a server that takes one.

Laws: what is required is enforced or refused, never hoped for; reasoning before a call stays
possible where the model reasons.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.providers.base import JsonObject
from agent.providers.jsons import as_object
from parsing import Dialect, ToolSpec
from parsing.constraint import Bounds, NoConstraint, ebnf
from ui.gateway.asked import Ask, BadRequest
from ui.gateway.servers import Server, held

_OWN = ("response_format", "grammar", "json_schema", "structured_outputs", "format")
_FRAMES = {"harmony": ("<|channel|>analysis<|message|>", "<|end|>")}
"""What reasoning stands between in dialects whose tables say it by frames, not by tags."""

_LOOSE = {
    "harmony": (
        (re.compile(r'(?m)^(call\S* ::= )"<\|start\|>assistant'), r'\1"<|start|>assistant"? "'),
        (re.compile(r'(?m)<\|call\|>"$'), '" "<|call|>"?'),
    )
}
"""What of a call the prompt has written already, or ends the answer as a token that is no text."""

_KEPT = 64


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What may come before a call: reasoning, and whether the prompt has begun it."""

    possible: bool
    begun: bool


class Enforcer:
    """Makes what a request's choice needs; keeps the grammars that it made last."""

    def __init__(self, server: Server, *, raw: bool = False) -> None:
        self._server, self._raw = server, raw
        self._grammars: OrderedDict[tuple[object, ...], tuple[tuple[ToolSpec, ...], str]] = (
            OrderedDict()
        )

    def members(
        self, ask: Ask, spoken: Dialect, tools: tuple[ToolSpec, ...], reasoning: Reasoning
    ) -> JsonObject:
        """Give the members of the body that hold the decoder to a call; raises BadRequest."""
        if ask.choice != "required":
            return {}
        if not tools:
            raise BadRequest(
                'tool_choice "required" needs a tool to call; found none in tools.', "tools"
            )
        self._refuse_two(ask.sampling)
        held(self._server, "", raw=self._raw)
        return held(self._server, self._grammar(spoken, tools, reasoning, one=not ask.parallel))

    def _refuse_two(self, sampling: JsonObject) -> None:
        for name in (*_OWN, *self._server.taken):
            told = sampling.get(name)
            if told is None or as_object(told).get("type") == "text":
                continue
            raise BadRequest(
                f"a call is required, which binds the answer's form, and so does {name}. Send one "
                'of them: leave it out, or ask with tool_choice "auto".',
                name,
            )

    def _grammar(
        self, spoken: Dialect, tools: tuple[ToolSpec, ...], reasoning: Reasoning, *, one: bool
    ) -> str:
        key = (spoken.name, reasoning, one, *map(id, tools))
        found = self._grammars.get(key)
        if found is None:
            # the tools are kept too, so that no other has their ids
            found = self._grammars[key] = (tools, grammar(spoken, tools, reasoning, one=one))
            if len(self._grammars) > _KEPT:
                self._grammars.popitem(last=False)
        self._grammars.move_to_end(key)
        return found[1]


def grammar(spoken: Dialect, tools: Sequence[ToolSpec], reasoning: Reasoning, *, one: bool) -> str:
    """Write the grammar of an answer that must call; raises BadRequest where there is none."""
    frame = _FRAMES.get(spoken.name)
    opened = replace(spoken, opens_reasoning=reasoning.begun)
    bounds = Bounds(
        text=False,
        reasoning=reasoning.possible and frame is None,
        max_calls=1 if one else None,
    )
    try:
        rules = ebnf(opened, tools, bounds)
    except NoConstraint as fault:
        raise BadRequest(
            f"a tool call cannot be required of this model: {fault}. Ask with tool_choice "
            '"auto", or start the gateway with another --dialect.',
            "tool_choice",
        ) from None
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError) as fault:
        raise BadRequest(
            f"no grammar can be made of the tools' parameters: {type(fault).__name__}: {fault}. "
            "Expected JSON schemas of objects.",
            "tools",
        ) from None
    for mark, loose in _LOOSE.get(spoken.name, ()):
        rules = mark.sub(loose, rules)
    return rules if frame is None or not reasoning.possible else _framed(rules, *frame, reasoning)


def _framed(rules: str, opens: str, closes: str, reasoning: Reasoning) -> str:
    """Let reasoning come before all that the rules say."""
    begin = "" if reasoning.begun else f'"{opens}" '
    thought = f'{begin}([^<] | "<" [^|])* "{closes}"'
    first = thought if reasoning.begun else f"({thought})?"
    return f"root ::= {first} answer\n" + rules.replace("root ::=", "answer ::=", 1)

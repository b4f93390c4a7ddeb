"""Models that speak one dialect each: what they write, and what must reach them of a request."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from parsing import dialect
from tests.ui.gateway.scripted_answers import Piece, Say, cut, refusal

Call = tuple[str, Mapping[str, Any]]
THINK = ("<think>", "</think>")
REASONING = {
    "gemma": ("<thought>", "</thought>"),
    "gemma4": ("<|channel>thought\n", "<channel|>"),
    "functiongemma": ("<|channel>thought\n", "<channel|>"),
    "harmony": ("<|channel|>analysis<|message|>", "<|end|>"),
    "k2_horizon": ("<ifm|think>", "</ifm|think>"),
    "kimi_k3": ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    "minimax_m3": ("<mm:think>", "</mm:think>"),
    "mistral": ("[THINK]", "[/THINK]"),
    "mistral_v11": ("[THINK]", "[/THINK]"),
    "seed_oss": ("<seed:think>", "</seed:think>"),
}
SILENT = frozenset({"cohere", "apertus", "plamo3", "inkling", "muse"})
"""Dialects whose models do not reason, or not between tags that are written here."""
GRAMMARS = ("grammar", "guided_grammar", "structured_outputs", "response_format", "ebnf")


@dataclass(frozen=True, slots=True)
class Turn:
    """What a model means to say: its reasoning, text, and calls."""

    text: str = ""
    calls: Sequence[Call] = ()
    reasoning: str = ""


def spoken(name: str, turn: Turn) -> str:
    """Write a turn as a model of this dialect would."""
    found = dialect(name)
    told = found.shape.spell_all(turn.calls) if turn.calls else ""
    opens, closes = REASONING.get(name, THINK)
    thought = f"{opens}{turn.reasoning}{closes}" if turn.reasoning and reasons(name) else ""
    if name == "harmony":
        start = "<|start|>assistant"
        text = f"{start}<|channel|>final<|message|>{turn.text}<|return|>" if turn.text else ""
        return f"{thought}{text}{told}".removeprefix(start)
    if found.opens_reasoning:  # the template did, so the model only closes it
        thought = f"{turn.reasoning}{closes}"
    gap = "\n" if turn.text and told else ""
    return f"{thought}{turn.text}{gap}{told}"


def reasons(name: str) -> bool:
    return name not in SILENT


@dataclass
class Model:
    """Plays a model of one dialect, by what the user said last; `turns` are looked up by it.

    What did not reach it as its dialect wants, it complains of, and answers 400 with the complaint.
    """

    name: str
    turns: Mapping[str, Turn]
    size: int = 3  # characters of a chunk; 0: whole

    def __call__(self, body: Any) -> Say:
        heard = prompt_of(body)
        if complaints := self.missing(body, heard):
            return refusal(400, "; ".join(complaints))
        last = max(self.turns, key=lambda words: heard.rfind(words))
        if last not in heard:
            return refusal(400, f"no turn for {heard[-200:]!r}")
        text = spoken(self.name, self.turns[last])
        return Say(cut(text, self.size or len(text)) if text else [Piece("")])

    def missing(self, body: Any, heard: str) -> list[str]:
        """Say what of the request did not reach the model; overridden for more."""
        native = [key for key in ("tools", "tool_choice", "functions") if key in body]
        return [f"native {key} reached a model that only writes text" for key in native]


def prompt_of(body: Any) -> str:
    """Give all text of a request, of its messages or of its prompt."""
    if "prompt" in body:
        return str(body["prompt"])
    return "\n".join(_text(message["content"]) for message in body["messages"])


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or ())


def grammar_of(body: Any) -> str:
    """Give what holds the decoder, as text; "" when nothing does."""
    found = {key: body[key] for key in GRAMMARS if body.get(key)}
    return json.dumps(found, ensure_ascii=False) if found else ""

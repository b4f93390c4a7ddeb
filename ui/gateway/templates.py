"""A model's own chat template, rendered here: one prompt for a text completion (`--raw`).

Law: a template sees the forms of messages and tools that it would see in `transformers`, and tools
are told of in any case.  A template's own complaint about a request is the client's to read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

from jinja2 import TemplateError, TemplateSyntaxError

from agent.errors import ConfigError
from agent.providers.base import JsonObject
from agent.providers.jsons import as_array, as_object, as_word, is_object
from parsing import Dialect, Options, ReasoningBlock, ToolSpec, parse
from parsing.shape import Hole, Shape
from ui.gateway.asked import Ask, BadRequest, Call, Said
from ui.gateway.prompt import assistant_text, chat_messages
from ui.gateway.template_engine import compiled, to_json

_CONFIG = "tokenizer_config.json"
_FILES = ("chat_template.jinja", _CONFIG, "chat_template.json")
_SPECIAL = ("bos_token", "eos_token", "unk_token", "pad_token", "sep_token", "cls_token")
_SHORT_ID = 9  # of Mistral's templates, which take no other
_COMPLAINTS = (
    TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class _Form:
    """How calls of the history are told: most templates take the first form, some another."""

    arguments_as_text: bool = False  # DeepSeek's join them to other text
    short_ids: bool = False  # Mistral's want nine letters and digits


_FORMS = tuple(
    _Form(arguments_as_text=text, short_ids=short)
    for short in (False, True)
    for text in (False, True)
)


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """A template, the one it has for requests with tools, and the model's special tokens."""

    source: str
    with_tools: str
    special: Mapping[str, str]

    def render(self, ask: Ask, spoken: Dialect, kwargs: JsonObject) -> str:
        """Write the prompt, up to where the answer begins; raises BadRequest.

        A template that knows no tools is given messages that tell of them in the dialect, and one
        that knows no system message has it told by the user.  `kwargs` are what the request sets
        of the template's own variables.
        """
        tools = [tool_as_json(tool) for tool in ask.tools] if ask.choice != "none" else []
        faults: list[Exception] = []
        for source, messages, described in self._ways(ask, spoken, tools):
            names = {"messages": messages, "tools": described, "documents": None}
            given = {**self.special, **kwargs, **names, "add_generation_prompt": True}
            try:
                return compiled(source).render(given)
            except _COMPLAINTS as fault:
                faults.append(fault)
        raise BadRequest(
            f"the model's chat template does not take this request: {faults[0]}", "messages"
        )

    def _ways(
        self, ask: Ask, spoken: Dialect, tools: list[JsonObject]
    ) -> Iterator[tuple[str, list[JsonObject], list[JsonObject] | None]]:
        """Give the ways to tell a request, the one meant for templates with tools first."""
        if any(said.media for said in ask.said):
            raise BadRequest(
                "found a part that is no text; this gateway writes prompts itself (--raw), and a "
                "text completion takes no images. Send text only.",
                "messages",
            )
        source = self.with_tools if tools else self.source
        called = any(said.calls for said in ask.said)
        if "tools" in source or not (tools or called):
            shape = None if "tool_calls" in source else spoken.shape
            history = _with_own_ids(ask.said, spoken.shape)
            for form in _FORMS if called else _FORMS[:1]:
                yield source, [_message(said, form, shape) for said in history], tools or None
        spelled = chat_messages(ask, spoken)
        yield self.source, spelled, None
        if spelled[0]["role"] == "system":
            yield self.source, _folded(spelled), None


def _folded(messages: list[JsonObject]) -> list[JsonObject]:
    """Let the first message of the user begin with the system's."""
    system, *rest = messages
    if not rest or rest[0]["role"] != "user":
        return [{**system, "role": "user"}, *rest]
    return [{**rest[0], "content": f"{system['content']}\n\n{rest[0]['content']}"}, *rest[1:]]


def load_template(path: Path) -> ChatTemplate:
    """Read a template from a file, or from a folder with a model's files; raises ConfigError."""
    place = path
    if path.is_dir():
        place = next((path / name for name in _FILES if (path / name).is_file()), path / _FILES[0])
    try:
        text = place.read_text(encoding="utf-8")
        config = _config(place, text)
    except (OSError, ValueError) as fault:
        raise ConfigError(
            f"no chat template can be read from {path}: {fault}. Expected a .jinja file, a "
            f"{_CONFIG}, or a folder with one of them."
        ) from None
    named = _named(text if place.suffix != ".json" else config.get("chat_template"))
    source = named.get("default") or next(iter(named.values()), "")
    if not source:
        raise ConfigError(f"{place} holds no chat template. Expected a member chat_template.")
    found = ChatTemplate(source, named.get("tool_use", source), _special(config))
    for told in (found.source, found.with_tools):
        try:
            compiled(told)
        except TemplateSyntaxError as fault:
            raise ConfigError(
                f"the chat template of {place} is no Jinja: {fault.message} (line {fault.lineno})."
            ) from None
    return found


def tool_as_json(tool: ToolSpec) -> JsonObject:
    """Write a tool as Chat Completions does."""
    parameters = dict(tool.parameters) or {"type": "object", "properties": {}}
    function = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}


def opens_reasoning(prompt: str, dialect: str) -> bool:
    """Claim that what is written after this prompt begins in reasoning."""
    tail = prompt.rstrip().rpartition("\n")[2]
    reading = Options(profile="serving", starts_in_reasoning=False)
    blocks = parse(f"{tail}\nx", dialect, finish=None, options=reading)
    return bool(blocks) and isinstance(blocks[-1], ReasoningBlock)


def _with_own_ids(history: Sequence[Said], shape: Shape) -> Sequence[Said]:
    """Give calls the ids that the model itself writes, if its dialect names the tool in them.

    Kimi's are `functions.NAME:N`, counted over all of the history; with other ids in its prompt
    it writes such ids too, and they name no tool.
    """
    match shape.call[:4]:
        case (str() as before, Hole.NAME, str() as between, Hole.INDEX):
            prefix = before.rpartition(">")[2]
        case _:
            return history
    told: list[Said] = []
    own: dict[str, str] = {}
    counted = count()
    for said in history:
        own |= {call.id: f"{prefix}{call.name}{between}{next(counted)}" for call in said.calls}
        calls = tuple(replace(call, id=own[call.id]) for call in said.calls)
        told.append(replace(said, calls=calls, answers=own.get(said.answers, said.answers)))
    return told


def _message(said: Said, form: _Form, shape: Shape | None) -> JsonObject:
    """Write a message as Chat Completions has it; with a shape, its calls are spelled."""
    told: dict[str, Any] = {"role": said.role, "content": said.text}
    if said.reasoning is not None:
        told["reasoning_content"] = said.reasoning
    if said.calls and shape is not None:
        told["content"] = assistant_text(said, shape)
    elif said.calls:
        told["tool_calls"] = [_call(call, form) for call in said.calls]
    if said.role == "tool":
        told |= {"tool_call_id": _id(said.answers, form), "name": said.name}
    return told


def _call(call: Call, form: _Form) -> JsonObject:
    given = dict(call.arguments)
    arguments = to_json(given) if form.arguments_as_text else given
    function = {"name": call.name, "arguments": arguments}
    return {"id": _id(call.id, form), "type": "function", "function": function}


def _id(given: str, form: _Form) -> str:
    return hashlib.sha256(given.encode()).hexdigest()[:_SHORT_ID] if form.short_ids else given


def _config(place: Path, text: str) -> JsonObject:
    """Give what stands beside a template; raises ValueError for what is no JSON."""
    if place.suffix == ".json":
        return as_object(json.loads(text))
    beside = place.with_name(_CONFIG)
    return as_object(json.loads(beside.read_text(encoding="utf-8"))) if beside.is_file() else {}


def _named(told: object) -> dict[str, str]:
    """Give templates by name: one alone, as an object, or as a list of named ones."""
    if isinstance(told, str):
        return {"default": told}
    if is_object(told):
        return {name: source for name, source in told.items() if isinstance(source, str)}
    rows = (as_object(row) for row in as_array(told))
    return {
        name: source
        for row in rows
        if (name := as_word(row.get("name"))) and (source := as_word(row.get("template")))
    }


def _special(config: JsonObject) -> dict[str, str]:
    """Give the special tokens; one that is not there is "", as most templates expect."""
    found: dict[str, str] = dict.fromkeys(_SPECIAL[:2], "")
    for name in _SPECIAL:
        told = config.get(name)
        if text := as_word(told) or as_word(as_object(told).get("content")):
            found[name] = text
    return found

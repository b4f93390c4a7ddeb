"""A request made ready: which dialect, what the upstream is asked, how its answer is read.

Laws: a request that cannot be meant is refused before the upstream hears of it; the client's own
is never changed; the same tools are the same objects, so that what is made of them is made once.

With no tools in a request, or with tool_choice "none", calls are not read: their marks stay text.
LMDeploy drops such a call, and the client loses what the model wrote.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agent.errors import ConfigError
from agent.providers.base import JsonObject
from parsing import (
    AUTO,
    Dialect,
    GrammarError,
    Options,
    ToolSpec,
    UnknownDialect,
    canonical_name,
    detect,
    dialect,
    dialect_for_model,
)
from parsing.registry import compiled
from ui.gateway.asked import Ask, BadRequest
from ui.gateway.enforce import Enforcer, Reasoning
from ui.gateway.heard import Prepared
from ui.gateway.prompt import chat_messages, in_order
from ui.gateway.servers import Server
from ui.gateway.settings import Settings
from ui.gateway.special_tokens import special_tokens
from ui.gateway.templates import ChatTemplate, load_template, opens_reasoning
from ui.gateway.thinking import begins_in_reasoning, may_reason, template_kwargs, thinking

DEFAULT_DIALECT = "hermes"
_READ_AS = {"cline-v2": "cline"}
"""Dialects that are another's old reading, faults included: models write what that other reads."""

_KEPT = 64
_NOT_SAMPLING = frozenset(
    ("model", "messages", "prompt", "stream", "tools", "tool_choice", "parallel_tool_calls")
)


class Preparer:
    """Prepares requests for one server; raises ConfigError for settings that do not fit it."""

    def __init__(self, settings: Settings, server: Server) -> None:
        self._settings = settings
        self._server = server
        self._enforcer = Enforcer(server, raw=settings.raw)
        self._tools: OrderedDict[str, tuple[ToolSpec, ...]] = OrderedDict()
        self._template = _template(settings, server)
        self._named = _named(settings)

    def prepare(self, ask: Ask) -> Prepared:
        """Make a request ready; raises BadRequest."""
        ask = replace(ask, said=in_order(ask.said))
        spoken = dialect(self.dialect_of(ask))
        calls = bool(ask.tools) and ask.choice != "none" and bool(spoken.shape.call)
        tools = self._same(ask.tools) if calls else ()
        prompt = self._prompt(ask, spoken)
        wanted = thinking(ask)
        begun = self._begun(ask, spoken, prompt, wanted=wanted)
        options = Options(
            profile="serving",
            starts_in_reasoning=begun,
            reasoning_as_text=wanted is False,
            calls=calls,
        )
        _readable(spoken, tools, options)
        reasoning = Reasoning(possible=may_reason(spoken, wanted=wanted, begun=begun), begun=begun)
        body = {
            **self._beside(ask, spoken, counted=reasoning.possible),
            **({"messages": self._messages(ask, spoken)} if prompt is None else {"prompt": prompt}),
            **self._enforcer.members(ask, spoken, tools if calls else ask.tools, reasoning),
        }
        return Prepared(body, spoken.name, tools, options, ask.parallel)

    def dialect_of(self, ask: Ask) -> str:
        """Give the name of the dialect that the model of a request writes."""
        if self._named is not None:
            return self._named
        if found := dialect_for_model(self._model(ask)):
            return found
        told = detect(self._template.with_tools) if self._template is not None else None
        return told or DEFAULT_DIALECT

    def _model(self, ask: Ask) -> str:
        """Give the first name of a request's model that says what it is, else "".

        A client may call any server's model as it likes: a name that the server serves counts
        before one that the client made up.
        """
        served = self._server.models
        sure = [self._settings.model, ask.model if ask.model in served else None]
        only = [served[0]] if len(served) == 1 else []
        names = [*filter(None, sure), *only, ask.model]
        return next(filter(dialect_for_model, names), "")

    def _messages(self, ask: Ask, spoken: Dialect) -> list[JsonObject]:
        return chat_messages(ask, spoken, reasoning=self._server.template_kwargs)

    def _prompt(self, ask: Ask, spoken: Dialect) -> str | None:
        """Write the prompt when it is written here; without the first token that servers add."""
        if self._template is None:
            return None
        text = self._template.render(ask, spoken, template_kwargs(ask))
        bos = self._template.special.get("bos_token", "")
        return text if self._server.bos_ours else text.removeprefix(bos)

    def _begun(self, ask: Ask, spoken: Dialect, prompt: str | None, *, wanted: bool | None) -> bool:
        if prompt is not None:
            return opens_reasoning(prompt, spoken.name)
        told = self._settings.reasoning
        return begins_in_reasoning(spoken, self._model(ask), wanted=wanted, told=told)

    def _beside(self, ask: Ask, spoken: Dialect, *, counted: bool) -> dict[str, Any]:
        """Give all of the body but what is to be answered; `counted` are tokens of reasoning."""
        server, raw = self._server, self._template is not None
        given = {name: one for name, one in ask.sampling.items() if name not in _NOT_SAMPLING}
        marks = special_tokens(spoken.name)
        body: dict[str, Any] = {"model": self._settings.model or ask.model}
        if ask.token_ids or (counted and not server.ids_on_wish):
            body |= server.token_ids
        if marks:
            body |= server.keeps_special
        if raw:
            body = _as_completion({**body, **given}, server)
            if server.preserves and marks:
                body["preserved_tokens"] = list(marks)
        else:
            body |= {**server.as_written, **given}
            kwargs = template_kwargs(ask) if server.template_kwargs else ask.template
            if kwargs:
                body["chat_template_kwargs"] = dict(kwargs)
        return body | {"stream": True, "stream_options": {"include_usage": True}}

    def _same(self, tools: Sequence[ToolSpec]) -> tuple[ToolSpec, ...]:
        """Give the tools that were read before from the same JSON, else these."""
        rows = [(tool.name, tool.description, dict(tool.parameters)) for tool in tools]
        key = json.dumps(rows, ensure_ascii=False)
        found = self._tools.setdefault(key, tuple(tools))
        self._tools.move_to_end(key)
        if len(self._tools) > _KEPT:
            self._tools.popitem(last=False)
        return found


def _named(settings: Settings) -> str | None:
    if settings.dialect == AUTO:
        return None
    try:
        named = canonical_name(settings.dialect)
    except UnknownDialect as fault:
        raise ConfigError(f"--dialect: {fault}") from None
    return _READ_AS.get(named, named)


def _template(settings: Settings, server: Server) -> ChatTemplate | None:
    if not settings.raw:
        return None
    if settings.chat_template is None:
        raise ConfigError(
            "--raw needs the model's chat template: add --chat-template with a .jinja file, a "
            "tokenizer_config.json, or the folder of the model's repository."
        )
    if not server.completes:
        raise ConfigError(
            f"--raw does not work with {server.kind}: it renders the prompt of a text completion "
            "by a template of its own. Start the gateway without --raw."
        )
    return load_template(settings.chat_template)


def _readable(spoken: Dialect, tools: tuple[ToolSpec, ...], options: Options) -> None:
    """Make the grammar now: tools that the dialect cannot tell are the client's to mend."""
    try:
        if spoken.readers is None:
            compiled(spoken, tools, options)
    except GrammarError as fault:
        raise BadRequest(
            f"these tools cannot be told in the model's dialect: {fault}", "tools"
        ) from None


def _as_completion(body: dict[str, Any], server: Server) -> dict[str, Any]:
    """Give the members of a chat as a text completion has them."""
    told = dict(body)
    length = told.pop("max_completion_tokens", None) or told.pop("max_tokens", None)
    logprobs, top = told.pop("logprobs", None), told.pop("top_logprobs", None)
    if logprobs:
        told["logprobs"] = top if isinstance(top, int) else 1
    return {**server.completion, **told, **({} if length is None else {"max_tokens": length})}

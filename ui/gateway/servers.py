"""The kinds of servers that write text, and what each takes beside Chat Completions.

Law: what a server is asked beyond the protocol stands in its row here, and nowhere else.

Where the rows come from:

- llama.cpp: `tools/server/README.md` (`grammar`, `preserved_tokens`, `reasoning_format`, `/props`)
  and `common_chat_params_parse`, which overwrites `preserved_tokens` in chat but not in text
  completion, and refuses a grammar beside `tools`.  Its OpenAI answers leave `return_tokens` out:
  a token's id stands in `logprobs.content`.
- vLLM: "Structured Outputs" of its documentation (`structured_outputs`; before 0.11 it was
  `guided_grammar`, which 0.12 refuses), and `ChatCompletionRequest` (`skip_special_tokens`,
  `spaces_between_special_tokens`, `return_token_ids`).
- SGLang: "Structured Outputs" (`ebnf`), and `ChatCompletionRequest` (`skip_special_tokens`,
  `separate_reasoning`, `return_token_ids`); it passes over `spaces_between_special_tokens`.
- LMDeploy: `ChatCompletionRequest`, and its pull request 4906 (`response_format` of the type
  `structural_tag`, since 0.17; XGrammar takes a whole grammar as the format of such a tag).
- Ollama renders a text completion's prompt by its own template (`FromCompleteRequest`).
- Ollama (issue 808), LM Studio ("Structured Output") and TGI ("Guidance") hold a decoder to JSON
  schemas and regular expressions alone, so to no call of a dialect.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agent.providers.base import JsonObject
from agent.providers.jsons import as_array, as_object, as_word
from agent.providers.settings import on_loopback
from ui.gateway.asked import BadRequest

if TYPE_CHECKING:
    import httpx

_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Server:
    """A kind of server, and the models that this one serves, as far as they are known.

    Members are those of a request's body.  `holds` gives the ones that hold the decoder to a
    grammar; `keeps_special` let special tokens stay in the text; `as_written` leaves reasoning and
    calls in it; `token_ids` asks for ids with each chunk; `completion` are for a text completion of
    which the client says no length, since most give sixteen tokens then.
    """

    kind: str
    holds: Callable[[str], JsonObject] | None = None
    holds_completions: bool = True  # as it holds chats
    taken: tuple[str, ...] = ()  # by a grammar of the client's own
    keeps_special: JsonObject = field(default_factory=dict[str, Any])
    as_written: JsonObject = field(default_factory=dict[str, Any])
    token_ids: JsonObject = field(default_factory=dict[str, Any])
    ids_on_wish: bool = False  # ids cost much, and only who asks for them gets them
    template_kwargs: bool = False
    completes: bool = True  # a text completion's prompt reaches the model as it is
    completion: JsonObject = field(default_factory=lambda: {"max_tokens": 4096})
    preserves: bool = False  # takes `preserved_tokens` in a text completion
    bos_ours: bool = False  # `completion` says that the prompt has the first token already
    models: tuple[str, ...] = ()


def _guided(grammar: str) -> JsonObject:
    return {"guided_grammar": grammar}


def _structural(grammar: str) -> JsonObject:
    tag = {"type": "structural_tag", "format": {"type": "grammar", "grammar": grammar}}
    return {"response_format": {"type": "structural_tag", "structural_tag": tag}}


_UNSPACED = {"skip_special_tokens": False, "spaces_between_special_tokens": False}
_IDS = {"return_token_ids": True}

PLAIN = Server("plain")
SERVERS: Mapping[str, Server] = {
    server.kind: server
    for server in (
        Server(
            "llamacpp",
            holds=lambda grammar: {"grammar": grammar},
            taken=("grammar", "json_schema"),
            as_written={"reasoning_format": "none", "parse_tool_calls": False},
            token_ids={"logprobs": True, "top_logprobs": 1},
            ids_on_wish=True,
            template_kwargs=True,
            completion={},
            preserves=True,
        ),
        Server(
            "vllm",
            holds=lambda grammar: {"structured_outputs": {"grammar": grammar}},
            taken=("structured_outputs", "guided_grammar", "guided_json", "guided_regex"),
            keeps_special=_UNSPACED,
            token_ids=_IDS,
            template_kwargs=True,
            completion={"max_tokens": None, "add_special_tokens": False},
            bos_ours=True,
        ),
        Server(
            "sglang",
            holds=lambda grammar: {"ebnf": grammar},
            taken=("ebnf", "regex"),
            keeps_special=_UNSPACED,
            as_written={"separate_reasoning": False},
            token_ids=_IDS,
            template_kwargs=True,
        ),
        Server(
            "lmdeploy",
            holds=_structural,
            holds_completions=False,
            keeps_special=_UNSPACED,
            token_ids=_IDS,
            template_kwargs=True,
            completion={"max_tokens": None},
        ),
        Server("ollama", completes=False),
        Server("lmstudio", completion={}),
        Server("tgi"),
        PLAIN,
    )
}

# Whom `/v1/models` names as a model's owner, and what else answers on its server alone.
_OWNERS = {"llamacpp": "llamacpp", "vllm": "vllm", "sglang": "sglang", "lmdeploy": "lmdeploy"}
_TELLTALES = (
    ("/props", "default_generation_settings", "llamacpp"),
    ("/get_model_info", "model_path", "sglang"),
    ("/api/v0/models", "data", "lmstudio"),
    ("/info", "model_id", "tgi"),
    ("/api/version", "version", "ollama"),
    ("/version", "version", "vllm"),
)


def server_called(kind: str) -> Server:
    """Give the row of a kind; raises ValueError for one that nobody knows."""
    found = SERVERS.get(kind.lower().replace(".", "").replace("-", "").replace("_", ""))
    if found is None:
        raise ValueError(f"no server is called {kind!r}; there are: {', '.join(SERVERS)}")
    return found


def api_base(upstream: str) -> str:
    """Give the address under which `/chat/completions` is, for a base URL with `/v1` or without."""
    bare = upstream.rstrip("/")
    return bare if bare.endswith("/v1") else f"{bare}/v1"


async def detected(
    upstream: str, *, headers: Mapping[str, str] | None = None, limit_s: float = 2.0
) -> Server:
    """Ask a server what it is; takes `limit_s` seconds at most, and raises nothing.

    Only the address given is asked.  Whoever says nothing of himself is plain.
    """
    import httpx

    local = on_loopback(upstream)
    base = api_base(upstream)
    try:
        async with (
            asyncio.timeout(limit_s),
            httpx.AsyncClient(
                headers=dict(headers or {}),
                timeout=limit_s,
                verify=not (local and base.startswith("http://")),
                trust_env=not local,
            ) as client,
        ):
            return await _told(client, base)
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, OSError, ValueError):
        return PLAIN


async def _told(client: httpx.AsyncClient, base: str) -> Server:
    listed = [as_object(one) for one in as_array((await _asked(client, base + "/models"))["data"])]
    models = tuple(name for one in listed if (name := as_word(one.get("id"))))
    owners = [str(one.get("owned_by")) for one in listed]
    kind = next((_OWNERS[owner] for owner in owners if owner in _OWNERS), None)
    root = base.removesuffix("/v1")
    if kind is None:
        kind = await _told_apart(client, root)
    found = replace(SERVERS[kind or "plain"], models=models)
    if kind == "vllm" and _before(str((await _asked(client, root + "/version")).get("version"))):
        return replace(found, holds=_guided)
    return found


def _before(version: str) -> bool:
    """Claim that a vLLM of this version does not know `structured_outputs` yet."""
    found = re.match(r"(\d+)\.(\d+)", version)
    return found is not None and (int(found[1]), int(found[2])) < (0, 11)


async def _told_apart(client: httpx.AsyncClient, root: str) -> str | None:
    answers = await asyncio.gather(
        *(_asked(client, root + path) for path, _, _ in _TELLTALES), return_exceptions=True
    )
    told = zip(_TELLTALES, answers, strict=True)
    return next(
        (kind for (_, key, kind), got in told if not isinstance(got, BaseException) and key in got),
        None,
    )


async def _asked(client: httpx.AsyncClient, url: str) -> JsonObject:
    async with client.stream("GET", url, headers={"accept": "application/json"}) as answer:
        body = b""
        async for piece in answer.aiter_bytes():
            body += piece
            if len(body) > _LARGEST:
                raise ValueError("too long")
    found: object = json.loads(body) if answer.is_success else None
    return {"data": [], **as_object(found)} if url.endswith("/v1/models") else as_object(found)


def held(server: Server, grammar: str, *, raw: bool = False) -> JsonObject:
    """Give the members that hold a decoder to a grammar; raises BadRequest where there are none."""
    if server.holds is None:
        able = ", ".join(kind for kind, row in SERVERS.items() if row.holds is not None)
        raise BadRequest(
            f"a tool call cannot be required here: the server behind this gateway ({server.kind}) "
            f'takes no grammar. Ask with tool_choice "auto", or, if it is one of {able}, start '
            "the gateway with --server and its name.",
            "tool_choice",
        )
    if raw and not server.holds_completions:
        raise BadRequest(
            f"a tool call cannot be required here: {server.kind} takes no grammar in a text "
            'completion. Ask with tool_choice "auto", or start the gateway without --raw.',
            "tool_choice",
        )
    return server.holds(grammar)

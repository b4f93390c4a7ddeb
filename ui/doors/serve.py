"""The door `serve`: native tool calls for a server that only writes text.

Law: who is not on this machine is asked for a key; no key is ever shown.
"""

from __future__ import annotations

import os
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

import click

from ui.cli_help import HELP_NAMES, Listed
from ui.doors import asked

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import TypeAlias

    from agent.providers.secret import Secret
    from ui.gateway.settings import Settings

    Serve: TypeAlias = Callable[[Settings, Callable[[int], None]], Coroutine[object, object, None]]

_EXTRA = {"h11", "jinja2", "prometheus_client", "starlette", "uvicorn"}
Level = Literal["error", "warning", "info"]

_HELP = """Serve OpenAI's and Anthropic's APIs with native tool calls in front of a server of text.

Usage:
  tagline serve --upstream http://127.0.0.1:8080                     any server with /v1/…
  tagline serve --upstream URL --dialect qwen3_coder                 calls in this dialect
  tagline serve --upstream URL --raw --chat-template template.jinja  prompts written here
  tagline serve --upstream URL --host 0.0.0.0 --api-key-env MY_KEY   for other machines too"""
_TAIL = """What clients find:
  POST /v1/chat/completions, /v1/responses, /v1/messages   streamed and whole
  GET  /v1/models, /health, /metrics

Exit codes:
  0         ended
  2         a bad option, or an address that cannot be listened at
  130, 143  ended by SIGINT or SIGTERM; open streams are told"""


class Said(TypedDict):
    """The options by name, as click gives them."""

    upstream: str
    dialect: str
    host: str
    port: int
    model: str | None
    server: str
    raw: bool
    chat_template: str | None
    reasoning: str | None
    api_key: str | None
    api_key_env: str | None
    api_key_file: str | None
    upstream_key_env: str | None
    max_streams: int
    max_body: int
    log_level: Level


@click.command(cls=asked.ByDialect, context_settings=HELP_NAMES, help=_HELP, epilog=_TAIL)
@click.option(
    "--upstream",
    metavar="URL",
    required=True,
    cls=Listed,
    help="where the server of text is, with /v1 or without",
)
@click.option(
    "--dialect",
    default="auto",
    metavar="NAME",
    cls=Listed,
    help="how calls are written; auto (default): as the model's name says",
)
@click.option("--host", default="127.0.0.1", metavar="HOST", cls=Listed, help="default: 127.0.0.1")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8484,
    metavar="PORT",
    cls=Listed,
    help="default: 8484; 0: any that is free",
)
@click.option(
    "--model",
    metavar="NAME",
    cls=Listed,
    help="the upstream's model (default: the one that the client names)",
)
@click.option(
    "--server",
    default="auto",
    metavar="KIND",
    cls=Listed,
    help="llamacpp, vllm, sglang, lmdeploy, ollama, …; auto (default): it is asked",
)
@click.option("--raw", is_flag=True, cls=Listed, help="write prompts here, for /v1/completions")
@click.option(
    "--chat-template",
    metavar="FILE",
    cls=Listed,
    help="the model's chat template, or the folder that has it (--raw)",
)
@click.option(
    "--reasoning",
    type=click.Choice(["on", "off"]),
    cls=Listed,
    help="whether answers begin in reasoning (default: as the dialect and the prompt say)",
)
@click.option(
    "--api-key",
    metavar="KEY",
    cls=Listed,
    help="the key that clients must show; others may see it in the list of processes",
)
@click.option(
    "--api-key-env", metavar="VAR", cls=Listed, help="the same, in a variable of the environment"
)
@click.option("--api-key-file", metavar="FILE", cls=Listed, help="the same, in a file")
@click.option(
    "--upstream-key-env",
    metavar="VAR",
    cls=Listed,
    help="the variable with the key that is shown to the upstream",
)
@click.option(
    "--max-streams",
    type=click.IntRange(min=1),
    default=256,
    metavar="N",
    cls=Listed,
    help="answers at once; more are told to come again (default: 256)",
)
@click.option(
    "--max-body",
    type=click.IntRange(min=1),
    default=8_000_000,
    metavar="BYTES",
    cls=Listed,
    help="the largest request (default: 8000000)",
)
@click.option(
    "--log-level",
    type=click.Choice(["error", "warning", "info"]),
    default="warning",
    cls=Listed,
    help="what is said on stderr (default: warning)",
)
def command(**said: Unpack[Said]) -> int:
    """Serve until a signal."""
    import asyncio
    import logging
    import sys

    from agent.errors import ConfigError
    from ui.exits import Complaint

    asked.tell_if_unused(said["dialect"])
    settings = _settings(said)
    level = getattr(logging, said["log_level"].upper())
    logging.basicConfig(level=level, stream=sys.stderr, format="tagline: %(message)s")
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)

    def listening(port: int) -> None:
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        about = f"upstream {settings.upstream}, dialect {settings.dialect}"
        print(f"listening on http://{host}:{port} ({about})", flush=True)

    try:
        asyncio.run(_serving()(settings, listening))
    except ConfigError as error:
        raise Complaint(str(error)) from error
    return 0


def _serving() -> Serve:
    """Give what serves, where the extra `serve` is installed."""
    from ui.exits import Complaint

    try:
        from ui.gateway.serving import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise Complaint(
            f"`tagline serve` needs the extra `serve`, and {error.name} is not installed. "
            "Expected: pip install 'tagline[serve]'"
        ) from error
    return serve


def _settings(said: Said) -> Settings:
    from ui.gateway.settings import Settings

    key = _client_key(said)
    _check_reach(said["host"], key)
    template, reasoning = said["chat_template"], said["reasoning"]
    return Settings(
        upstream=said["upstream"],
        dialect=_dialect(said["dialect"]),
        server=_server(said["server"]),
        model=said["model"],
        raw=said["raw"],
        chat_template=None if template is None else Path(template),
        reasoning=None if reasoning is None else reasoning == "on",
        upstream_key=_from_environment("--upstream-key-env", said["upstream_key_env"]),
        host=said["host"],
        port=said["port"],
        api_key=key,
        max_body_bytes=said["max_body"],
        max_streams=said["max_streams"],
    )


def _dialect(name: str) -> str:
    from parsing import AUTO, UnknownDialect, canonical_name
    from ui.exits import Complaint

    try:
        return AUTO if name.lower() == AUTO else canonical_name(name)
    except UnknownDialect as error:
        raise Complaint(str(error)) from error


def _server(kind: str) -> str:
    from parsing import AUTO
    from ui.exits import Complaint
    from ui.gateway.servers import server_called

    try:
        return AUTO if kind.lower() == AUTO else server_called(kind).kind
    except ValueError as error:
        raise Complaint(f"--server: {error}") from error


def _client_key(said: Said) -> Secret | None:
    from agent.providers.secret import Secret
    from ui.exits import Complaint
    from ui.streams import read_text

    bare, file = said["api_key"], said["api_key_file"]
    given = [one for one in (bare, said["api_key_env"], file) if one is not None]
    if len(given) > 1:
        raise Complaint("expected one of --api-key, --api-key-env and --api-key-file, found more")
    if file is not None:
        bare = read_text(file).strip()
    if bare is None:
        return _from_environment("--api-key-env", said["api_key_env"])
    if not bare:
        raise Complaint(f"{file or '--api-key'}: found nothing, expected a key")
    return Secret(bare)


def _from_environment(option: str, name: str | None) -> Secret | None:
    from agent.providers.secret import Secret
    from ui.exits import Complaint

    if name is None:
        return None
    if not (value := os.environ.get(name, "").strip()):
        raise Complaint(f"{option}: the environment has no {name}; expected a key in it")
    return Secret(value)


def _check_reach(host: str, key: Secret | None) -> None:
    """Refuse to listen beyond this machine without a key."""
    from ui.exits import Complaint

    try:
        near = ip_address(host).is_loopback
    except ValueError:
        near = host == "localhost"
    if not near and key is None:
        raise Complaint(
            f"--host {host} can be reached from other machines, so a key is needed. Set one with "
            "--api-key-env VAR or --api-key-file FILE, or listen at 127.0.0.1."
        )

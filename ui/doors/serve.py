"""The door `serve`: native tool calls for a server that only writes text.

Law: one line on stdout says that it listens; what else is said goes to stderr.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import click

from ui.cli_help import HELP_NAMES, Listed
from ui.doors import asked

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import TypeAlias

    from ui.doors.serving import Said
    from ui.gateway.settings import Settings

    Serve: TypeAlias = Callable[[Settings, Callable[[int], None]], Coroutine[object, object, None]]

_EXTRA = {"h11", "jinja2", "prometheus_client", "starlette", "uvicorn"}
_SECONDS = click.FloatRange(min=0, min_open=True)

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
    help="whether answers begin in reasoning (default: as dialect, model's name and prompt say)",
)
@click.option(
    "--api-key",
    metavar="KEY",
    cls=Listed,
    help="the key that clients must show; others may see it in the list of processes",
)
@click.option(
    "--api-key-env",
    metavar="VAR",
    cls=Listed,
    help="the same, in this variable (default: TAGLINE_GATEWAY_KEY, if it is set)",
)
@click.option("--api-key-file", metavar="FILE", cls=Listed, help="the same, in a file")
@click.option(
    "--upstream-key-env",
    metavar="VAR",
    cls=Listed,
    help="the key that the upstream is shown (default: TAGLINE_UPSTREAM_KEY, if it is set)",
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
    "--header-timeout",
    type=_SECONDS,
    default=10.0,
    metavar="S",
    cls=Listed,
    help="seconds for a request to come in (default: 10)",
)
@click.option(
    "--idle-timeout",
    type=_SECONDS,
    metavar="S",
    cls=Listed,
    help="seconds of silence in an answer, or of a client that takes nothing",
)
@click.option(
    "--first-token-timeout",
    type=_SECONDS,
    metavar="S",
    cls=Listed,
    help="seconds until the upstream begins to answer",
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
    from ui.doors.serving import settings_of
    from ui.exits import Complaint

    asked.tell_if_unused(said["dialect"])
    settings = settings_of(said)
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

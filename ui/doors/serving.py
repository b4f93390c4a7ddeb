"""What `tagline serve` was told, as the gateway's settings.

Law: who is not on this machine is asked for a key; no key is ever shown.
"""

from __future__ import annotations

import os
from ipaddress import ip_address
from pathlib import Path
from typing import Literal, TypedDict

from agent.providers.secret import Secret
from parsing import AUTO, UnknownDialect, canonical_name
from ui.exits import Complaint
from ui.gateway.servers import server_called
from ui.gateway.settings import Settings
from ui.streams import read_text

CLIENT_KEY, UPSTREAM_KEY = "TAGLINE_GATEWAY_KEY", "TAGLINE_UPSTREAM_KEY"
Level = Literal["error", "warning", "info"]


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
    header_timeout: float
    idle_timeout: float | None
    first_token_timeout: float | None
    log_level: Level


def settings_of(said: Said) -> Settings:
    """Make the settings; raises Complaint for options that cannot be meant."""
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
        upstream_key=_from_environment(
            "--upstream-key-env", said["upstream_key_env"], UPSTREAM_KEY
        ),
        host=said["host"],
        port=said["port"],
        api_key=key,
        max_body_bytes=said["max_body"],
        max_streams=said["max_streams"],
        header_timeout_s=said["header_timeout"],
        idle_timeout_s=said["idle_timeout"],
        first_token_timeout_s=said["first_token_timeout"],
    )


def _dialect(name: str) -> str:
    try:
        return AUTO if name.lower() == AUTO else canonical_name(name)
    except UnknownDialect as error:
        raise Complaint(str(error)) from error


def _server(kind: str) -> str:
    try:
        return AUTO if kind.lower() == AUTO else server_called(kind).kind
    except ValueError as error:
        raise Complaint(f"--server: {error}") from error


def _client_key(said: Said) -> Secret | None:
    bare, file = said["api_key"], said["api_key_file"]
    given = [one for one in (bare, said["api_key_env"], file) if one is not None]
    if len(given) > 1:
        raise Complaint("expected one of --api-key, --api-key-env and --api-key-file, found more")
    if file is not None:
        bare = read_text(file).strip()
    if bare is None:
        return _from_environment("--api-key-env", said["api_key_env"], CLIENT_KEY)
    if not bare:
        raise Complaint(f"{file or '--api-key'}: found nothing, expected a key")
    return Secret(bare)


def _from_environment(option: str, name: str | None, usual: str) -> Secret | None:
    if name is None:
        return Secret(value) if (value := os.environ.get(usual, "").strip()) else None
    if not (value := os.environ.get(name, "").strip()):
        raise Complaint(f"{option}: the environment has no {name}; expected a key in it")
    return Secret(value)


def _check_reach(host: str, key: Secret | None) -> None:
    """Refuse to listen beyond this machine without a key."""
    try:
        near = ip_address(host).is_loopback
    except ValueError:
        near = host == "localhost"
    if not near and key is None:
        raise Complaint(
            f"--host {host} can be reached from other machines, so a key is needed. Set one with "
            "--api-key-env VAR or --api-key-file FILE, or listen at 127.0.0.1."
        )

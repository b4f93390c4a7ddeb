"""How a gateway is set up, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agent.providers.secret import Secret
from parsing import AUTO


@dataclass(frozen=True, slots=True)
class Settings:
    """A gateway's configuration; times are in seconds.

    `upstream` is a base URL, with `/v1` at its end or without.  `dialect` and `server` are names or
    "auto".  `model` is the upstream's, whatever a client asks for; without it the client's word
    goes on.  With `raw` prompts are written here, by `chat_template` (a file or a model's folder).
    `reasoning` says whether answers begin in reasoning; without it the dialect and the prompt do.
    `api_key` is what clients must show, `upstream_key` what is shown to the upstream.  Without a
    number of their own `first_token_timeout_s` and `idle_timeout_s` are those usual for the place
    of the upstream; a client that takes nothing is dropped after `idle_timeout_s`, or a minute.
    """

    upstream: str
    dialect: str = AUTO
    server: str = AUTO
    model: str | None = None
    raw: bool = False
    chat_template: Path | None = None
    reasoning: bool | None = None
    upstream_key: Secret | None = None
    host: str = "127.0.0.1"
    port: int = 8484
    api_key: Secret | None = None
    max_body_bytes: int = 8_000_000
    max_streams: int = 256
    header_timeout_s: float = 10.0
    idle_timeout_s: float | None = None
    first_token_timeout_s: float | None = None
    keep_alive_s: float = 15.0  # between comments in a stream that has nothing to say

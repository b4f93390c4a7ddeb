"""How a gateway is set up, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from parsing import AUTO


@dataclass(frozen=True, slots=True)
class Settings:
    """A gateway's configuration.

    `upstream` is a base URL, with `/v1` at its end or without.  `dialect` and `server` are names or
    "auto".  `model` is the upstream's, whatever a client asks for; without it the client's word
    goes on.  With `raw` prompts are written here, by `chat_template` (a file or a model's folder).
    `reasoning` says whether answers begin in reasoning; without it the dialect and the prompt do.
    """

    upstream: str
    dialect: str = AUTO
    server: str = AUTO
    model: str | None = None
    raw: bool = False
    chat_template: Path | None = None
    reasoning: bool | None = None

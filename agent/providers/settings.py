"""What a provider is opened from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from agent.providers.secret import Secret


@dataclass(frozen=True, slots=True)
class Limits:
    """How long to wait, in seconds: for a connection, the first token, and the next one."""

    connect: float
    first_token: float
    idle: float


REMOTE = Limits(connect=10.0, first_token=600.0, idle=180.0)  # some think unheard for minutes
LOOPBACK = Limits(connect=5.0, first_token=1800.0, idle=600.0)  # a local prefill takes minutes


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Limits in seconds as the person set them; None is the default for the place."""

    connect: float | None = None
    first_token: float | None = None
    idle: float | None = None

    def at(self, *, loopback: bool) -> Limits:
        usual = LOOPBACK if loopback else REMOTE
        return Limits(
            connect=usual.connect if self.connect is None else self.connect,
            first_token=usual.first_token if self.first_token is None else self.first_token,
            idle=usual.idle if self.idle is None else self.idle,
        )


def _no_headers() -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """Which model, where, and how; `kind` is a row of `agent.providers.registry`."""

    kind: str = "openai"
    model: str | None = None
    base_url: str | None = None
    api_key: Secret | None = None
    timeouts: Timeouts = field(default_factory=Timeouts)
    extra_headers: Mapping[str, str] = field(default_factory=_no_headers, repr=False)
    context_window: int | None = None
    max_tokens: int | None = None
    thinking_tokens: int | None = None
    script: Path | None = None
    speed: float = 1.0


def on_loopback(url: str) -> bool:
    """Say whether a URL names this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False

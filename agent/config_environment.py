"""What the environment says: TAGLINE_*, and the names that model servers' own tools use.

Law: a vendor's key is read only for that vendor's provider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from agent.errors import ConfigError
from agent.providers.registry import ROWS

PREFIX = "TAGLINE_"
_NOT_KEYS = frozenset({"CONFIG", "STATE"})


def from_environment(
    environ: Mapping[str, str], names: Sequence[str], *providers: str | None
) -> dict[str, Any]:
    """Read the environment; `providers` are what the other layers say, the strongest last.

    Raises ConfigError at a TAGLINE_ name that looks like a misspelt key.
    """
    values = _ours(environ, names)
    told = [name for name in (*providers[:-1], values.get("provider"), *providers[-1:]) if name]
    provider = told[-1] if told else _guessed(environ)
    if provider is None:
        return values
    found = _theirs(environ, provider)
    if provider == "ollama" and "base_url" in found:
        found["base_url"] = ollama_url(found["base_url"])
    return {} if not (found or values) else {"provider": provider} | found | values


def _ours(environ: Mapping[str, str], names: Sequence[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in environ.items():
        key = name.removeprefix(PREFIX).lower()
        if not name.startswith(PREFIX) or key.upper() in _NOT_KEYS or not value:
            continue
        if key in names:
            values[key] = value
        elif near := get_close_matches(key, names, n=1, cutoff=0.8):
            raise ConfigError(f"Unknown variable {name}; did you mean {PREFIX}{near[0].upper()}?")
    return values


def _theirs(environ: Mapping[str, str], provider: str) -> dict[str, Any]:
    row = ROWS.get(provider)
    if row is None:
        return {}
    keys = [environ[name] for name in row.keys if environ.get(name)]
    urls = [environ[name] for name in row.urls if environ.get(name)]
    return {name: values[0] for name, values in (("api_key", keys), ("base_url", urls)) if values}


def _guessed(environ: Mapping[str, str]) -> str | None:
    return next((kind for kind in ROWS if _theirs(environ, kind)), None)


def ollama_url(host: str) -> str:
    """Make a base URL of what Ollama takes as its host: a host, a port, a URL, or parts of them."""
    scheme, _, rest = host.rpartition("://")
    rest = rest.strip("/")
    name, _, port = rest.rpartition(":") if rest.rpartition(":")[2].isdigit() else (rest, "", "")
    name = "127.0.0.1" if name in ("", "0.0.0.0") else name
    return f"{scheme or 'http'}://{name}:{port or '11434'}"

"""Providers opened from settings; nothing goes out until the first request."""

import asyncio
from importlib import import_module

from agent.errors import ConfigError
from agent.providers.base import Provider
from agent.providers.registry import ROWS, Row
from agent.providers.retry import Backoff, Retry, Sleep
from agent.providers.settings import ProviderSettings


def open_provider(
    settings: ProviderSettings, backoff: Backoff | None = None, *, sleep: Sleep = asyncio.sleep
) -> Provider:
    """Open the provider that the settings name, with retries; raises ConfigError."""
    row = ROWS.get(settings.kind)
    if row is None:
        raise ConfigError(
            f"There is no provider {settings.kind!r}. Known are {', '.join(sorted(ROWS))}; any "
            "other OpenAI-compatible server is 'openai' with its own base_url."
        )
    return Retry(_opened(settings, row), backoff, sleep=sleep)


def _opened(settings: ProviderSettings, row: Row) -> Provider:
    provider: Provider = import_module(row.module).opened(settings, row)
    return provider

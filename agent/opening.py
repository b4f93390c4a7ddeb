"""Opens the provider that a configuration names."""

from __future__ import annotations

from agent.config import Config
from agent.providers.base import Provider


def open_provider(config: Config) -> Provider:
    """Open it; raises ConfigError when something it needs was not told."""
    from agent.providers.open import open_provider as open_settings

    return open_settings(config.settings)

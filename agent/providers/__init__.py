"""Providers: models behind some wire, opened from settings, imported when first used."""

from importlib import import_module
from typing import TYPE_CHECKING

from agent.providers.base import (
    Attachment,
    CallPiece,
    Finished,
    JsonObject,
    Message,
    Provider,
    ReasoningPiece,
    Request,
    Retrying,
    StreamItem,
    TextPiece,
    Usage,
)

if TYPE_CHECKING:
    from agent.providers.discover import Found, discover
    from agent.providers.open import open_provider
    from agent.providers.retry import Retry
    from agent.providers.scripted import Scripted
    from agent.providers.secret import Secret
    from agent.providers.settings import ProviderSettings, Timeouts

__all__ = [
    "Attachment",
    "CallPiece",
    "Finished",
    "Found",
    "JsonObject",
    "Message",
    "Provider",
    "ProviderSettings",
    "ReasoningPiece",
    "Request",
    "Retry",
    "Retrying",
    "Scripted",
    "Secret",
    "StreamItem",
    "TextPiece",
    "Timeouts",
    "Usage",
    "discover",
    "open_provider",
]

_LATER = {
    "Found": "agent.providers.discover",
    "ProviderSettings": "agent.providers.settings",
    "Retry": "agent.providers.retry",
    "Scripted": "agent.providers.scripted",
    "Secret": "agent.providers.secret",
    "Timeouts": "agent.providers.settings",
    "discover": "agent.providers.discover",
    "open_provider": "agent.providers.open",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'agent.providers' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)

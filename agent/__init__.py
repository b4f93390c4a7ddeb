"""The agent: providers, the turn and the loop, prompts, sessions.

Law: knows nothing of screens.  The names below are imported when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.config import Config as Config
    from agent.config import load_config as load_config
    from agent.limits import Limits as Limits
    from agent.loop import Agent as Agent
    from agent.opening import open_provider as open_provider
    from agent.sessions.store import Session as Session
    from agent.sessions.store import Sessions as Sessions

_PLACES = {
    "Agent": "agent.loop",
    "Config": "agent.config",
    "Limits": "agent.limits",
    "Session": "agent.sessions.store",
    "Sessions": "agent.sessions.store",
    "load_config": "agent.config",
    "open_provider": "agent.opening",
}

__all__ = [
    "Agent",
    "Config",
    "Limits",
    "Session",
    "Sessions",
    "load_config",
    "open_provider",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module 'agent' has no attribute {name!r}")
    return getattr(importlib.import_module(_PLACES[name]), name)

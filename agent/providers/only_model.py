"""The model of a server that has only one: nobody needs to name it."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agent.errors import ConfigError, ProviderError, Rejected, Unreachable
from agent.providers.endpoint import target, url
from agent.providers.jsons import as_array, as_object, as_word
from agent.providers.registry import ROWS
from agent.providers.settings import ProviderSettings
from agent.providers.wire import Wire

_WITH_LISTS = "agent.providers.openai_compatible"
_LIMIT_S = 15.0
_SHOWN = 12
_NAME_IT = "Name one by --model or TAGLINE_MODEL."


async def with_model(settings: ProviderSettings) -> ProviderSettings:
    """Give the settings with a model: the one that is set, else the only one the server lists.

    Raises ConfigError when it lists none or several, and what a request raises.
    """
    row = ROWS.get(settings.kind)
    if (settings.model or "").strip() or row is None or row.module != _WITH_LISTS:
        return settings
    where = url(settings, row, "/models")
    key = settings.api_key
    headers = {"authorization": f"Bearer {key.reveal()}"} if key else {}
    wire = Wire(target(replace(settings, model="(none set)"), row, where, headers))
    try:
        async with asyncio.timeout(_LIMIT_S):
            names = _names(await wire.fetch())
    except TimeoutError:
        raise Unreachable(f"{where} did not answer within {_LIMIT_S:g} s.") from None
    except Rejected as fault:
        if fault.kind != "not_found":
            raise
        names = ()
    finally:
        await wire.aclose()
    if len(names) == 1:
        return replace(settings, model=names[0])
    raise ConfigError(f"No model is set, and {where} lists {_listed(names)}. {_NAME_IT}")


def _names(body: bytes) -> tuple[str, ...]:
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError):
        raise ProviderError(
            "The server's list of models is no JSON. Check base_url: for most OpenAI-compatible "
            f"servers it ends in /v1. No model is set. {_NAME_IT}"
        ) from None
    entries = map(as_object, as_array(as_object(value).get("data")))
    return tuple(name for entry in entries if (name := as_word(entry.get("id"))))


def _listed(names: Sequence[str]) -> str:
    if not names:
        return "none"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{len(names)}: {', '.join(names[:_SHOWN])}{more}"

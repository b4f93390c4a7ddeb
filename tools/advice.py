"""What the model is told, beside the outcome, about how it wrote a call."""

from __future__ import annotations

import html
import re

from parsing import ToolSpec, ToolUse
from tools.arguments import unknown
from tools.consent import Effect

_ENTITIES = re.compile(r"(?:&(?:amp|lt|gt|quot|apos|#39|#x27);)+")


def entities(command: object) -> str | None:
    """Give the first entities in a command; nothing decodes them, so they are rarely meant."""
    found = _ENTITIES.search(command) if isinstance(command, str) else None
    return found[0] if found else None


def advice(use: ToolUse, effect: Effect, spec: ToolSpec) -> list[str]:
    """Give the notes on a call, a line each."""
    notes = [f"Note: the call was read leniently: {slip}." for slip in use.repaired]
    if use.partial or use.fault is not None:
        return notes
    if ignored := unknown(use.params, spec):
        notes.append(f"Note: {spec.name} has no parameter {', '.join(ignored)}; it was ignored.")
    if effect is Effect.RUN and (found := entities(use.params.get("command"))):
        notes.append(
            f"Note: the command holds {found} and was taken exactly so. If {html.unescape(found)} "
            f"was meant, send it again with {html.unescape(found)}."
        )
    return notes

"""What the model is told, beside the outcome, about how it wrote a call."""

from __future__ import annotations

import html
import re

from parsing import ToolUse
from tools.arguments import unknown
from tools.consent import Effect
from tools.tool import AnyTool

_ENTITIES = re.compile(r"(?:&(?:amp|lt|gt|quot|apos|#39|#x27);)+")


def entities(command: object) -> str | None:
    """Give the first entities in a command; nothing decodes them, so they are rarely meant."""
    found = _ENTITIES.search(command) if isinstance(command, str) else None
    return found[0] if found else None


def advice(use: ToolUse, tool: AnyTool | None) -> list[str]:
    """Give the notes on a call, a line each."""
    notes = [f"Note: the call was read leniently: {slip}." for slip in use.repaired]
    if tool is None or use.partial or use.fault is not None:
        return notes
    if ignored := unknown(use.params, tool.spec()):
        notes.append(f"Note: {tool.name} has no parameter {', '.join(ignored)}; it was ignored.")
    if tool.effect is Effect.RUN and (found := entities(use.params.get("command"))):
        notes.append(
            f"Note: the command holds {found} and was taken exactly so. If {html.unescape(found)} "
            f"was meant, send it again with {html.unescape(found)}."
        )
    return notes

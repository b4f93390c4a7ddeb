"""How the result of a tool use is headed in the next message to the model."""

from __future__ import annotations

from parsing import ToolUse

_SUBJECTS = ("path", "command", "question", "regex", "url")
_LONGEST = 200


def heading(use: ToolUse) -> str:
    """Give `[tool for 'subject'] Result:`, the subject on one line."""
    params = use.params
    found = next((params[key] for key in _SUBJECTS if isinstance(params.get(key), str)), None)
    if not found:
        return f"[{use.name}] Result:"
    subject = " ".join(str(found).split())
    if len(subject) > _LONGEST:
        subject = subject[:_LONGEST] + "…"
    return f"[{use.name} for '{subject}'] Result:"

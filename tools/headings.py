"""How the result of a tool use is headed in the next message to the model."""

from __future__ import annotations

from parsing import ToolUse

_SUBJECTS = ("regex", "path", "command", "question", "url")
_LONGEST = 200


def heading(use: ToolUse) -> str:
    """Give `[tool for 'subject'] Result:`, the subject on one line."""
    params = use.params
    found = [_line(params[key]) for key in _SUBJECTS if isinstance(params.get(key), str)]
    subject = f" for {' in '.join(found[:2])}" if found else ""
    return f"[{use.name}{subject}] Result:"


def _line(value: str) -> str:
    line = " ".join(value.split())
    return f"'{line if len(line) <= _LONGEST else line[:_LONGEST] + '…'}'"

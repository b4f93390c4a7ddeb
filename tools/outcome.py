"""What came of one tool use, and how it is headed: the model's text apart from the person's."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from parsing import ToolUse

_SUBJECTS = ("regex", "path", "command", "question", "url")
_LONGEST = 200


class OutcomeKind(StrEnum):
    """How a tool use ended."""

    DONE = "done"
    COMPLETED = "completed"  # the task is finished, says the model
    ANSWERED = "answered"  # a person answered a question
    REFUSED = "refused"  # the person said no
    INVALID = "invalid"  # never run: unknown, cut off, or its parameters do not fit
    UNCHANGED = "unchanged"  # an edit that would change nothing
    FAILED = "failed"  # run, and it did not work


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of one tool use.

    `failed` is told by the tool: a command that exits with 7 ran well.  `diff` is unified;
    `exit_code` is that of a command (negative: the signal that ended it).
    """

    for_model: str
    for_person: str = ""
    failed: bool = False
    kind: OutcomeKind = OutcomeKind.DONE
    diff: str | None = None
    exit_code: int | None = None


def heading(use: ToolUse) -> str:
    """Give `[tool for 'subject'] Result:`, the subject on one line."""
    params = use.params
    found = [_line(params[key]) for key in _SUBJECTS if isinstance(params.get(key), str)]
    subject = f" for {' in '.join(found[:2])}" if found else ""
    return sound(f"[{' '.join(use.name.split())}{subject}] Result:")


def _line(value: str) -> str:
    line = " ".join(value.split())
    return f"'{line if len(line) <= _LONGEST else line[:_LONGEST] + '…'}'"


def sound(text: str) -> str:
    """Give text that any encoding of Unicode can carry: no halves of surrogate pairs."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

"""The task of a headless run: the words of the command line, and what is piped in."""

from __future__ import annotations

import select
import sys

from ui.streams import decoded, is_terminal, standard_input

_MOST = 1 << 20  # bytes; more than a model's window takes
_PATIENCE_S = 3.0


def task_of(words: str | None) -> str | None:
    """Join the words and standard input; None when there is neither."""
    told = None if words == "-" else words
    piped = _piped(told)
    if told and piped.strip():
        return f"{told}\n\n<stdin>\n{piped.rstrip()}\n</stdin>"
    return told or piped.strip() or None


def _piped(told: str | None) -> str:
    """Read standard input to its end, unless a person sits there."""
    if is_terminal(sys.stdin):
        return ""
    try:
        if told and not select.select([sys.stdin], [], [], _PATIENCE_S)[0]:
            print(
                "tagline: waiting for the end of standard input (</dev/null skips it)",
                file=sys.stderr,
            )
        data = standard_input(_MOST)
    except (OSError, ValueError):  # closed, or nothing that can be read
        return ""
    return decoded(data, "standard input")

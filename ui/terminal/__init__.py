"""The interactive terminal.

Law: the scrollback is the person's own; only the open end of the screen is drawn again.
"""

from __future__ import annotations

from ui.options import Options


def run(options: Options) -> int:
    """Hold a session with the person at this terminal, and give the exit code."""
    from ui.terminal.door import run as run_session

    return run_session(options)

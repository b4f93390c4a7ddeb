"""The garbage collector rests while a run starts: what imports make stays for good.

Law: it works again from the first thing that is heard of the model on.
"""

from __future__ import annotations

import gc

from agent.events import Event, TaskStarted, TurnStarted


class Warming:
    """The time from here to the model's first word."""

    def __init__(self) -> None:
        gc.disable()

    def hear(self, event: Event) -> None:
        """End it at the first event that is no beginning of ours."""
        if not isinstance(event, TaskStarted | TurnStarted) and not gc.isenabled():
            gc.freeze()
            gc.enable()

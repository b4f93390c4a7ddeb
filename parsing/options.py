"""What a request asks of a reading: the profile, whether reasoning is read, and where it begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Profile = Literal["agent", "serving"]
PROFILES: tuple[Profile, ...] = ("agent", "serving")


@dataclass(frozen=True, slots=True)
class Options:
    """How one message is read.

    `agent` is for whoever runs the calls: text is trimmed, tool markup in reasoning is prose,
    slips are read leniently.  `serving` is for whoever passes them on (LMDeploy's contract): text
    is exact, a call in reasoning is a call, unknown names leave no trace.
    """

    profile: Profile = "agent"
    starts_in_reasoning: bool | None = None  # None: as the dialect's template has it
    reasoning: bool = True  # tags of reasoning are read
    reasoning_as_text: bool = False  # what they enclose is told as text (thinking turned off)
    calls: bool = True  # tags of tools are read (tool_choice is not "none")

    @property
    def serving(self) -> bool:
        return self.profile == "serving"


AGENT = Options()

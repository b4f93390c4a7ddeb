"""What the agent tells whoever listens, as it happens; a closed union.

Law: an event is a fact of the past.  Nothing is asked through an event, and a listener that
does nothing changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # the types are the floors' own; at run time an event needs none of them
    from agent.providers.base import Usage
    from parsing import Block, ToolUse
    from tools import Decision, Outcome, Request

Status = Literal["completed", "failed", "limit", "interrupted", "needs_approval", "no_tool_used"]


@dataclass(frozen=True, slots=True)
class End:
    """How a task ended; `exit_code` is what the command `tagline` gives back for it."""

    status: Status
    result: str
    exit_code: int
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class TaskStarted:
    """A task was given; told once per run, also when a session is continued."""

    session_id: str
    task: str
    model: str
    dialect: str
    mode: str


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A request is about to be sent; turns are numbered from 1 within a session."""

    number: int


@dataclass(frozen=True, slots=True)
class TextGrew:
    """`text` came in addition to what was told of block `index` before."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class ReasoningGrew:
    """`text` came in addition; reasoning of the provider's own channel has index -1."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class UseGrew:
    """A tool use as far as it came: to be shown, never to be acted on."""

    index: int
    call_id: str
    use: ToolUse


@dataclass(frozen=True, slots=True)
class BlockClosed:
    """Block `index` will not change again; `call_id` is given for tool uses."""

    index: int
    block: Block
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class CallAsked:
    """A call waits for consent: what it would do is in `request`."""

    call_id: str
    request: Request


@dataclass(frozen=True, slots=True)
class CallDecided:
    """Consent was given or refused."""

    call_id: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class CallStarted:
    """Told, and recorded, before the call has any effect."""

    call_id: str
    use: ToolUse


@dataclass(frozen=True, slots=True)
class CallOutput:
    """A running call wrote something."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class CallFinished:
    """A call was run, or refused; its outcome is recorded."""

    call_id: str
    use: ToolUse
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class CallSkipped:
    """A call that was not run, and `why` as the model is told."""

    call_id: str
    use: ToolUse
    why: str


@dataclass(frozen=True, slots=True)
class UsageTold:
    """The provider counted tokens."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class Retried:
    """A request failed and is sent again after `delay_s` seconds.

    `most` is how often that is done, 0 when it is not known; `count` and `when` are
    its words, the same at every door.
    """

    attempt: int
    delay_s: float
    why: str
    most: int = 0

    @property
    def count(self) -> str:
        return f"attempt {self.attempt}" + (f" of {self.most}" if self.most else "")

    @property
    def when(self) -> str:
        return f"in {self.delay_s:.1f} s" if self.delay_s >= 0.05 else "now"


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something the person should know; `kind` is one word for programs."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Diverged:
    """The two modes read a message differently; the task goes on with the reparse."""

    report: str
    saved_to: Path | None


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """`finish` is the provider's reason, or "broken" or "interrupted" when none came."""

    number: int
    finish: str


@dataclass(frozen=True, slots=True)
class TaskFinished:
    """The last event of a run."""

    end: End


Event = (
    TaskStarted
    | TurnStarted
    | TextGrew
    | ReasoningGrew
    | UseGrew
    | BlockClosed
    | CallAsked
    | CallDecided
    | CallStarted
    | CallOutput
    | CallFinished
    | CallSkipped
    | UsageTold
    | Retried
    | Noticed
    | Diverged
    | TurnFinished
    | TaskFinished
)

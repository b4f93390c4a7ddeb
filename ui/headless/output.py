"""The three ways to write a run: text, one JSON object, or a JSON object a line.

Law: standard output holds the answer (or the JSON) and nothing else; progress goes to standard
error.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from agent.events import (
    BlockClosed,
    CallFinished,
    Event,
    ReasoningGrew,
    Retried,
    TaskFinished,
    TaskStarted,
    TextGrew,
    TurnFinished,
    TurnStarted,
    UsageTold,
)
from ui.headless.tally import Tally
from ui.options import OutputFormat
from ui.sanitise import one_line, visible

if TYPE_CHECKING:
    from agent.events import End
    from ui.headless.envelope import Envelope
    from ui.plain.screen import PlainScreen

_REMINDED = "The model used no tool; it is reminded of them, and what it said is kept."
_WHY_4 = (
    "exit code 4: the model answered without a tool and never called attempt_completion, so its "
    "work may be unfinished. Ask again, or try another model."
)


class Output(Protocol):
    """Hears a run and writes it."""

    def hear(self, event: Event) -> None: ...

    def finish(self, end: End) -> None: ...


class TextOutput:
    """The answer alone on standard output, the page on standard error."""

    def __init__(self) -> None:
        self._screen: PlainScreen | None = None
        self._held: list[Event] = []  # prose that is the answer itself unless a call follows

    @property
    def _page(self) -> PlainScreen:
        """The page, which is imported when the first line is written: behind the request."""
        from ui.plain.screen import PlainScreen

        self._screen = self._screen or PlainScreen(sys.stderr)
        return self._screen

    def hear(self, event: Event) -> None:
        """Write progress; the answer itself is kept for the end."""
        match event:
            case TextGrew():
                self._held.append(event)
            case TurnStarted() if self._held:
                self._page.say((("class:dim", _REMINDED),))
            case TaskFinished() | TaskStarted() | TurnStarted() | TurnFinished() | UsageTold():
                pass  # they write nothing, or come at the end
            case Retried(why=why):
                self._release()
                words = f"trying again {event.when} ({event.count}): {one_line(why, 400)}"
                self._page.say((("class:warn", words),))
            case ReasoningGrew():
                self._page.hear(event)
            case BlockClosed(call_id=None):
                self._held.append(event)
            case _:
                self._release()
                if not _completes(event):
                    self._page.hear(event)

    def finish(self, end: End) -> None:
        """Write the answer, or why there is none."""
        if end.status == "no_tool_used":
            self._held.clear()
        self._release()
        match end.status:
            case "interrupted":
                self._page.say((("class:warn", end.result),))
            case "completed" | "no_tool_used":
                print(visible(end.result), flush=True)
            case _:
                self._page.hear(TaskFinished(end))
        if end.status == "no_tool_used":
            print(f"tagline: {_WHY_4}", file=sys.stderr)

    def _release(self) -> None:
        held, self._held = self._held, []
        for event in held:
            self._page.hear(event)


class JsonOutput:
    """One JSON object at the end, or every line as it happens."""

    def __init__(self, envelope: Envelope, tally: Tally, *, stream: bool) -> None:
        self._envelope = envelope
        self._tally = tally
        self._stream = stream

    def hear(self, event: Event) -> None:
        """Write the lines an event is worth; the last one waits for the end."""
        self._tally.hear(event)
        if isinstance(event, TaskFinished):
            return
        for line in self._envelope.lines(event):
            if self._stream:
                print(line.as_line(), flush=True)

    def finish(self, end: End) -> None:
        """Write the result."""
        print(self._envelope.ended(end).as_line(), flush=True)


def output_for(form: OutputFormat, cwd: Path, *, allow_all: bool) -> Output:
    """Choose how the run is written."""
    if form == "text":
        return TextOutput()
    from tools import default_tools
    from ui.headless.envelope import Envelope

    tally = Tally()
    envelope = Envelope(cwd, default_tools().names, "allow_all" if allow_all else "ask", tally)
    return JsonOutput(envelope, tally, stream=form == "stream-json")


def _completes(event: Event) -> bool:
    if not isinstance(event, CallFinished):
        return False
    from tools import OutcomeKind

    return event.outcome.kind is OutcomeKind.COMPLETED

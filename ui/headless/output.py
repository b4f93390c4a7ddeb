"""The three ways to write a run: text, one JSON object, or a JSON object a line.

Law: standard output holds the answer (or the JSON) and nothing else; progress goes to standard
error.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from agent.events import CallFinished, Event, TaskFinished, TaskStarted, TurnStarted
from ui.headless.tally import Tally
from ui.options import OutputFormat
from ui.sanitise import visible

if TYPE_CHECKING:
    from agent.events import End
    from ui.headless.envelope import Envelope
    from ui.plain.screen import PlainScreen

_ANSWERS = ("completed", "no_tool_used")  # ends whose result is the assistant's own words


class Output(Protocol):
    """Hears a run and writes it."""

    def hear(self, event: Event) -> None: ...

    def finish(self, end: End) -> None: ...


class TextOutput:
    """The answer alone on standard output, the page on standard error."""

    def __init__(self) -> None:
        self._screen: PlainScreen | None = None

    @property
    def _page(self) -> PlainScreen:
        """The page, which is imported when the first line is written: behind the request."""
        from ui.plain.screen import PlainScreen

        self._screen = self._screen or PlainScreen(sys.stderr)
        return self._screen

    def hear(self, event: Event) -> None:
        """Write progress; the answer itself is kept for the end."""
        if self._screen is None and isinstance(event, TaskStarted | TurnStarted):
            return  # they write nothing
        if not isinstance(event, TaskFinished) and not _completes(event):
            self._page.hear(event)

    def finish(self, end: End) -> None:
        """Write the answer, or why there is none."""
        if end.status == "interrupted":
            self._page.say((("class:warn", end.result),))
            return
        if end.status not in _ANSWERS:
            self._page.hear(TaskFinished(end))
            return
        if end.status == "no_tool_used":
            self._page.hear(TaskFinished(replace(end, result="")))
        print(visible(end.result), flush=True)


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

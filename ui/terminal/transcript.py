"""The events of a task, read as a page."""

from __future__ import annotations

from agent.events import (
    BlockClosed,
    CallAsked,
    CallDecided,
    CallFinished,
    CallOutput,
    CallSkipped,
    CallStarted,
    Diverged,
    Event,
    Noticed,
    ReasoningGrew,
    Retried,
    TaskFinished,
    TaskStarted,
    TextGrew,
    TurnFinished,
    TurnStarted,
    UseGrew,
)
from parsing import ToolUse
from ui.sanitise import one_line
from ui.terminal.endings import end_lines
from ui.terminal.page import Page
from ui.terminal.rows import message, seconds
from ui.terminal.styles import Line


class Transcript(Page):
    """A page that hears."""

    def hear(self, event: Event) -> None:
        """Take one event in."""
        hear(self, event)


def hear(page: Page, event: Event) -> None:
    """Write one event on the page."""
    page.touch()
    match event:
        case TextGrew(_, text):
            page.grow("text", text)
        case ReasoningGrew(_, text):
            page.grow("reasoning", text)
        case UseGrew(_, call_id, use):
            page.row(call_id, use)
        case BlockClosed(_, block, call_id):
            page.end_prose()
            if call_id and isinstance(block, ToolUse):
                page.row(call_id, block).state = "waiting"
        case Retried() | Noticed() | Diverged():
            page.say(_notice(page, event))
        case TaskStarted() | TurnStarted() | TurnFinished() | TaskFinished():
            _task(page, event)
        case _:
            _call(page, event)


def _task(page: Page, event: TaskStarted | TurnStarted | TurnFinished | TaskFinished) -> None:
    match event:
        case TurnStarted():
            page.wait_for("waiting for the model")
        case TaskFinished(end):
            page.end()
            page.say(end_lines(end, page.look, page.columns))
        case _:
            page.wait_for("")


def _call(page: Page, event: Event) -> None:
    match event:
        case CallAsked(call_id, _):
            page.set_state(call_id, "asking")
        case CallDecided(call_id, _):
            page.set_state(call_id, "waiting")
        case CallStarted(call_id, use):
            page.begin(call_id, use)
        case CallOutput(call_id, text):
            page.put_out(call_id, text)
        case CallFinished(call_id, use, outcome):
            page.finish(call_id, use, outcome)
        case CallSkipped(call_id, use, why):
            page.skip(call_id, use, why)
        case _:
            pass  # usage is told elsewhere


def _notice(page: Page, event: Retried | Noticed | Diverged) -> list[Line]:
    sign = "!"
    match event:
        case Retried(attempt, delay_s, why):
            text = f"trying again in {seconds(delay_s)} (attempt {attempt}): {why}"
            sign = page.look.retry
        case Noticed(_, text):
            pass
        case Diverged(_, saved_to):
            where = f"; saved to {saved_to}" if saved_to else ""
            text = f"the two parser modes read this message differently{where}"
    return message("class:warn", sign, one_line(text, 400), page.columns, "dim")

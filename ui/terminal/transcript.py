"""What was told, as lines: finished ones are handed out once, the open end can be looked at.

Law: every text of a model, a tool or a file passes the sanitiser here, and no line that was
handed out changes again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

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
from ui.sanitise import one_line
from ui.terminal.cells import clip
from ui.terminal.endings import end_lines, finished_lines, skipped_line
from ui.terminal.prose import Prose
from ui.terminal.rows import Row, message, seconds
from ui.terminal.styles import Glyphs, Line, plain, shown

if TYPE_CHECKING:
    from parsing import ToolUse

Clock = Callable[[], float]
_INDENT = "  "


class Transcript:
    """The events of a task, read as a page."""

    def __init__(self, look: Glyphs, clock: Clock, columns: Callable[[], int]) -> None:
        self._look = look
        self._clock = clock
        self._columns = columns
        self._done: list[Line] = []
        self._prose: Prose | None = None
        self._channel = ""
        self._rows: dict[str, Row] = {}
        self._since = clock()
        self._waiting = ""
        self._spaced = True
        self._after_row = False  # the last line is a call's only one: the next call may follow

    def take(self) -> list[Line]:
        """Hand out the lines finished since the last time."""
        done, self._done = self._done, []
        return done

    def say(self, lines: list[Line], *, spaced: bool = True) -> None:
        """Put lines of our own on the page, after what is open."""
        self._end_prose()
        self._put(lines, spaced=spaced)

    def hear(self, event: Event) -> None:
        """Take one event in."""
        match event:
            case TextGrew(_, text):
                self._grow("text", text)
            case ReasoningGrew(_, text):
                self._grow("reasoning", text)
            case UseGrew(_, call_id, use):
                self._row(call_id, use)
            case BlockClosed():
                self._close(event)
            case TurnStarted() | TurnFinished() | TaskStarted():
                self._turn(event)
            case TaskFinished(end):
                self.end()
                self._put(end_lines(end, self._look, self._columns()))
            case Retried() | Noticed() | Diverged():
                self._notice(event)
            case _:
                self._end_prose()
                self._call(event)

    def mark_shown(self, call_id: str) -> None:
        """Remember that the person saw in whole what this call will do."""
        if row := self._rows.get(call_id):
            row.shown = True

    def live(self, rows: int) -> list[Line]:
        """Give the open end of the page in at most `rows` lines."""
        now, columns = self._clock(), self._columns()
        sign = self._look.spinner[int(now * 10) % len(self._look.spinner)]
        lines: list[Line] = []
        if self._prose:
            lines += self._prose.open_lines(columns, rows)
        for row in self._rows.values():
            if not row.asked:  # the question stands there instead
                lines += row.live(sign, now, columns, self._look)
        if self._waiting and not lines and not self._rows:
            dot, span = self._look.dot, seconds(now - self._since)
            note = f" {self._waiting} {dot} {span} {dot} Ctrl-C interrupts"
            lines = [(("class:accent", sign), ("class:dim", clip(note, columns - 2)))]
        return lines[-rows:]

    def _grow(self, channel: str, text: str) -> None:
        if self._channel != channel:
            self._end_prose()
            if not text.strip():
                return
            self._space()
            self._waiting = "writing"
            name, indent = ("reasoning", _INDENT) if channel == "reasoning" else ("", "")
            self._prose, self._channel = Prose(name, indent), channel
        if self._prose:
            self._put(self._prose.feed(shown(text), self._columns()), spaced=False)

    def _end_prose(self) -> None:
        if self._prose:
            prose, self._prose, self._channel = self._prose, None, ""
            self._put(prose.close(self._columns()), spaced=False)

    def _close(self, event: BlockClosed) -> None:
        self._end_prose()
        from parsing import ToolUse

        if event.call_id and isinstance(event.block, ToolUse):
            self._row(event.call_id, event.block).state = "waiting"

    def _row(self, call_id: str, use: ToolUse) -> Row:
        self._end_prose()
        row = self._rows.setdefault(call_id, Row(use, self._clock()))
        row.use = use
        return row

    def _turn(self, event: TurnStarted | TurnFinished | TaskStarted) -> None:
        self._end_prose()
        if isinstance(event, TurnStarted):
            self._since, self._waiting = self._clock(), "waiting for the model"
        elif isinstance(event, TurnFinished):
            self._waiting = ""

    def _call(self, event: Event) -> None:
        match event:
            case CallAsked(call_id, _):
                self._state(call_id, "asking")
            case CallDecided(call_id, _):
                self._state(call_id, "waiting")
            case CallStarted(call_id, use):
                begun = self._row(call_id, use)
                begun.state, begun.since = "running", self._clock()
            case CallOutput(call_id, text):
                if call_id in self._rows:
                    self._rows[call_id].tail.feed(text)
            case CallFinished(call_id, use, outcome):
                row = self._rows.pop(call_id, Row(use, self._clock()))
                span = self._clock() - row.since
                lines = finished_lines(row, outcome, span, self._columns(), self._look)
                tight = row.shown or (len(lines) == 1 and self._after_row)
                self._put(lines, spaced=not tight)
                self._after_row = len(lines) == 1
            case CallSkipped(call_id, use, why):
                self._rows.pop(call_id, None)
                self._put([skipped_line(use, why, self._columns(), self._look)])
            case _:
                pass

    def _state(self, call_id: str, state: str) -> None:
        if row := self._rows.get(call_id):
            row.state = state

    def _notice(self, event: Retried | Noticed | Diverged) -> None:
        self._end_prose()
        match event:
            case Retried(attempt, delay_s, why):
                text = f"trying again in {seconds(delay_s)} (attempt {attempt}): {why}"
                sign = self._look.retry
            case Noticed(_, text):
                sign = "!"
            case Diverged(_, saved_to):
                where = f"; saved to {saved_to}" if saved_to else ""
                text = f"the two parser modes read this message differently{where}"
                sign = "!"
        self._put(message("class:warn", sign, one_line(text, 400), self._columns(), "dim"))

    def end(self) -> None:
        """Close everything that is open."""
        self._end_prose()
        self._waiting = ""
        self._rows.clear()

    def _space(self) -> None:
        if not self._spaced:
            self._done.append(plain(""))
            self._spaced = True

    def _put(self, lines: list[Line], *, spaced: bool = True) -> None:
        if not lines:
            return
        if spaced:
            self._space()
        self._done += lines
        self._spaced = self._after_row = False

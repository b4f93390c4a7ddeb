"""A page as lines: finished ones are handed out once, the open end can be looked at.

Law: every text of a model, a tool or a file passes the sanitiser here, and no line that was
handed out changes again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ui.terminal.cells import clip, width
from ui.terminal.endings import finished_lines, skipped_lines
from ui.terminal.fold import fold
from ui.terminal.prose import Prose
from ui.terminal.rows import Row, seconds
from ui.terminal.styles import Glyphs, Line, plain, shown

if TYPE_CHECKING:
    from parsing import ToolUse
    from tools import Outcome

Clock = Callable[[], float]
_INDENT = "  "
_SILENT = 2.0  # seconds without news after which that is said


class Page:
    """Prose, calls and lines of our own, in the order in which they came."""

    def __init__(self, look: Glyphs, clock: Clock, columns: Callable[[], int]) -> None:
        self.look = look
        self._clock = clock
        self._columns = columns
        self._done: list[Line] = []
        self._prose: Prose | None = None
        self._channel = ""
        self._rows: dict[str, Row] = {}
        self._since = clock()
        self._waiting = ""
        self._came = False  # something of the answer came since the waiting began
        self._heard = self._since
        self._spaced = True
        self._after_row = False  # the last line is a call's only one: the next call may follow

    @property
    def columns(self) -> int:
        return self._columns()

    def take(self) -> list[Line]:
        """Hand out the lines finished since the last time."""
        done, self._done = self._done, []
        return done

    def say(self, lines: list[Line]) -> None:
        """Put whole lines on the page, after what is open; what is too wide is folded."""
        self.end_prose()
        self._put(fold(lines, self.columns), spaced=True)

    def mark_shown(self, call_id: str) -> None:
        """Remember that the person saw in whole what this call will do."""
        if row := self._rows.get(call_id):
            row.shown = True

    def live(self, rows: int) -> list[Line]:
        """Give the open end of the page in at most `rows` lines."""
        now, columns = self._clock(), self.columns
        sign = self.look.spinner[int(now * 10) % len(self.look.spinner)]
        lines: list[Line] = []
        if self._prose:
            lines += self._prose.open_lines(columns, rows)
        for row in self._rows.values():
            if not row.asked:  # the question stands there instead
                lines += row.live(sign, now, columns, self.look)
        if note := self._waiting_note(now, columns, open_end=bool(lines)):
            lines.append((("class:accent", sign), ("class:dim", note)))
        return lines[-rows:]

    def touch(self) -> None:
        """Remember that something came just now."""
        self._heard = self._clock()

    def _waiting_note(self, now: float, columns: int, *, open_end: bool) -> str:
        """Say what is waited for: where nothing else moves, or when nothing came for a while."""
        silent = now - self._heard
        busy = any(row.state in ("asking", "running") for row in self._rows.values())
        if not self._waiting or busy or ((open_end or self._rows) and silent < _SILENT):
            return ""
        what, span = self._waiting, now - self._since
        if self._came and silent >= _SILENT:
            what, span = "waiting for more", silent
        note = f" {what} {self.look.dot} {seconds(span)}"
        more = f"{note} {self.look.dot} Ctrl-C interrupts"
        return more if width(more) <= columns - 2 else clip(note, columns - 2)

    def grow(self, channel: str, text: str) -> None:
        """Take in more text of a channel, "text" or "reasoning"."""
        if self._channel != channel:
            self.end_prose()
            if not text.strip():
                return
            self._space()
            self._waiting, self._came = "writing", True
            name, indent = ("reasoning", _INDENT) if channel == "reasoning" else ("", "")
            self._prose, self._channel = Prose(name, indent), channel
        if self._prose:
            self._put(
                self._prose.feed(shown(text.replace("\r\n", "\n")), self.columns), spaced=False
            )

    def end_prose(self) -> None:
        """End the text that is open."""
        if self._prose:
            prose, self._prose, self._channel = self._prose, None, ""
            self._put(prose.close(self.columns), spaced=False)

    def row(self, call_id: str, use: ToolUse) -> Row:
        """Give the row of a call, as far as the call came."""
        self.end_prose()
        self._came = True
        row = self._rows.setdefault(call_id, Row(use, self._clock()))
        row.use = use
        return row

    def wait_for(self, what: str) -> None:
        """Show that something is waited for, from now on; nothing, when it is empty."""
        self.end_prose()
        self._since, self._waiting, self._came = self._clock(), what, False

    def set_state(self, call_id: str, state: str) -> None:
        """Say how a call stands."""
        if row := self._rows.get(call_id):
            row.state = state

    def begin(self, call_id: str, use: ToolUse) -> None:
        """Let a call run from now on."""
        row = self.row(call_id, use)
        row.state, row.since = "running", self._clock()

    def put_out(self, call_id: str, text: str) -> None:
        """Show what a running call put out."""
        if row := self._rows.get(call_id):
            row.tail.feed(text)

    def finish(self, call_id: str, use: ToolUse, outcome: Outcome) -> None:
        """Close a call that ran."""
        self.end_prose()
        row = self._rows.pop(call_id, Row(use, self._clock()))
        span = self._clock() - row.since
        lines = finished_lines(row, outcome, span, self.columns, self.look)
        tight = row.shown or (len(lines) == 1 and self._after_row)
        self._put(lines, spaced=not tight)
        self._after_row = len(lines) == 1

    def skip(self, call_id: str, use: ToolUse, why: str) -> None:
        """Close a call that did not run, or not to its end."""
        self.end_prose()
        row = self._rows.pop(call_id, Row(use, self._clock()))
        row.use = use
        self._put(skipped_lines(row, why, self.columns, self.look), spaced=not row.shown)

    def end(self) -> None:
        """Close everything that is open."""
        self.end_prose()
        self._waiting = ""
        self._rows.clear()

    def _space(self) -> None:
        if not self._spaced:
            self._done.append(plain(""))
            self._spaced = True

    def _put(self, lines: list[Line], *, spaced: bool) -> None:
        if not lines:
            return
        if spaced:
            self._space()
        self._done += lines
        self._spaced = self._after_row = False

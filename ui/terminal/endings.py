"""How a call, and a task, look when they are over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.sanitise import one_line
from ui.terminal.cells import clip, width, wrap
from ui.terminal.diff import counts, diff_lines
from ui.terminal.prose import Prose
from ui.terminal.rows import Row, message, row_line, seconds
from ui.terminal.styles import Fragment, Glyphs, Line, plain, shown

if TYPE_CHECKING:
    from agent.events import End
    from tools import Outcome

_WHY_LINES = 12
_TIMED_OUT = "Timed out"
_UNBOUNDED = 10_000


def finished_lines(
    row: Row, outcome: Outcome, span: float, columns: int, look: Glyphs
) -> list[Line]:
    """Show a call that ran: one row, then what the person has not seen yet."""
    from tools import OutcomeKind

    if outcome.kind is OutcomeKind.COMPLETED:
        return completed_lines(outcome.for_person, columns, look)
    if outcome.kind is OutcomeKind.ANSWERED:
        return []  # question and answer stand above
    note = _note(outcome, span, look)
    lines = [row_line(_sign(outcome, look), row.use, note, columns - 1, look)]
    if outcome.diff and not row.shown:
        lines += diff_lines(outcome.diff)
    elif outcome.exit_code is not None:
        lines += _tail(row, columns, look)
    elif outcome.failed and outcome.kind is not OutcomeKind.REFUSED:
        lines += _tail(row, columns, look) + _why(outcome.for_person, columns, look)
    return lines


def completed_lines(result: str, columns: int, look: Glyphs) -> list[Line]:
    """Show the assistant's own last word."""
    prose = Prose()
    text = shown(result.strip())
    lines: list[Line] = [(("class:ok", look.ok), ("class:name", " Done"))]
    return [*lines, *prose.feed(text + "\n", columns), *prose.close(columns)]


def skipped_lines(row: Row, why: str, columns: int, look: Glyphs) -> list[Line]:
    """Show a call that was not run, or not to its end: how it stands, what it put out, why."""
    from agent.results import INTERRUPTED_CALL, NOT_BEGUN

    sign = ("class:warn", look.skipped)
    states = {INTERRUPTED_CALL: "interrupted", NOT_BEGUN: "not run: interrupted"}
    if state := states.get(why):
        head = row_line(sign, row.use, state, columns - 1, look)
        return [head, *_tail(row, columns, look)]
    words = one_line(why, 600)
    head = row_line(sign, row.use, f"skipped: {words}", _UNBOUNDED, look)
    if width("".join(text for _, text in head)) < columns:
        return [head]
    return [row_line(sign, row.use, "skipped", columns - 1, look), *_why(words, columns, look)]


def end_lines(end: End, look: Glyphs, columns: int) -> list[Line]:
    """Say how a task ended, unless its own last word has said it."""
    words = one_line(end.result, 600) if end.result else ""
    match end.status:
        case "completed":
            return []
        case "interrupted":
            text = "Interrupted; what came is kept. Say what to do next."
            return message("class:warn", look.skipped, text, columns)
        case "limit":
            sign, text = "class:warn", f"A limit was reached: {words}"
        case "needs_approval":
            sign, text = "class:warn", f"Stopped: {words or 'an approval was needed'}"
        case "no_tool_used":
            sign, text = "class:warn", f"Stopped: {words or 'the model never used a tool'}"
        case _:
            sign, text = "class:bad", words or one_line(str(end.error), 600)
    return message(sign, look.bad, text, columns)


def _sign(outcome: Outcome, look: Glyphs) -> Fragment:
    from tools import OutcomeKind

    if outcome.kind is OutcomeKind.REFUSED:
        return ("class:warn", look.skipped)
    if outcome.exit_code:
        return ("class:warn", look.bad)
    return ("class:bad", look.bad) if outcome.failed else ("class:ok", look.ok)


def _note(outcome: Outcome, span: float, look: Glyphs) -> str:
    from tools import OutcomeKind

    parts = ["refused"] if outcome.kind is OutcomeKind.REFUSED else []
    if outcome.diff:
        added, removed = counts(outcome.diff)
        parts.append(f"+{added} {look.minus}{removed}")
    if outcome.failed and outcome.for_person.startswith(_TIMED_OUT):
        parts.append("timed out")
    if outcome.exit_code:
        parts.append(f"exit {outcome.exit_code}")
    if span >= 0.1 and not parts:
        parts.append(seconds(span))
    return f" {look.dot} ".join(parts)


def _tail(row: Row, columns: int, look: Glyphs) -> list[Line]:
    seen = row.tail.seen()
    hidden = row.tail.total + bool(row.tail.open.strip()) - len(seen)
    lines = [_quoted(line, columns, look) for line in seen]
    if hidden > 0:
        lines.insert(0, _quoted(f"{look.dots} {_lines(hidden)} before", columns, look))
    return lines


def _why(words: str, columns: int, look: Glyphs) -> list[Line]:
    lines = [line for line in shown(words).split("\n") if line.strip()]
    rows = [row for line in lines for row in wrap(line, columns - 5)]
    shown_rows = rows[:_WHY_LINES]
    if len(rows) > _WHY_LINES:
        while shown_rows and shown_rows[-1].endswith(":"):  # what it announces is not shown
            shown_rows.pop()
        shown_rows.append(f"{look.dots} {_lines(len(rows) - len(shown_rows))} more")
    return [_quoted(row, columns, look) for row in shown_rows]


def _lines(count: int) -> str:
    return "1 line" if count == 1 else f"{count} lines"


def _quoted(line: str, columns: int, look: Glyphs) -> Line:
    return plain(f"  {look.bar} " + clip(line, columns - 5, look.dots), "dim")

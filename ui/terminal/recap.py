"""What a session held when it was left, in a few lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.sanitise import one_line
from ui.terminal.styles import Line, plain

if TYPE_CHECKING:
    from agent import Session


@dataclass(frozen=True, slots=True)
class Recap:
    """Where a session stands; one that was cut off in the middle of a task goes on by itself."""

    session_id: str
    tasks: int
    task: str
    end: str
    unfinished: bool

    def lines(self) -> list[Line]:
        """Say it."""
        count = "1 task" if self.tasks == 1 else f"{self.tasks} tasks"
        lines = [plain(f"Going on with session {one_line(self.session_id)} ({count})", "strong")]
        if self.task:
            lines.append((("class:dim", "  last task  "), ("", one_line(self.task, 200))))
        state = "it was cut off, and goes on now" if self.unfinished else one_line(self.end, 200)
        if self.tasks:
            lines.append((("class:dim", "  its end    "), ("", state)))
        return lines


def recap(session: Session) -> Recap:
    """Read where a session stands."""
    tasks, task, end, unfinished = 0, "", "", False
    for row in session.rows():
        if row.kind == "task_started":
            tasks, unfinished = tasks + 1, True
            task = str(row.data.get("task") or task)
        elif row.kind == "task_finished":
            unfinished = False
            end = f"{row.data.get('status')}: {row.data.get('result')}".rstrip(": ")
    return Recap(session.id, tasks, task, end, unfinished)

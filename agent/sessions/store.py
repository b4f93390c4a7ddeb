"""Sessions on disk: one SQLite file, one row per event, committed before the event is told.

Law: what was recorded is there after SIGKILL; processes may share the file.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nanoid import generate

from agent.errors import SessionError
from agent.sessions.schema import connect

_ID_LETTERS = "0123456789abcdefghijkmnpqrstuvwxyz"
_TITLE = 80


@dataclass(frozen=True, slots=True)
class Row:
    """One recorded fact of a session; `kind` says how `data` is read."""

    number: int
    at: float
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Listed:
    """A session in a list; times are seconds since the epoch."""

    id: str
    cwd: Path
    title: str
    begun: float
    touched: float
    rows: int
    cut_off: bool  # its last task has no end: the program was killed, or is at work


def default_path() -> Path:
    """Give the place of the sessions: TAGLINE_STATE, else the platform's folder for state."""
    if told := os.environ.get("TAGLINE_STATE"):
        return Path(told) / "sessions.db"
    from platformdirs import user_state_path

    return user_state_path("tagline") / "sessions.db"


class Sessions:
    """All sessions of one database file."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self._database = connect(self.path)

    def begin(self, cwd: Path) -> Session:
        """Make a new session that works in `cwd`."""
        session_id = generate(_ID_LETTERS, size=12)
        with _words(self.path):
            self._database.execute(
                "INSERT INTO session (id, cwd, begun) VALUES (?, ?, ?)",
                (session_id, str(cwd.resolve()), time.time()),
            )
        return Session(self._database, self.path, session_id, cwd.resolve())

    def list(self, cwd: Path | None = None, *, limit: int = 50) -> tuple[Listed, ...]:
        """List sessions that have rows, the last touched first, of one folder or of all."""
        where = "WHERE s.cwd = ?" if cwd is not None else ""
        values = (str(cwd.resolve()), limit) if cwd is not None else (limit,)
        with _words(self.path):
            found = self._database.execute(
                "SELECT s.id, s.cwd, s.title, s.begun, last.at, "
                "(SELECT count(*) FROM row WHERE session = s.id), coalesce((SELECT kind FROM row "
                "WHERE session = s.id AND kind IN ('task_started', 'task_finished') ORDER BY "
                "number DESC LIMIT 1) = 'task_started', 0) FROM session s JOIN row last "
                "ON last.number = (SELECT max(number) FROM row WHERE session = s.id) "
                f"{where} ORDER BY last.number DESC LIMIT ?",
                values,
            ).fetchall()
        return tuple(
            Listed(row[0], Path(row[1]), row[2], row[3], row[4], row[5], bool(row[6]))
            for row in found
        )

    def latest(self, cwd: Path) -> Session | None:
        """Give the session that was last touched in `cwd`."""
        found = self.list(cwd, limit=1)
        return self.open(found[0].id) if found else None

    def open(self, session_id: str) -> Session:
        """Give a session by its id or the unique beginning of one; else raises SessionError."""
        with _words(self.path):
            found = self._database.execute(
                "SELECT id, cwd FROM session WHERE substr(id, 1, ?) = ? LIMIT 3",
                (len(session_id), session_id),
            ).fetchall()
        exact = [row for row in found if row[0] == session_id] or found
        if len(exact) != 1 or not session_id:
            many = "more than one session" if len(exact) > 1 else "no session"
            raise SessionError(
                f"There is {many} with the id {session_id!r}; `tagline sessions` lists them."
            )
        return Session(self._database, self.path, exact[0][0], Path(exact[0][1]))

    def close(self) -> None:
        self._database.close()


class Session:
    """One session's rows, to be added to and read."""

    def __init__(
        self, database: sqlite3.Connection, path: Path, session_id: str, cwd: Path
    ) -> None:
        self._database, self._path = database, path
        self.id, self.cwd = session_id, cwd

    @property
    def folder(self) -> Path:
        """The folder for what belongs to sessions but not into rows."""
        return self._path.parent

    def record(self, kind: str, data: Mapping[str, Any]) -> None:
        """Write one row; it is committed when this returns."""
        text = json.dumps(data, ensure_ascii=True, default=str)
        with _words(self._path):
            self._database.execute(
                "INSERT INTO row (session, at, kind, data) VALUES (?, ?, ?, ?)",
                (self.id, time.time(), kind, text),
            )

    def entitle(self, task: str) -> None:
        """Name the session by its first task."""
        line = task.strip().partition("\n")[0][:_TITLE]
        with _words(self._path):
            self._database.execute(
                "UPDATE session SET title = ? WHERE id = ? AND title = ''", (line, self.id)
            )

    def manner(self) -> tuple[str, str] | None:
        """Give the dialect and the mode of the latest task; None when there was no task."""
        tasks = [row.data for row in self.rows() if row.kind == "task_started"]
        return (str(tasks[-1]["dialect"]), str(tasks[-1]["mode"])) if tasks else None

    def rows(self) -> Iterator[Row]:
        """Read the session's rows in order; raises SessionError at one that is not readable."""
        with _words(self._path):
            found = self._database.execute(
                "SELECT number, at, kind, data FROM row WHERE session = ? ORDER BY number",
                (self.id,),
            ).fetchall()
        for number, at, kind, data in found:
            try:
                yield Row(number, at, kind, json.loads(data))
            except ValueError as error:
                raise SessionError(
                    f"Row {number} of session {self.id} in {self._path} is damaged: {error}"
                ) from error


@contextmanager
def _words(path: Path) -> Generator[None, None, None]:
    """Turn what sqlite3 raises into a SessionError that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise SessionError(f"The session database {path} cannot be used: {error}") from error

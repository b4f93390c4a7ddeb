"""The session database: its tables, its version, and how it is opened.

Law: a file that is not ours is never changed; what is wrong with it is said in words.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from agent.errors import SessionError

VERSION = 2
APPLICATION = 0x7461676C  # "tagl"

_TABLES = """
CREATE TABLE session (
    id TEXT PRIMARY KEY,
    cwd TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    begun REAL NOT NULL
) STRICT;
CREATE INDEX session_by_place ON session (cwd);
CREATE TABLE row (
    number INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL
) STRICT;
CREATE INDEX row_by_session ON row (session, number);
"""

_COLUMNS = {
    "session": ("id", "cwd", "title", "begun"),
    "row": ("number", "session", "at", "kind", "data"),
}


def connect(path: Path) -> sqlite3.Connection:
    """Open the database, making it when there is none.

    Raises SessionError when the file cannot be opened, is no database, belongs to something
    else, or was made by a newer version.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        database = sqlite3.connect(path, timeout=20.0, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise SessionError(f"The sessions cannot be opened at {path}: {error}") from error
    try:
        _prepare(database, path)
    except (OSError, sqlite3.Error) as error:
        database.close()
        raise SessionError(
            f"{path} is not a readable session database ({error}). Move it away, and a new one "
            "is made; or set TAGLINE_STATE to another folder."
        ) from error
    except SessionError:
        database.close()
        raise
    return database


def _prepare(database: sqlite3.Connection, path: Path) -> None:
    if _version(database, path) != VERSION:
        _make(database, path)
    # a commit in WAL mode reaches the system at once, so SIGKILL loses nothing; only a power
    # failure may cost the last commits, never the database
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    database.execute("PRAGMA foreign_keys = ON")


def _make(database: sqlite3.Connection, path: Path) -> None:
    database.execute("BEGIN EXCLUSIVE")
    try:
        if _told(database, path) == 0:  # no other process was first
            for statement in _TABLES.split(";"):
                database.execute(statement)
            database.execute(f"PRAGMA application_id = {APPLICATION}")
            database.execute(f"PRAGMA user_version = {VERSION}")
            path.chmod(0o600)  # sessions hold what the files hold
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _version(database: sqlite3.Connection, path: Path) -> int:
    """Read the version; in one transaction, since another process may be making the tables."""
    database.execute("BEGIN")
    try:
        return _told(database, path)
    finally:
        database.execute("ROLLBACK")


def _told(database: sqlite3.Connection, path: Path) -> int:
    tables = int(database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    application = int(database.execute("PRAGMA application_id").fetchone()[0])
    version = int(database.execute("PRAGMA user_version").fetchone()[0])
    if application == APPLICATION and version > VERSION:
        raise SessionError(
            f"{path} was written by a newer Tagline (form {version}; this one knows {VERSION}). "
            "Update Tagline, or set TAGLINE_STATE to another folder."
        )
    if application != APPLICATION and (tables or application or version):
        raise SessionError(
            f"{path} is a database of another program. Move it away, or set TAGLINE_STATE to "
            "another folder."
        )
    if application == APPLICATION and (version < VERSION or not _ours(database)):
        raise SessionError(
            f"{path} was written by an older Tagline, whose sessions are kept otherwise (form "
            f"{version}; this one knows {VERSION}). Move it away, and a new one is made; or set "
            "TAGLINE_STATE to another folder."
        )
    return version


def _ours(database: sqlite3.Connection) -> bool:
    """Say whether the tables have the columns that are written here."""
    return all(
        tuple(row[1] for row in database.execute(f"PRAGMA table_info({table})")) == columns
        for table, columns in _COLUMNS.items()
    )

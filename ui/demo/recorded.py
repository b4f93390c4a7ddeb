"""Finds the session of a demo that was cut off, so that it can go on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ui.demo.places import FOLDER, KIND

if TYPE_CHECKING:
    from agent import Session, Sessions


def is_demo(session: Session) -> bool:
    """Claim that the session was begun by the demo."""
    return session.cwd.name.startswith(FOLDER) and any(row.kind == KIND for row in session.rows())


def cut_off(sessions: Sessions, here: Path) -> Session | None:
    """Give the demo begun in this folder that was cut off, if nothing here is more recent."""
    for listed in sessions.list():
        if listed.cwd == here:
            return None
        if not listed.cwd.name.startswith(FOLDER) or not listed.cwd.is_dir():
            continue
        session = sessions.open(listed.id)
        if _begun_in(session, here) and not _completed(session):
            return session
    return None


def _begun_in(session: Session, here: Path) -> bool:
    return any(row.kind == KIND and row.data.get("from") == str(here) for row in session.rows())


def _completed(session: Session) -> bool:
    return any(
        row.kind == "task_finished" and row.data.get("status") == "completed"
        for row in session.rows()
    )

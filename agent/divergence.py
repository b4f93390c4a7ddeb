"""Keeps the report of a divergence, so that it can be looked into later."""

from __future__ import annotations

from pathlib import Path

from agent.sessions.store import Session


def saved_report(report: str, session: Session | None, turn: int) -> Path | None:
    """Write the report beside the sessions; gives its place, or none when it cannot be written."""
    if session is None:
        return None
    place = session.folder / "divergences" / f"{session.id}-{turn}.txt"
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(report, "utf-8", "surrogatepass")
    except OSError:
        return None
    return place

"""Recorded sessions as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent import Sessions
from ui.exits import Complaint, Exit
from ui.sanitise import one_line, visible

if TYPE_CHECKING:
    from agent.sessions.store import Listed, Row

_CALLS = frozenset({"call_finished", "call_skipped"})
_HIDDEN = frozenset({"piece", "thought", "usage", "turn_finished", "call_asked", "call_decided"})


def list_sessions(limit: int, *, everywhere: bool, as_json: bool) -> int:
    """Print the sessions of this folder, or of all folders."""
    sessions = Sessions()
    found = sessions.list(None if everywhere else Path.cwd(), limit=limit)
    for listed in found:
        print(json.dumps(_listed_json(listed)) if as_json else listed_line(listed, cwd=everywhere))
    if not found and not as_json:
        others = bool(sessions.list(limit=1)) and not everywhere
        print(
            "No sessions in this folder (--all lists every folder)." if others else "No sessions."
        )
    return Exit.DONE


def show_session(session_id: str | None, *, as_json: bool) -> int:
    """Print what was recorded of one session, or of this folder's latest.

    Raises `agent.errors.SessionError`.
    """
    sessions = Sessions()
    session = sessions.open(session_id) if session_id else sessions.latest(Path.cwd())
    if session is None:
        raise Complaint("there is no session of this folder to show (tagline sessions --all)")
    if as_json:
        for row in session.rows():
            print(json.dumps({"number": row.number, "at": row.at, "kind": row.kind, **_inner(row)}))
        return Exit.DONE
    print(f"session {session.id} in {visible(str(session.cwd))}")
    for row in _as_said(session.rows()):
        for line in _row_lines(row):
            print(visible(line))
    return Exit.DONE


def _as_said(rows: Iterable[Row]) -> Iterator[Row]:
    """Put calls behind the message that made them: they are run, and recorded, while it comes."""
    calls: list[Row] = []
    for row in rows:
        if row.kind in _CALLS:
            calls.append(row)
            continue
        before = row.kind in ("user", "task_finished")
        yield from [*calls, row] if before else [row]
        if before:
            calls = []
    yield from calls


def _inner(row: Row) -> dict[str, object]:
    return {"data": dict(row.data)}


def _listed_json(listed: Listed) -> dict[str, object]:
    return {
        "id": listed.id,
        "cwd": str(listed.cwd),
        "title": listed.title,
        "begun": listed.begun,
        "touched": listed.touched,
        "rows": listed.rows,
        "cut_off": listed.cut_off,
    }


def listed_line(listed: Listed, *, cwd: bool) -> str:
    """Give a session as one line of a list, with its folder if that is wanted."""
    when = datetime.fromtimestamp(listed.touched).strftime("%Y-%m-%d %H:%M")
    place = f"  {visible(str(listed.cwd))}" if cwd else ""
    state = "  not ended (cut off, or at work)" if listed.cut_off else ""
    return f"{listed.id}  {when}{place}{state}  {one_line(listed.title, 80)}".rstrip()


def _said(data: Mapping[str, Any]) -> Iterator[str]:
    """Give a message in the order in which the model has it: results, text, native calls."""
    for result in data.get("results", ()):
        yield str(result.get("text", "")).rstrip()
    if text := str(data.get("text", "")).rstrip():
        yield text
    for call in data.get("calls", ()):
        yield f"[{call.get('name')}] {call.get('arguments')}"


def _row_lines(row: Row) -> Iterator[str]:
    data = row.data
    match row.kind:
        case kind if kind in _HIDDEN:
            return
        case "user" | "assistant":
            yield f"\n── {row.kind}"
            yield from _said(data)
        case "call_finished":
            code = data.get("exit_code")
            ending = "" if code is None else f", exit code {code}"
            yield f"   {data.get('tool')}: {data.get('kind')}{ending}"
        case "call_skipped":
            yield f"   {data.get('tool')}: skipped: {data.get('why')}"
        case "task_finished":
            yield f"\n── end: {data.get('status')} (exit code {data.get('exit_code')})"
        case "noticed" | "retried" | "diverged":
            words = data.get("text") or data.get("why") or data.get("report")
            yield f"   {row.kind}: {words}"
        case _:
            return

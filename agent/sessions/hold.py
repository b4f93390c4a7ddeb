"""One process at a time goes on with a session.

Law: a hold ends with its process, however that ends.
"""

from __future__ import annotations

import os
from pathlib import Path

from agent.errors import SessionError

_held: dict[Path, int] = {}  # by this process; the descriptor is the hold


def hold(folder: Path, session_id: str) -> None:
    """Hold a session for this process; raises SessionError when another one has it."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system; two processes are then not told apart
        return
    place = folder / "held" / session_id
    if place in _held:
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise SessionError(f"Session {session_id} cannot be held: {error}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        other = os.read(descriptor, 32).decode("ascii", "replace").strip() or "unknown"
        os.close(descriptor)
        raise SessionError(
            f"Session {session_id} is being worked on by another process ({other}). End that one "
            "first, or begin a new session."
        ) from None
    os.truncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
    _held[place] = descriptor

"""The folder a run works in."""

from __future__ import annotations

from pathlib import Path

from ui.exits import Complaint


def folder(told: Path | None) -> Path:
    """Give the folder that was told, or the one we stand in; it must be there."""
    try:
        place = (told or Path.cwd()).resolve()
        if not place.is_dir():
            raise Complaint(f"cannot work in {place}: no such folder")
    except (OSError, ValueError) as error:
        raise Complaint(f"cannot work in {told or 'the current folder'}: {error}") from error
    return place

"""Files, folders and standard input, read into messages.

Law: what was named and cannot be read is a complaint; in a folder it is left out, and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, assert_never

from ui.compare.logs import Unfit, messages_of
from ui.compare.message import Message
from ui.exits import Complaint
from ui.streams import read_text, tell_of_keyboard, unreadable

Form = Literal["auto", "text", "lines", "json"]
_JSON = {".json", ".jsonl", ".ndjson"}
_TEXT = {".txt", ".md", ".xml", ".log"}
_LEFT_OUT = 6  # files left out that are named one by one


def gather(names: Sequence[str], form: Form) -> tuple[tuple[Message, ...], tuple[str, ...]]:
    """Read what was named; give the messages, and a line for each file that was left out."""
    found: list[Message] = []
    left_out: list[str] = []
    for name in names:
        if name == "-" or not Path(name).is_dir():
            found += messages_in(name, form)
            continue
        for path in _files(Path(name)):
            try:
                found += messages_in(str(path), form)
            except Complaint as complaint:
                left_out.append(complaint.words)
    return tuple(found), tuple(left_out)


def messages_in(name: str, form: Form) -> tuple[Message, ...]:
    """Read one file, or standard input for `-`."""
    tell_of_keyboard(name)
    text = read_text(name)
    source = "standard input" if name == "-" else name
    match form:
        case "text":
            return (Message(source, 1, {"text": text}),)
        case "lines":
            lines = [line for line in text.split("\n") if line.strip()]
            return tuple(Message(source, at, {"text": line}) for at, line in enumerate(lines, 1))
        case "json":
            return _json(source, text)
        case "auto":
            return _guessed(source, Path(name).suffix.lower(), text)
        case _:
            assert_never(form)


def told_left_out(left_out: Sequence[str]) -> list[str]:
    """Say which files of folders were left out, the first of them by name."""
    lines = [f"left out: {words}" for words in left_out[:_LEFT_OUT]]
    rest = len(left_out) - len(lines)
    return [*lines, f"left out: {rest} more"] if rest else lines


def _guessed(source: str, suffix: str, text: str) -> tuple[Message, ...]:
    if suffix in _JSON:
        return _json(source, text)
    if suffix not in _TEXT and text.lstrip().startswith(("{", "[", '"')):
        try:
            return messages_of(source, text)
        except Unfit:
            pass  # a message may itself be JSON
    return (Message(source, 1, {"text": text}),)


def _json(source: str, text: str) -> tuple[Message, ...]:
    if not text.strip():
        return ()
    try:
        return messages_of(source, text)
    except Unfit as error:
        words = f"{source}: {error}. To read the file as one message: --as text"
        raise Complaint(words) from error


def _files(folder: Path) -> list[Path]:
    """List what a folder holds that may be messages, hidden files and folders left out."""
    known = _JSON | _TEXT
    try:
        inside = sorted(folder.rglob("*"))
    except OSError as error:
        raise unreadable(str(folder), error) from error
    found = [
        path
        for path in inside
        if path.suffix.lower() in known
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        and path.is_file()
    ]
    if not found:
        kinds = ", ".join(f"*{suffix}" for suffix in sorted(known))
        raise Complaint(f"{folder}: found no file to compare, expected some of {kinds}")
    return found

"""Standard input and output as the doors use them.

Law: no character is unprintable, a closed stream is no crash, and input is read as bytes so that
line feeds stay as they are.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal, TextIO

from ui.exits import Complaint

_PIECE = 1 << 16
_LARGEST = 64 << 20  # bytes of a message on standard input


def prepare() -> None:
    """Make the standard streams take any text; a closed one becomes the null device."""
    sys.stdin = sys.stdin or _null("r")
    sys.stdout = sys.stdout or _null("w")
    sys.stderr = sys.stderr or _null("w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _null(mode: Literal["r", "w"]) -> TextIO:
    return open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123 - lives as long as we


def let_go() -> None:
    """Forget what cannot be written any more: the reader, or the terminal, has gone away."""
    for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
        try:
            stream.flush()
        except (OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, number)
            os.close(null)


def read_bytes(source: str) -> bytes:
    """Read a named file, or standard input for `-`; say in words why it cannot be read."""
    try:
        return standard_input(_LARGEST) if source == "-" else Path(source).read_bytes()
    except (OSError, ValueError) as error:
        raise unreadable(source, error) from error


def standard_input(most: int) -> bytes:
    """Read standard input to its end, by pieces, so that a signal is heard between them.

    Raises Complaint when more than `most` bytes come, and does not read on.
    """
    data = bytearray()
    while piece := os.read(sys.stdin.fileno(), _PIECE):
        data += piece
        if len(data) > most:
            raise Complaint(
                f"standard input: found more than {most >> 20} MiB, expected at most that. Send a "
                "part of it (head, tail, grep), or put it into a file"
            )
    return bytes(data)


def tell_of_keyboard(source: str) -> None:
    """Say what is waited for when a person's keyboard is what will be read."""
    if source == "-" and is_terminal(sys.stdin):
        words = "reading from the keyboard; end with Ctrl-D (or name a file: see --help)"
        print(f"tagline: {words}", file=sys.stderr)


def unreadable(source: str, error: OSError | ValueError) -> Complaint:
    """Say why a file cannot be read."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return Complaint(f"cannot read {source}: {reason}")


@contextmanager
def open_bytes(source: str) -> Generator[BinaryIO]:
    """Open a named file, or standard input for `-`, for reading; say why it cannot be read."""
    try:
        file = sys.stdin.buffer if source == "-" else Path(source).open("rb")  # noqa: SIM115 - closed below
    except (OSError, ValueError) as error:
        raise unreadable(source, error) from error
    with file:
        yield file


def decoded(data: bytes, source: str) -> str:
    """Decode UTF-8, lone surrogates included."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        place = f"byte 0x{data[error.start]:02x} at offset {error.start}"
        raise Complaint(f"cannot read {source}: it is not UTF-8 ({place})") from error


def read_text(source: str) -> str:
    """Read a named file, or standard input for `-`, as UTF-8 with its line feeds kept."""
    return decoded(read_bytes(source), source)


def colourful(stream: TextIO) -> bool:
    """Claim that colour codes are wanted on this stream."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def is_terminal(stream: TextIO | None) -> bool:
    """Claim that a person looks at (or types into) this stream."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False

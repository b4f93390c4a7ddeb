"""A text file as bytes and everything that must survive an edit: BOM, encoding, endings, mode.

Law: decoding and encoding an unchanged text gives the same bytes, whatever the file; a write
is whole or has not happened.
"""

from __future__ import annotations

import codecs
import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

from tools.errors import EditFailed, FileChanged, NotFound, NotPermitted, TooLarge, WrongKind

LARGEST = 32 * 1024 * 1024
"""Bytes of the largest file that is read into memory to be edited."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ASCII = bytes(range(128))
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\b\x1b"))


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text file's bytes and how they read; `text` has no BOM and keeps each line's ending.

    `errors` is Python's name for how bytes are carried that the encoding does not know.
    """

    data: bytes
    text: str
    encoding: str = "utf-8"
    bom: bytes = b""
    errors: str = "strict"

    def encoded(self, text: str) -> bytes:
        """Encode another text as this file is; raises EditFailed when the encoding cannot."""
        try:
            return self.bom + text.encode(self.encoding, self.errors)
        except UnicodeEncodeError as error:
            raise EditFailed(
                f"The file is encoded as {self.encoding}, which has no "
                f"{error.object[error.start]!r}. Use characters of that encoding."
            ) from None


def decoded(data: bytes) -> TextFile | None:
    """Read bytes as text, losslessly: by BOM, as UTF-8, or one byte a character; none: binary.

    What is UTF-8 but for a few bytes is read as UTF-8, and those bytes are carried along.  A NUL
    in the first 8,000 bytes (git's rule) or many control characters in what is not UTF-8 mean
    binary.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _strictly(data, encoding, bom)
    if b"\0" in data[:8000]:
        return None
    if found := _strictly(data, "utf-8", b""):
        return found
    sample = data[:8000]
    if len(sample.translate(None, _CONTROLS)) < 0.97 * len(sample):
        return None
    odd = len(data) - len(data.decode("utf-8", "ignore").encode())
    if 3 * odd < len(data.translate(None, _ASCII)):
        return TextFile(data, data.decode("utf-8", "surrogateescape"), errors="surrogateescape")
    return _strictly(data, "cp1252", b"") or _strictly(data, "latin-1", b"")


def _strictly(data: bytes, encoding: str, bom: bytes) -> TextFile | None:
    try:
        text = data[len(bom) :].decode(encoding)
    except UnicodeDecodeError:
        return None
    found = TextFile(data, text, encoding, bom)
    return found if bom + text.encode(encoding, "surrogatepass") == data else None


def read_bytes(path: Path, name: str, *, largest: int = LARGEST) -> bytes:
    """Read a regular file at a resolved path; `name` is how messages call it.

    Raises NotFound, WrongKind, TooLarge, NotPermitted.  Links and devices are not followed.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(
            f"{name} does not exist. Check the path, for example with list_files."
        ) from None
    except OSError as error:
        raise NotPermitted(f"{name} cannot be read: {error.strerror}.") from None
    try:
        _check_regular(os.fstat(handle), name, largest)
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def _check_regular(state: os.stat_result, name: str, largest: int) -> None:
    if stat.S_ISDIR(state.st_mode):
        raise WrongKind(f"{name} is a directory; give the path of a file.")
    if not stat.S_ISREG(state.st_mode):
        raise WrongKind(f"{name} is not a regular file (a pipe, socket or device).")
    if state.st_size > largest:
        raise TooLarge(f"{name} has {state.st_size:,} bytes; at most {largest:,} are taken.")


def read_text(path: Path, name: str, *, largest: int = LARGEST) -> TextFile:
    """Read a text file; raises as `read_bytes` does, and WrongKind for a binary file."""
    data = read_bytes(path, name, largest=largest)
    file = decoded(data)
    if file is None:
        raise WrongKind(f"{name} is a binary file ({len(data):,} bytes), not text.")
    return file


def write_bytes(path: Path, data: bytes, name: str, *, expected: bytes | None) -> None:
    """Write a whole file at a resolved path: a temporary file beside it, then a rename.

    The mode of a file that is there is kept (set before the rename), a new one gets the
    usual one; missing folders are made.  `expected` is what must be there still (none: nothing).
    Raises FileChanged and NotPermitted; then nothing has changed.
    """
    made: list[Path] = []
    temporary = path.with_name(f".tagline-{token_hex(6)}")
    try:
        _make_folders(path.parent, made)
        _fill(temporary, data, _old_state(path, name))
        _check_expected(path, name, expected)
        temporary.replace(path)
        made.clear()
    except OSError as error:
        raise NotPermitted(f"{name} cannot be written: {error.strerror or error}.") from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
    _sync_folder(path.parent)


def _make_folders(folder: Path, made: list[Path]) -> None:
    missing: list[Path] = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for place in reversed(missing):
        place.mkdir()
        made.append(place)


def _old_state(path: Path, name: str) -> os.stat_result | None:
    try:
        state = path.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(state.st_mode):
        raise WrongKind(f"{name} is not a regular file any more.")
    if not os.access(path, os.W_OK):
        raise NotPermitted(f"{name} is read-only.")
    return state


def _fill(temporary: Path, data: bytes, old: os.stat_result | None) -> None:
    mode = 0o600 if old else 0o666  # the system takes the umask off
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        if old:
            with suppress(OSError):
                os.fchown(handle, old.st_uid, old.st_gid)
            os.fchmod(handle, stat.S_IMODE(old.st_mode))
        os.fsync(handle)


def _check_expected(path: Path, name: str, expected: bytes | None) -> None:
    try:
        present = path.read_bytes()
    except FileNotFoundError:
        present = None
    if present != expected:
        raise FileChanged(
            f"{name} has changed since this edit was made, so nothing was written. Read it again."
        )


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

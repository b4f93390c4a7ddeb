from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools import FileChanged, NotFound, NotPermitted, TooLarge, ToolError, WrongKind
from tools.files import decoded, read_bytes, read_text, write_bytes

READS = {
    "utf-8": (b"na\xc3\xafve\n", "utf-8", b"", "naïve\n"),
    "utf-8 with a mark": (b"\xef\xbb\xbfx\r\n", "utf-8", b"\xef\xbb\xbf", "x\r\n"),
    "utf-16 little": ("\ufeffxä\r\n".encode("utf-16-le"), "utf-16-le", b"\xff\xfe", "xä\r\n"),
    "utf-16 big": ("\ufeffxä\n".encode("utf-16-be"), "utf-16-be", b"\xfe\xff", "xä\n"),
    "utf-32": ("\ufeffx\n".encode("utf-32-le"), "utf-32-le", b"\xff\xfe\0\0", "x\n"),
    "cp1252": (b"\x93caf\xe9\x94\n", "cp1252", b"", "“café”\n"),
    "broken utf-8": (b"caf\xc3\xa9 \xc3\xbc \xff\n", "utf-8", b"", "café ü \udcff\n"),
    "latin-1": (b"caf\xe9 and \x81 here\n", "latin-1", b"", "café and \x81 here\n"),
    "empty": (b"", "utf-8", b"", ""),
    "only a mark": (b"\xef\xbb\xbf", "utf-8", b"\xef\xbb\xbf", ""),
    "separators stay in a line": (
        "a\u2028b\x0bc\x85d\n".encode(),
        "utf-8",
        b"",
        "a\u2028b\x0bc\x85d\n",
    ),
}
BINARY = {
    "a picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "controls": bytes(range(1, 9)) * 20 + b"\xff\xfe\xfd",
    "odd utf-16": b"\xff\xfex",
    "utf-16 without a mark": "text".encode("utf-16-le"),
}


@pytest.mark.parametrize("name", READS)
def test_text_reads_with_its_encoding(name: str) -> None:
    data, encoding, bom, text = READS[name]

    file = decoded(data)

    assert file is not None
    assert (file.encoding, file.bom, file.text) == (encoding, bom, text)
    assert file.encoded(file.text) == data


@pytest.mark.parametrize("name", BINARY)
def test_binary_is_not_text(name: str) -> None:
    assert decoded(BINARY[name]) is None


@given(
    st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace"))
)
def test_text_decoded_and_encoded_is_the_same_bytes(data: bytes) -> None:
    file = decoded(data)

    assert file is None or file.encoded(file.text) == data


def test_text_that_the_encoding_lacks_is_refused() -> None:
    file = decoded(b"caf\xe9\n")

    assert file is not None
    with pytest.raises(ToolError, match="cp1252, which has no '漢'"):
        file.encoded("漢\n")


def test_read_tells_what_is_there_instead(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "big").write_bytes(b"x" * 11)
    (tmp_path / "bin").write_bytes(b"a\0b")

    expected = {
        "gone": (NotFound, "does not exist"),
        "folder": (WrongKind, "is a directory"),
        "pipe": (WrongKind, "not a regular file"),
        "link": (NotPermitted, "cannot be read"),
        "big": (TooLarge, "at most 10"),
    }
    for name, (kind, words) in expected.items():
        with pytest.raises(kind, match=words):
            read_bytes(tmp_path / name, name, largest=10)
    with pytest.raises(WrongKind, match="binary file"):
        read_text(tmp_path / "bin", "bin")


def test_write_makes_folders_and_gives_the_usual_mode(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "new.txt"
    umask = os.umask(0o027)
    try:
        write_bytes(path, b"x", "new.txt", expected=None)
    finally:
        os.umask(umask)

    assert path.read_bytes() == b"x"
    assert path.stat().st_mode & 0o7777 == 0o640
    assert [each.name for each in path.parent.iterdir()] == ["new.txt"]


def test_write_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_bytes(b"a")
    path.chmod(0o751)

    write_bytes(path, b"b", "run.sh", expected=b"a")

    assert path.read_bytes() == b"b"
    assert path.stat().st_mode & 0o7777 == 0o751


def test_write_is_refused_when_other_bytes_are_there(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "a.txt"

    with pytest.raises(FileChanged):
        write_bytes(path, b"new", "a.txt", expected=b"old")
    assert list(tmp_path.iterdir()) == []

    path.parent.mkdir()
    path.write_bytes(b"other")
    with pytest.raises(FileChanged):
        write_bytes(path, b"new", "a.txt", expected=None)
    assert path.read_bytes() == b"other"
    assert list(path.parent.iterdir()) == [path]


def test_write_that_is_cut_off_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(NotPermitted, match="cannot be written: File too large"):
            write_bytes(path, b"x" * 5000, "a.txt", expected=b"old")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")

    with pytest.raises(NotPermitted, match="cannot be written"):
        write_bytes(tmp_path / "file" / "under.txt", b"y", "file/under.txt", expected=None)

    assert [path.name for path in tmp_path.iterdir()] == ["file"]

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from tools.errors import BadArguments, NotFound, OutsideWorkspace, TooLarge, ToolError, WrongKind
from tools.outcome import Outcome
from tools.read_file import ReadFile
from tools.tool import Context
from tools.workspace import Workspace

FILES: dict[str, bytes] = {
    "three": b"a\nb\nc\n",
    "unended": b"a\nb",
    "one": b"a",
    "newline": b"\n",
    "empty": b"",
    "crlf": b"a\r\nb\r\n",
    "bom": b"\xef\xbb\xbfa\n",
    "utf16": "a\né\n".encode("utf-16"),
    "latin": "caf\xe9\n".encode("latin-1"),
    "oldmac": b"a\rb\r",
    "separators": "a\u2028b\x0bc\x0cd\x85e\n".encode(),
    "long": b"".join(b"%d\n" % number for number in range(1, 2501)),
    "src/main.py": b"x\n",
    "src/other.py": b"y\n",
    "tests/test_main.py": b"z\n",
}
WHOLE = {
    "three": "1 | a\n2 | b\n3 | c\n\n(3 lines, the whole file)",
    "unended": "1 | a\n2 | b\n\n(2 lines, the whole file; no newline at the end)",
    "one": "1 | a\n\n(1 line, the whole file; no newline at the end)",
    "newline": "1 | \n\n(1 line, the whole file)",
    "empty": "(The file is empty.)",
    "crlf": "1 | a\n2 | b\n\n(2 lines, the whole file; CRLF line endings)",
    "bom": "1 | a\n\n(1 line, the whole file)",
    "utf16": "1 | a\n2 | é\n\n(2 lines, the whole file; encoded as utf-16-le)",
    "latin": "1 | café\n\n(1 line, the whole file; encoded as cp1252)",
    "oldmac": "1 | a\n2 | b\n\n(2 lines, the whole file)",
    "separators": "1 | a\u2028b\x0bc\x0cd\x85e\n\n(1 line, the whole file)",
}
BINARY = {
    "image.png": (b"\x89PNG\r\n\x1a\n\0\0", "a PNG image"),
    "program": (b"\x7fELF\x02\x01\x01\0\0", "an ELF program"),
    "archive": (b"PK\x03\x04\x14\0\0\0", "a ZIP archive"),
    "unknown": (b"\0\x01\x02\x03", "of unknown kind"),
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for name, data in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return Workspace(tmp_path)


def read(workspace: Workspace, path: str, **more: Any) -> Outcome:
    tool = ReadFile().bind({"path": path, **more})
    return asyncio.run(tool.run(Context(workspace)))


@pytest.mark.parametrize("name", WHOLE)
def test_read_file_shows_a_whole_file(name: str, workspace: Workspace) -> None:
    outcome = read(workspace, name)

    assert outcome.for_model == WHOLE[name]
    assert not outcome.failed


@pytest.mark.parametrize(
    ("bounds", "first", "last", "note"),
    [
        ({}, 1, 1000, "lines 1-1000 of 2500; continue with start_line=1001"),
        (
            {"start_line": 1001},
            1001,
            2000,
            "lines 1001-2000 of 2500; continue with start_line=2001",
        ),
        ({"start_line": 2001}, 2001, 2500, "lines 2001-2500 of 2500, the end"),
        ({"start_line": 2, "end_line": 3}, 2, 3, "lines 2-3 of 2500; continue with start_line=4"),
        ({"start_line": 3, "end_line": 2}, 2, 3, "lines 2-3 of 2500; continue with start_line=4"),
        ({"start_line": 7, "end_line": 7}, 7, 7, "lines 7-7 of 2500; continue with start_line=8"),
        ({"end_line": 5}, 1, 5, "lines 1-5 of 2500; continue with start_line=6"),
        ({"start_line": 0, "end_line": 2}, 1, 2, "lines 1-2 of 2500; continue with start_line=3"),
        ({"start_line": -9, "end_line": 2}, 1, 2, "lines 1-2 of 2500; continue with start_line=3"),
        ({"start_line": 2499, "end_line": 9999}, 2499, 2500, "lines 2499-2500 of 2500, the end"),
        ({"start_line": 1, "end_line": 2500}, 1, 2500, "2500 lines, the whole file"),
        ({"start_line": 2400, "end_line": -1}, 2400, 2500, "lines 2400-2500 of 2500, the end"),
    ],
)
def test_read_file_shows_the_lines_wanted(
    bounds: dict[str, int], first: int, last: int, note: str, workspace: Workspace
) -> None:
    lines = read(workspace, "long", **bounds).for_model.split("\n")

    assert lines[0] == f"{first} | {first}"
    assert lines[-3:] == [f"{last} | {last}", "", f"({note})"]
    assert len(lines) == last - first + 3


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ({"start_line": 2501}, "Line 2501 is beyond the end: the file has 2500 lines"),
        ({"start_line": 9000, "end_line": 8000}, "Line 8000 is beyond the end"),
        ({"start_line": -5, "end_line": 0}, "Line 0 is before the first line"),
    ],
)
def test_read_file_tells_bounds_that_are_out_of_range(
    bounds: dict[str, int], words: str, workspace: Workspace
) -> None:
    with pytest.raises(BadArguments, match=words):
        read(workspace, "long", **bounds)


def test_read_file_cuts_giant_lines(workspace: Workspace) -> None:
    (workspace.root / "giant").write_text("x" * 100_000 + "\nnext\n")

    lines = read(workspace, "giant").for_model.split("\n")

    assert lines[0] == f"1 | {'x' * 4000} … [96000 more characters in this line]"
    assert lines[1] == "2 | next"


def test_read_file_stops_where_there_is_too_much(workspace: Workspace) -> None:
    (workspace.root / "wide").write_text(("é" * 3000 + "\n") * 900)

    shown = read(workspace, "wide").for_model

    assert len(shown.encode()) <= 400 * 1024 + 100
    assert shown.endswith("(lines 1-68 of 900; continue with start_line=69)")


@pytest.mark.parametrize("name", BINARY)
def test_read_file_says_what_a_binary_file_is(name: str, workspace: Workspace) -> None:
    data, kind = BINARY[name]
    (workspace.root / name).write_bytes(data)

    with pytest.raises(WrongKind, match=rf"{name} is a binary file \({kind}.*{len(data)} bytes\)"):
        read(workspace, name)


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("main.py", "src/main.py"),
        ("src/mian.py", "src/main.py"),
        ("source/other.py", "src/other.py"),
        ("src/test_main.py", "tests/test_main.py"),
        ("src/Main.py", "src/main.py"),
    ],
)
def test_read_file_names_what_was_meant(wanted: str, meant: str, workspace: Workspace) -> None:
    with pytest.raises(NotFound, match=rf"{wanted} does not exist\. Did you mean .*{meant}"):
        read(workspace, wanted)


def test_read_file_reads_no_directory_pipe_or_device(workspace: Workspace) -> None:
    os.mkfifo(workspace.root / "pipe")
    (workspace.root / "zero").symlink_to("/dev/zero")

    with pytest.raises(WrongKind, match="list_files"):
        read(workspace, "src")
    with pytest.raises(WrongKind, match="pipe"):
        read(workspace, "pipe")
    with pytest.raises(OutsideWorkspace):
        read(workspace, "zero")


def test_read_file_takes_no_giant_file(workspace: Workspace) -> None:
    with (workspace.root / "huge").open("wb") as file:
        file.truncate(10**12)

    with pytest.raises(TooLarge, match="1,000,000,000,000 bytes"):
        read(workspace, "huge")


@pytest.mark.parametrize("path", ["", "../x", "a\0b", "x" * 300, "loop"])
def test_read_file_refuses_odd_paths(path: str, workspace: Workspace) -> None:
    (workspace.root / "loop").symlink_to("loop")

    with pytest.raises(ToolError):
        read(workspace, path)


def test_read_file_remembers_the_whole_file(workspace: Workspace) -> None:
    path = workspace.root / "long"

    read(workspace, "long", start_line=1, end_line=2)

    workspace.check_unchanged(path, FILES["long"])
    with pytest.raises(ToolError, match="changed"):
        workspace.check_unchanged(path, FILES["long"] + b"more")

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.uses import execute, executor_in, plant, run_in, use_of
from tools import OutcomeKind

ENDS = {
    "a new file ends with a newline": (None, "x", b"x\n"),
    "an empty file stays empty": (None, "", b""),
    "a newline that is there is enough": (None, "x\n", b"x\n"),
    "several newlines are kept": (None, "x\n\n\n", b"x\n\n\n"),
    "CRLF of its own": (None, "x\r\ny", b"x\r\ny\r\n"),
    "the old one ended with a newline": (b"a\n", "x", b"x\n"),
    "the old one did not": (b"a", "x", b"x"),
    "the old one did not, the new one does": (b"a", "x\n", b"x\n"),
    "the old one was empty": (b"", "x", b"x\n"),
    "CRLF of the old one": (b"a\r\nb\r\n", "a\nc\nd", b"a\r\nc\r\nd\r\n"),
    "CR of the old one": (b"a\rb\r", "a\nc", b"a\rc\r"),
    "mixed endings beside the change": (b"a\r\nb\nc\r\n", "a\nB\nc", b"a\r\nB\nc\r\n"),
    "a byte order mark": (b"\xef\xbb\xbfa\n", "x", b"\xef\xbb\xbfx\n"),
    "an encoding": (b"caf\xe9\n", "th\u00e9", b"th\xe9\n"),
    "an encoding that lacks a character": (b"caf\xe9\n", "\u6f22", "\u6f22\n".encode()),
    "UTF-16": ("\ufeffa\r\n".encode("utf-16-le"), "x", "\ufeffx\r\n".encode("utf-16-le")),
    "binary": (b"\0\1\2", "x", b"x\n"),
}
EXACT = {
    "nothing is added": (None, "x", b"x"),
    "endings are as given": (b"a\r\nb\r\n", "a\nc\n", b"a\nc\n"),
    "a byte order mark is kept": (b"\xef\xbb\xbfa\n", "x", b"\xef\xbb\xbfx"),
}


def written(root: Path, old: bytes | None, content: str, *, exact: bool) -> bytes:
    file = root / "f.txt"
    if old is not None:
        file.write_bytes(old)
    outcome = run_in(root, use_of("write_to_file", path="f.txt", content=content), exact=exact)
    assert not outcome.failed, outcome.for_model
    return file.read_bytes()


@pytest.mark.parametrize("name", ENDS)
def test_write_keeps_how_the_file_ends(name: str, tmp_path: Path) -> None:
    old, content, new = ENDS[name]

    assert written(tmp_path, old, content, exact=False) == new


@pytest.mark.parametrize("name", EXACT)
def test_write_is_exact_where_values_are_bytes(name: str, tmp_path: Path) -> None:
    old, content, new = EXACT[name]

    assert written(tmp_path, old, content, exact=True) == new


def test_write_makes_folders_and_says_what_it_did(tmp_path: Path) -> None:
    use = use_of("write_to_file", path="a/b/c.py", content="x\ny")

    created, same, replaced = execute(
        executor_in(tmp_path), use, use, use_of("write_to_file", path="a/b/c.py", content="y")
    )

    assert created.for_model == "Created a/b/c.py (+2 -0 lines)."
    assert (same.kind, same.failed) == (OutcomeKind.UNCHANGED, False)
    assert "exactly this content already" in same.for_model
    assert replaced.for_model == "Replaced a/b/c.py (+0 -1 lines)."
    assert (tmp_path / "a/b/c.py").read_bytes() == b"y\n"


def test_write_after_the_agents_own_write_is_allowed(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "1\n"})

    outcomes = execute(
        executor_in(tmp_path),
        use_of("read_file", path="a.py"),
        use_of("write_to_file", path="a.py", content="2"),
        use_of("write_to_file", path="a.py", content="3"),
    )

    assert [outcome.failed for outcome in outcomes] == [False, False, False]
    assert (tmp_path / "a.py").read_text() == "3\n"


def test_write_of_a_file_that_has_gone_makes_a_new_one(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "1\n"})
    executor = executor_in(tmp_path)
    execute(executor, use_of("read_file", path="a.py"))
    (tmp_path / "a.py").unlink()

    outcome = execute(executor, use_of("write_to_file", path="a.py", content="2"))[0]

    assert outcome.for_model == "Created a.py (+1 -0 lines)."


def test_write_of_half_a_character_is_refused(tmp_path: Path) -> None:
    outcome = run_in(tmp_path, use_of("write_to_file", path="a", content="\ud800"))

    assert outcome.kind is OutcomeKind.INVALID
    assert list(tmp_path.iterdir()) == []

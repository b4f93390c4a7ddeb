from __future__ import annotations

from pathlib import Path

from tests.tools.uses import execute, executor_in, plant, run_in, snapshot, use_of
from tools import Outcome, OutcomeKind


def edit(root: Path, *blocks: tuple[str, str], path: str = "a.py") -> Outcome:
    diff = "\n".join(
        f"------- SEARCH\n{search}\n=======\n{replace}\n+++++++ REPLACE"
        for search, replace in blocks
    )
    return run_in(root, use_of("replace_in_file", path=path, diff=diff))


def test_replace_says_where(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "a\nb\nc\nd\n"})

    outcome = edit(tmp_path, ("d", "D\nDD"), ("a", "x\ny\nz"))

    assert outcome.for_model == "Saved a.py (+5 -2 lines): block 1 at line 6, block 2 at line 1."
    assert (tmp_path / "a.py").read_text() == "x\ny\nz\nb\nc\nD\nDD\n"


def test_replace_shows_what_it_wrote_when_it_did_not_match_literally(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "if x:\n    a()\n"})

    outcome = edit(tmp_path, ("a()", "b()"))

    assert "Block 1 matched only without indentation; it now reads:\n    b()" in outcome.for_model


def test_replace_that_changes_nothing_in_one_block_says_so(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "a\nb\n"})

    outcome = edit(tmp_path, ("a", "A"), ("b", "b"))

    assert not outcome.failed
    assert "block 1 at line 1." in outcome.for_model
    assert "identical in block 2 (line 2)" in outcome.for_model


def test_replace_there_and_back_changes_nothing(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "a\nb\n"})

    outcome = edit(tmp_path, ("a", "A"), ("A", "a"))

    assert outcome.kind is OutcomeKind.UNCHANGED


def test_replace_in_no_file_or_binary_is_told(tmp_path: Path) -> None:
    (tmp_path / "b.bin").write_bytes(b"\0\1")
    before = snapshot(tmp_path)

    gone = edit(tmp_path, ("a", "b"))
    binary = edit(tmp_path, ("a", "b"), path="b.bin")

    assert "a.py does not exist" in gone.for_model
    assert "binary" in binary.for_model
    assert snapshot(tmp_path) == before


def test_replace_with_an_empty_search_makes_a_file(tmp_path: Path) -> None:
    diff = "------- SEARCH\n=======\nx = 1\n+++++++ REPLACE"

    outcome = run_in(tmp_path, use_of("replace_in_file", path="new/a.py", diff=diff))

    assert not outcome.failed
    assert (tmp_path / "new" / "a.py").read_text() == "x = 1\n"


def test_replace_is_refused_when_the_file_changed(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "a\nb\n"})
    executor = executor_in(tmp_path)
    execute(executor, use_of("read_file", path="a.py"))
    (tmp_path / "a.py").write_text("a\nb\nc\n")
    diff = "------- SEARCH\na\n=======\nA\n+++++++ REPLACE"

    outcome = execute(executor, use_of("replace_in_file", path="a.py", diff=diff))[0]

    assert "changed since" in outcome.for_model
    assert (tmp_path / "a.py").read_text() == "a\nb\nc\n"


def test_replace_keeps_bytes_of_an_unknown_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"# caf\xe9 \x81\r\nx = 1\r\n")

    edit(tmp_path, ("x = 1", "x = 2"))

    assert (tmp_path / "a.py").read_bytes() == b"# caf\xe9 \x81\r\nx = 2\r\n"


def test_edit_keeps_bytes_that_are_no_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "f.txt"
    file.write_bytes("é\nü\n".encode() + b"\xff\n")

    told, edited = execute(
        executor_in(tmp_path),
        use_of("read_file", path="f.txt"),
        use_of(
            "replace_in_file",
            path="f.txt",
            diff="------- SEARCH\nü\n=======\nö漢\n+++++++ REPLACE",
        ),
    )

    assert "3 | �\n" in told.for_model
    assert "not UTF-8" in told.for_model
    assert not edited.failed
    assert edited.diff is not None
    assert " �\n" in edited.diff
    assert file.read_bytes() == "é\nö漢\n".encode() + b"\xff\n"

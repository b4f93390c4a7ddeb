from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.tools.differences import README, differences, markdown, readme
from tests.tools.uses import execute, executor_in, plant, rows, run_in, use_of
from tools import Outcome, OutcomeKind

CLINE = rows("search-replace-cline.jsonl")
FAULTS = {row["id"]: row for row in rows("faults-edits.jsonl")}
EDITS = [row for row in FAULTS.values() if row["input"].startswith("---")]


def ids(row: dict[str, Any]) -> str:
    return str(row["id"])


def ours(row: dict[str, Any]) -> dict[str, Any]:
    told = differences().get(row["id"], {}).get("ours")
    if told == "error":
        return {"error": True}
    return {"content": told["file"]} if told else dict(row["cline_v1"])


@pytest.mark.parametrize("row", CLINE, ids=ids)
def test_edit_does_what_cline_does_or_the_table_says(row: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "f.txt"
    file.write_bytes(row["original"].encode())
    use = use_of("replace_in_file", path="f.txt", diff=row["diff"])

    outcome = run_in(tmp_path, replace(use, partial=not row["final"]))

    after = file.read_bytes().decode()
    expected = ours(row)
    assert outcome.failed == ("error" in expected), outcome.for_model
    assert after == expected.get("content", row["original"])
    assert [path.name for path in tmp_path.iterdir()] == ["f.txt"]


@pytest.mark.parametrize("name", differences())
def test_difference_differs(name: str) -> None:
    row = next(row for row in CLINE if row["id"] == name)

    assert ours(row) != row["cline_v1"]


def test_differences_are_told_in_the_readme() -> None:
    assert README.read_text(encoding="utf-8") == readme()
    assert markdown().count("\n") > 20


def write_setup(root: Path, row: dict[str, Any]) -> Path:
    setup = row["setup"]
    file = root / str(setup.get("path", "f.txt"))
    match setup:
        case {"tree": tree}:
            plant(root, tree)
        case {"file_hex": text}:
            file.write_bytes(bytes.fromhex(text))
        case {"file_repeat": {"text": text, "times": times}}:
            file.write_bytes(text.encode() * times)
        case _:
            file.write_bytes(setup["file"].encode())
    if mode := setup.get("mode"):
        file.chmod(int(mode, 8))
    return file


def status(outcome: Outcome) -> str:
    if outcome.kind is OutcomeKind.UNCHANGED:
        return "no_change"
    return "error" if outcome.failed else "ok"


def expected_bytes(expected: dict[str, Any], before: bytes) -> bytes:
    match expected:
        case {"file_hex": text}:
            return bytes.fromhex(text)
        case {"file": "unchanged"}:
            return before
        case {"file_of_target": text} | {"file": text}:
            return str(text).encode()
        case _:
            raise AssertionError(expected)


@pytest.mark.parametrize("row", EDITS, ids=ids)
def test_edit_fault_does_not_happen(row: dict[str, Any], tmp_path: Path) -> None:
    file, expected = write_setup(tmp_path, row), row["expected"]
    before, state = file.read_bytes(), file.stat()
    start = time.monotonic()

    outcome = run_in(tmp_path, use_of("replace_in_file", path=file.name, diff=row["input"]))

    assert time.monotonic() - start < expected.get("within_s", 5)
    assert status(outcome) == expected["status"], outcome.for_model
    assert file.read_bytes() == expected_bytes(expected, before)
    for words in expected.get("error_mentions", ()):
        assert words in outcome.for_model
    for marker in expected.get("never_in_file", ()):
        assert marker not in file.read_text()
    if expected.get("mtime_unchanged"):
        assert file.stat().st_mtime_ns == state.st_mtime_ns
    if mode := expected.get("mode"):
        assert file.stat().st_mode & 0o7777 == int(mode, 8)
    if target := expected.get("link_still_points_to"):
        assert (file.is_symlink(), str(file.readlink())) == (True, target)
    if count := expected.get("replacements"):
        assert outcome.for_model.count("block ") == count


@pytest.mark.parametrize("exact", [False, True])
def test_write_keeps_legitimate_fences(exact: bool, tmp_path: Path) -> None:
    row = FAULTS["write-keeps-legitimate-fences"]
    params = json.loads(row["input"].partition(" ")[2])

    outcome = run_in(tmp_path, use_of("write_to_file", **params), exact=exact)

    assert not outcome.failed
    assert (tmp_path / "snippet.md").read_text() == row["expected"]["file"]


def test_write_is_refused_when_the_file_changed_since_it_was_read(tmp_path: Path) -> None:
    row = FAULTS["write-refused-when-file-changed-since-read"]
    params = json.loads(row["input"].partition(" ")[2])
    file = tmp_path / "a.py"
    file.write_text(row["setup"]["file"])
    executor = executor_in(tmp_path)

    execute(executor, use_of("read_file", path="a.py"))
    file.write_text("user edit\n")
    refused, _, written = execute(
        executor,
        use_of("write_to_file", **params),
        use_of("read_file", path="a.py"),
        use_of("write_to_file", path="a.py", content="both\n"),
    )

    assert refused.failed
    assert "changed since" in refused.for_model
    assert not written.failed
    assert file.read_text() == "both\n"


def test_every_fault_of_edits_is_run() -> None:
    others = {"write-keeps-legitimate-fences", "write-refused-when-file-changed-since-read"}

    assert {ids(row) for row in EDITS} | others == set(FAULTS)

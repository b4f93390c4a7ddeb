from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tools.uses import Asked, execute, executor_in, plant, rows, run_in, snapshot, use_of
from tools import ByEffect, Effect

CASES = {row["id"]: row for row in rows("faults-paths.jsonl")}
SECRET = (".env", ".env.prod", "deep/.envrc", "key.pem", "id_rsa", ".netrc", ".aws/credentials")
PLAIN = ("env.py", "pem.md", "aws/credentials", "identity.py", "src/a.py")


def use_in(row: dict[str, Any]) -> Any:
    name, _, params = row["input"].partition(" ")
    return use_of(name, **json.loads(params))


@pytest.mark.parametrize(("names", "asks"), [(SECRET, True), (PLAIN, False)])
def test_secret_files_ask_even_to_be_read(
    names: tuple[str, ...], asks: bool, tmp_path: Path
) -> None:
    plant(tmp_path, dict.fromkeys(names, "x\n"))
    asked = Asked()
    executor = executor_in(tmp_path, ByEffect({Effect.READ}, asked))

    outcomes = execute(executor, *(use_of("read_file", path=name) for name in names))

    assert not any(outcome.failed for outcome in outcomes)
    assert [request.params["path"] for request in asked.requests] == (list(names) if asks else [])


def test_secret_behind_a_link_asks(tmp_path: Path) -> None:
    plant(tmp_path, {".env": "K=1\n", "notes.txt": "-> .env"})
    asked = Asked()

    execute(executor_in(tmp_path, ByEffect(otherwise=asked)), use_of("read_file", path="notes.txt"))

    assert "keys or passwords" in asked.requests[0].cautions[0]


def test_env_file_needs_approval(tmp_path: Path) -> None:
    row = CASES["tool-env-file-needs-approval"]
    plant(tmp_path, row["setup"]["tree"])
    asked = Asked()

    execute(executor_in(tmp_path, ByEffect(otherwise=asked)), use_in(row))

    assert ["allow", "ask"][len(asked.requests)] == row["expected"]["decision"]


def test_git_folder_asks_to_be_edited_where_edits_are_allowed(tmp_path: Path) -> None:
    asked = Asked()
    executor = executor_in(tmp_path, ByEffect({Effect.EDIT}, asked))

    execute(
        executor,
        use_of("write_to_file", path=".git/hooks/pre-commit", content="x"),
        use_of("write_to_file", path=".gitignore", content="x"),
    )

    assert [request.params["path"] for request in asked.requests] == [".git/hooks/pre-commit"]


def test_directory_is_not_written(tmp_path: Path) -> None:
    row = CASES["tool-write-to-directory-path"]
    plant(tmp_path, row["setup"]["tree"])
    before = snapshot(tmp_path)

    outcomes = execute(
        executor_in(tmp_path), use_in(row), use_of("write_to_file", path="new/", content="x")
    )

    assert all(outcome.failed and "directory" in outcome.for_model for outcome in outcomes)
    assert snapshot(tmp_path) == before


def test_sibling_folder_is_refused(tmp_path: Path) -> None:
    row = CASES["sec-sibling-prefix-directory"]
    plant(tmp_path, {"proj/a": "a", "proj-secret/key": "k"})

    outcome = run_in(tmp_path / "proj", use_in(row))

    assert outcome.failed
    assert "outside the workspace" in outcome.for_model


def test_dangling_link_does_not_lead_out(tmp_path: Path) -> None:
    row = CASES["sec-symlink-escape-new-file"]
    plant(tmp_path, {"w/": None, "outside/": None})
    plant(tmp_path / "w", row["setup"]["tree"])

    outcome = run_in(tmp_path / "w", use_in(row))

    assert outcome.failed
    assert list((tmp_path / "outside").iterdir()) == []

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.bench.launch import PROMPT, Request, Screen, command, environment, imported

HEAVY = {
    *("ast_grep_py", "asyncio", "click", "httpx", "mcp", "prompt_toolkit", "pydantic"),
    *("pydantic_settings", "pygments", "rich", "sqlite3"),
}


def flagged(flag: str) -> Callable[[Path, Path], None]:
    def start(home: Path, listing: Path) -> None:
        line = command(flag, imports=listing)
        subprocess.run(line, env=environment(home), cwd=home, stdout=subprocess.DEVNULL, check=True)

    return start


def first_prompt(home: Path, listing: Path) -> None:
    line = command("--base-url", "http://127.0.0.1:9/v1", "--model", "m", imports=listing)
    with closing(Screen(line, environment(home), home)) as screen:
        screen.wait_for(PROMPT)


def first_request(home: Path, listing: Path) -> None:
    def line(url: str) -> list[str]:
        return command("--base-url", url, "--model", "m", "-p", "hello", imports=listing)

    with closing(Request(line, home)) as request:
        assert request.first_byte() == b"P"


@pytest.mark.parametrize(
    ("start", "allowed"),
    [
        pytest.param(flagged("--version"), set[str](), id="--version"),
        pytest.param(flagged("--help"), {"click"}, id="--help"),
        pytest.param(first_prompt, {"asyncio", "click", "prompt_toolkit", "sqlite3"}, id="prompt"),
        pytest.param(
            first_request, {"asyncio", "click", "httpx", "pydantic", "sqlite3"}, id="request"
        ),
    ],
)
def test_imports_stay_within_what_is_needed_by_then(
    tmp_path: Path, start: Callable[[Path, Path], None], allowed: set[str]
) -> None:
    listing = tmp_path / "imports.txt"

    start(tmp_path, listing)
    found = imported(listing)

    assert "ui" in found
    assert found & HEAVY <= allowed, sorted(found)

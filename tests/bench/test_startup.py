from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests.bench.launch import PROMPT, Request, Screen, command, environment
from tests.bench.report import Ratio

pytestmark = pytest.mark.bench


def run(line: list[str], home: Path) -> None:
    subprocess.run(
        line,
        env=environment(home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
    )


def bare(home: Path) -> None:
    run([sys.executable, "-c", "pass"], home)


@pytest.fixture
def started() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.parametrize(("flag", "limit"), [("--version", 4), ("--help", 8)])
def test_startup_of_a_flag_is_quick(ratio: Ratio, tmp_path: Path, flag: str, limit: float) -> None:
    ratio(
        f"tagline {flag}",
        lambda: run(command(flag), tmp_path),
        floor=lambda: bare(tmp_path),
        limit=limit,
        rounds=7,
    )


def test_startup_shows_the_first_prompt_quickly(
    ratio: Ratio, tmp_path: Path, started: ExitStack
) -> None:
    line = command("--base-url", "http://127.0.0.1:9/v1", "--model", "m")

    def prompted() -> None:
        screen = started.enter_context(closing(Screen(line, environment(tmp_path), tmp_path)))
        screen.wait_for(PROMPT)

    ratio(
        "first prompt on the screen",
        prompted,
        floor=lambda: bare(tmp_path),
        limit=30,
        after=lambda: started.pop_all().close(),
    )


def test_startup_sends_the_first_byte_quickly(
    ratio: Ratio, tmp_path: Path, started: ExitStack
) -> None:
    def line(url: str) -> list[str]:
        return command("--base-url", url, "--model", "m", "-p", "hello")

    def asked() -> None:
        assert started.enter_context(closing(Request(line, tmp_path))).first_byte() == b"P"

    ratio(
        "headless start to first byte",
        asked,
        floor=lambda: bare(tmp_path),
        limit=30,
        after=lambda: started.pop_all().close(),
    )

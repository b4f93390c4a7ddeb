"""The demo's project: three small files' worth of it, with tests that fail, and how they stand."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from tools.environment import command_environment
from ui.demo.places import FOLDER
from ui.demo.player import tests_command

_FILES = ("shop.py", "test_shop.py")
_COUNT = re.compile(r"^Ran (\d+) tests?", re.MULTILINE)
_FAILED = re.compile(r"(?:failures|errors)=(\d+)")


@dataclass(frozen=True, slots=True)
class Tests:
    """How the tests stand, as they were really run."""

    count: int
    failed: int
    green: bool

    def __str__(self) -> str:
        if self.green:
            return f"{self.count} passed"
        return f"{self.failed} of {self.count} failed" if self.count else "did not run"


def make() -> Path:
    """Make a fresh workspace; it stays until somebody removes it."""
    place = Path(tempfile.mkdtemp(prefix=FOLDER)).resolve()
    for name in _FILES:
        (place / name).write_text(_original(name), "utf-8")
    return place


def changed(place: Path) -> list[str]:
    """Name the files that are new or not as they were."""
    found = sorted(path for path in place.iterdir() if path.is_file())
    return [path.name for path in found if _differs(path)]


def run_tests(place: Path) -> Tests:
    """Run the project's tests in a process of their own."""
    ran = subprocess.run(
        tests_command(),
        shell=True,
        cwd=place,
        env=command_environment(os.environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=60,
        check=False,
    )
    count = _COUNT.search(ran.stdout)
    failed = sum(map(int, _FAILED.findall(ran.stdout)))
    return Tests(int(count[1]) if count else 0, failed, ran.returncode == 0)


def remove(place: Path) -> None:
    """Remove a workspace of the demo's, and nothing else."""
    if place.name.startswith(FOLDER):
        shutil.rmtree(place, ignore_errors=True)


def _original(name: str) -> str:
    return files("ui.demo").joinpath("project", f"{name}.txt").read_text("utf-8")


def _differs(path: Path) -> bool:
    if path.name not in _FILES:
        return True
    return path.read_bytes() != _original(path.name).encode()

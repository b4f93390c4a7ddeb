from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.source import ROOT
from tests.tools.processes import end_all_in, living_in
from tools.environment import command_environment
from tools.process import Ran, run_command

CASES: list[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("corpus").joinpath("commands.toml").read_text("utf-8")
)["case"]
MEASURED = """
import asyncio, pathlib, sys
from tools.process import run_command
asyncio.run(run_command(sys.argv[1], cwd=pathlib.Path(), timeout_s=float(sys.argv[2])))
status = pathlib.Path("/proc/self/status").read_text()
print(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path.resolve()
    end_all_in(tmp_path.resolve())


def run(command: str, folder: Path, timeout_s: float = 10, **more: Any) -> Ran:
    return asyncio.run(run_command(command, cwd=folder, timeout_s=timeout_s, **more))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_process_does_what_the_corpus_says(case: dict[str, Any], folder: Path) -> None:
    environment = command_environment({**os.environ, **case.get("environment", {})})

    begin = time.monotonic()
    ran = run(case["command"], folder, case.get("timeout_s", 10), environment=environment)
    took = time.monotonic() - begin

    ends = case.keys() & {"signal", "timed_out"}
    assert ran.exit_code == case.get("exit_code", None if ends else 0)
    assert ran.signal == case.get("signal")
    assert ran.timed_out == case.get("timed_out", False)
    assert ran.text == case.get("text", ran.text)
    assert [piece for piece in case.get("contains", ()) if piece not in ran.text] == []
    assert [piece for piece in case.get("excludes", ()) if piece in ran.text] == []
    assert f"... {ran.omitted} bytes omitted ..." in ran.text or not case.get("omitted")
    assert len(ran.text) <= case.get("most_chars", 40_000)
    assert took <= case.get("within_s", took)
    if "survivors" in case:
        assert len(living_in(folder)) == case["survivors"]


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case["id"]) for case in CASES if "most_mb" in case]
)
def test_process_takes_little_memory(case: dict[str, Any], folder: Path) -> None:
    command = [sys.executable, "-c", MEASURED, case["command"], str(case["timeout_s"])]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    measured = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)

    assert int(measured.stdout) / 1024 < case["most_mb"]


def test_process_tells_what_it_left_running(folder: Path) -> None:
    ran = run("sleep 60 & sleep 60 & echo $!", folder)

    assert list(ran.running) == living_in(folder)
    assert int(ran.text) in ran.running


@pytest.mark.parametrize("times", [1, 3])
def test_process_ends_the_tree_when_cancelled(times: int, folder: Path) -> None:
    async def cancelled() -> None:
        begun = asyncio.Event()
        command = "setsid sleep 300 & sh -c 'sleep 300' & echo begun; trap '' TERM; sleep 300"
        work = asyncio.create_task(
            run_command(command, cwd=folder, timeout_s=60, on_output=lambda _: begun.set())
        )
        await asyncio.wait_for(begun.wait(), 10)
        assert len(living_in(folder)) >= 3
        for _ in range(times):
            work.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await work
        assert living_in(folder) == []

    asyncio.run(cancelled())


def test_process_leaves_nothing_when_cancelled_at_once(folder: Path) -> None:
    async def cancelled() -> None:
        work = asyncio.create_task(run_command("sleep 300", cwd=folder, timeout_s=60))
        await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert living_in(folder) == []

    asyncio.run(cancelled())


def test_process_leaves_another_command_alone(folder: Path) -> None:
    async def two() -> tuple[Ran, Ran]:
        long = run_command("sleep 1; echo whole", cwd=folder, timeout_s=20)
        short = run_command("sleep 300", cwd=folder, timeout_s=0.2)
        return await asyncio.gather(long, short)

    long, short = asyncio.run(two())

    assert (long.text, long.exit_code, short.timed_out) == ("whole\n", 0, True)


def test_process_keeps_the_pipe_of_what_runs_on(folder: Path) -> None:
    os.mkfifo(folder / "fifo")
    command = "(sleep 0.6; seq 100000; echo alive > fifo) & echo started"

    async def after() -> str:
        ran = await run_command(command, cwd=folder, timeout_s=10)
        assert ran.text == "started\n"
        return await asyncio.wait_for(asyncio.to_thread((folder / "fifo").read_text), 20)

    assert asyncio.run(after()) == "alive\n"


def test_process_tells_output_as_it_comes(folder: Path) -> None:
    told: list[str] = []
    command = r"printf '\033[31mone\033[0m\r'; cat gate; printf 'two\n'"
    os.mkfifo(folder / "gate")

    def listen(text: str) -> None:
        if not told:
            (folder / "gate").write_text("")
        told.append(text)

    ran = run(command, folder, on_output=listen)

    assert told == ["one\r", "two\n"]
    assert ran.text == "two\n"


def test_process_tells_a_flood_in_bounded_pieces(folder: Path) -> None:
    told: list[str] = []

    ran = run("yes | head -c 20000000; echo LAST", folder, 60, on_output=told.append)

    assert max(map(len, told)) < 9_000
    assert len(told) < 25 * ran.duration_s + 2
    assert told[-1].endswith("y\nLAST\n")


def test_process_says_when_it_cannot_start(folder: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))

    with pytest.raises(OSError, match="missing"):
        run("echo", folder / "missing")
    with pytest.raises(ValueError, match="null"):
        run("echo \0", folder)
    with pytest.raises(OSError, match="too long"):
        run("#" + "x" * 3_000_000, folder)

    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_process_leaks_no_descriptor(folder: Path) -> None:
    run("echo", folder)
    before = len(list(Path("/proc/self/fd").iterdir()))

    for _ in range(5):
        run("echo; exit 1", folder)

    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_process_shows_no_key_of_the_start_environment(folder: Path) -> None:
    script = (
        "import asyncio, os, pathlib; from tools.process import run_command; "
        "command = 'cat /proc/$PPID/environ'; "
        "ran = asyncio.run(run_command(command, cwd=pathlib.Path(), timeout_s=10, "
        "secrets=['sk-4'])); "
        "print(ran.text, os.environ['OPENAI_API_KEY'], sep='|')"
    )
    keys = {
        "OPENAI_API_KEY": "sk-1",
        "HF_TOKEN": "sk-2",
        "TAGLINE_API_KEY": "sk-3",
        "ODD": "x sk-4",
    }
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SEEN": "seen", **keys}
    command = [sys.executable, "-c", script]

    shown = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)

    text, _, own = shown.stdout.decode().rpartition("|")
    assert "SEEN=seen" in text
    assert "OPENAI_API_KEY=" in text
    assert "sk-" not in text
    assert own == "sk-1\n"


def test_process_falls_back_to_sh(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    empty = tmp_path_factory.mktemp("empty")

    ran = run("echo $0", folder, environment={"PATH": str(empty)})

    assert (ran.text, ran.exit_code) == ("/bin/sh\n", 0)

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from tests.tools.processes import living_in
from tests.tools.uses import use_of
from tools import AllowAll, Executor, default_tools
from tools.consent import Effect
from tools.errors import BadArguments, NotPermitted
from tools.execute_command import ExecuteCommand
from tools.outcome import Outcome, OutcomeKind
from tools.tool import Context
from tools.workspace import Workspace


def run(folder: Path, command: str, *, limit: float = 10, **more: Any) -> Outcome:
    tool = ExecuteCommand().bind({"command": command, **more})
    return asyncio.run(tool.run(Context(Workspace(folder), command_timeout=limit)))


@pytest.mark.parametrize(
    ("command", "text", "code"),
    [
        ("echo out; echo err >&2; exit 7", r"out\nerr\n\nExit code 7 after \d\.\d s\.", 7),
        ("echo fine", r"fine\n\nExit code 0 after \d\.\d s\.", 0),
        ("true", r"\(no output\)\n\nExit code 0 after \d\.\d s\.", 0),
        ("kill -TERM $$", r"\(no output\)\n\nEnded by signal SIGTERM after \d\.\d s\.", -15),
        ("(kill -9 $BASHPID); exit $?", r".*Exit code 137 \(as after SIGKILL\) after .*", 137),
    ],
)
def test_execute_command_tells_output_first_and_then_the_end(
    command: str, text: str, code: int, tmp_path: Path
) -> None:
    outcome = run(tmp_path, command)

    assert re.fullmatch(text, outcome.for_model, re.DOTALL)
    assert (outcome.exit_code, outcome.failed, outcome.kind) == (code, False, OutcomeKind.DONE)


@pytest.mark.parametrize(("limit", "more"), [(0.3, {}), (60, {"timeout": 0.3})])
def test_execute_command_tells_how_long_it_ran_when_its_time_was_up(
    limit: float, more: dict[str, float], tmp_path: Path
) -> None:
    outcome = run(tmp_path, "echo begun; sleep 300", limit=limit, **more)

    assert outcome.for_model.startswith(
        "begun\n\nTimed out: the command was still running after 0."
    )
    assert "(limit 0.3 s)" in outcome.for_model
    assert (outcome.exit_code, outcome.failed) == (None, True)
    assert outcome.kind is OutcomeKind.FAILED


def test_execute_command_names_what_runs_on(tmp_path: Path) -> None:
    outcome = run(tmp_path, "sleep 60 & echo $!")
    pid = int(outcome.for_model.split()[0])

    run(tmp_path, f"kill {pid}")

    assert outcome.for_model.endswith(f"Still running in the background: process {pid}.")


def test_execute_command_runs_in_the_workspace(tmp_path: Path) -> None:
    assert run(tmp_path, "pwd -P").for_model.startswith(f"{tmp_path.resolve()}\n")


@pytest.mark.parametrize("command", ["", "  \n", "echo \0", "echo \ud800"])
def test_execute_command_refuses_what_no_shell_takes(command: str, tmp_path: Path) -> None:
    with pytest.raises(BadArguments):
        run(tmp_path, command)


def test_execute_command_says_what_to_do_with_a_giant_command(tmp_path: Path) -> None:
    with pytest.raises(NotPermitted, match="write_to_file"):
        run(tmp_path, "#" + "x" * 3_000_000)


@pytest.mark.parametrize("timeout", [0, -1, 1e9, "soon"])
def test_execute_command_takes_no_odd_timeout(timeout: object, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="timeout"):
        run(tmp_path, "true", timeout=timeout)


@pytest.mark.parametrize(("wish", "cautions"), [(None, 0), (False, 0), (True, 1)])
def test_execute_command_lets_the_model_add_a_question_only(
    wish: bool | None, cautions: int, tmp_path: Path
) -> None:
    given = {"command": "rm -rf x"} | ({} if wish is None else {"requires_approval": wish})
    tool = ExecuteCommand().bind(given)
    context = Context(Workspace(tmp_path))
    preview = tool.preview(context)

    assert ExecuteCommand.effect is Effect.RUN
    assert len(tool.cautions(context)) == cautions
    assert preview is not None
    assert preview.command == "rm -rf x"


def test_execute_command_hides_the_agents_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-the-model")

    outcome = run(tmp_path, "env")

    assert "PATH=" in outcome.for_model
    assert "sk-not-for-the-model" not in outcome.for_model


def test_execute_command_gets_the_environment_it_is_given(tmp_path: Path) -> None:
    context = Context(Workspace(tmp_path), environment={"PATH": "/usr/bin:/bin", "ONLY": "this"})

    outcome = asyncio.run(ExecuteCommand().bind({"command": "echo $ONLY-$HOME-"}).run(context))

    assert outcome.for_model.startswith("this--\n")


def test_execute_command_ends_with_the_executor_that_runs_it(tmp_path: Path) -> None:
    heard: list[tuple[str, str]] = []

    async def cancelled() -> None:
        begun = asyncio.Event()

        def listen(call_id: str, text: str) -> None:
            heard.append((call_id, text))
            begun.set()

        executor = Executor(
            default_tools(), Workspace(tmp_path), AllowAll(), command_timeout=60, on_output=listen
        )
        use = use_of("execute_command", command="setsid sleep 300 & echo begun; sleep 300")
        work = asyncio.create_task(executor.execute(use, "call-1"))
        await asyncio.wait_for(begun.wait(), 10)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        assert living_in(tmp_path.resolve()) == []

    asyncio.run(cancelled())

    assert heard == [("call-1", "begun\n")]

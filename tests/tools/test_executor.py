from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import BaseModel

from parsing import ToolUse
from tests.tools.uses import Asked, execute, executor_in, plant, run_in, snapshot, use_of
from tools import (
    AllowAll,
    ByEffect,
    Context,
    Effect,
    Executor,
    Outcome,
    OutcomeKind,
    RefuseAll,
    Request,
    Tool,
    ToolSet,
    Workspace,
    default_tools,
)
from tools.consent import Allow, Decision

WRITE = use_of("write_to_file", path="a.py", content="x = 1")
EDIT = "------- SEARCH\nx = 1\n=======\nx = 2\n+++++++ REPLACE"


@pytest.mark.parametrize(
    ("use", "words"),
    [
        (use_of("red_file", path="a"), ("no tool named 'red_file'", "Did you mean read_file?")),
        (use_of("Write-To-File", path="a"), ("Did you mean write_to_file?", "execute_command")),
        (use_of(""), ("no tool named ''",)),
        (use_of("x" * 5000), ("no tool named",)),
        (use_of("teleport"), ("no tool named 'teleport'. The tools are: read_file",)),
        (replace(WRITE, partial=True), ("cut off", "was not run")),
        (replace(WRITE, fault="<content> is not closed"), ("<content> is not closed", "not run")),
        (use_of("write_to_file", path="a.py"), ("content: missing", "path (required)")),
        (
            use_of("write_to_file", file_path="a.py", content="x"),
            ("path: missing", "file_path: no such parameter; did you mean path?"),
        ),
        (
            use_of("read_file", path="a.py", start_line="ten"),
            ('start_line: found "ten", expected a whole number',),
        ),
        (use_of("read_file", path=5), ("path: found 5, expected text",)),
        (
            use_of("ask_followup_question", question="", options="a or b"),
            (
                'question: found "", expected String should have at least 1 character',
                'options: found "a or b", expected a JSON array',
            ),
        ),
        (ToolUse("write_to_file"), ("path: missing", "content: missing")),
    ],
    ids=lambda value: value.name if isinstance(value, ToolUse) else "",
)
def test_call_that_cannot_run_is_told(use: ToolUse, words: Sequence[str], tmp_path: Path) -> None:
    asked = Asked()

    outcome = execute(executor_in(tmp_path, asked), use)[0]

    assert (outcome.failed, outcome.kind) == (True, OutcomeKind.INVALID)
    for each in words:
        assert each in outcome.for_model
    assert asked.requests == []
    assert snapshot(tmp_path) == {}


def test_consent_sees_what_will_be_done(tmp_path: Path) -> None:
    asked = Asked()

    created, edited = execute(
        executor_in(tmp_path, asked), WRITE, use_of("replace_in_file", path="a.py", diff=EDIT)
    )

    assert [(each.call_id, each.tool, each.effect) for each in asked.requests] == [
        ("call0000", "write_to_file", Effect.EDIT),
        ("call0001", "replace_in_file", Effect.EDIT),
    ]
    previews = [each.preview for each in asked.requests if each.preview]
    assert [each.summary for each in previews] == [
        "create a.py (+1 -0 lines)",
        "edit a.py (+1 -1 lines)",
    ]
    assert previews[0].diff == "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+x = 1\n"
    assert (created.diff, edited.diff) == (previews[0].diff, previews[1].diff)
    assert asked.requests[0].params == {"path": "a.py", "content": "x = 1"}
    assert (tmp_path / "a.py").read_bytes() == b"x = 2\n"


def test_values_are_exact_for_the_calls_that_say_so(tmp_path: Path) -> None:
    executor = executor_in(tmp_path)

    execute(executor, WRITE, exact=True)
    assert (tmp_path / "a.py").read_bytes() == b"x = 1"
    execute(executor, use_of("write_to_file", path="b.py", content="x = 1"))
    assert (tmp_path / "b.py").read_bytes() == b"x = 1\n"


def test_commands_get_an_environment_without_secrets(tmp_path: Path) -> None:
    executor = Executor(
        default_tools(),
        Workspace(tmp_path),
        AllowAll(),
        environment={"PATH": "/usr/bin:/bin", "ODD": "k-123", "OPENAI_API_KEY": "o", "KEPT": "yes"},
        secrets=["k-123"],
    )

    told = execute(executor, use_of("execute_command", command="echo $KEPT; env"))[0].for_model

    assert told.startswith("yes\n")
    assert "k-123" not in told
    assert "OPENAI" not in told


def test_refusal_is_told_with_its_words(tmp_path: Path) -> None:
    plain = execute(executor_in(tmp_path, RefuseAll()), WRITE)[0]
    words = execute(executor_in(tmp_path, RefuseAll("use two blanks")), WRITE)[0]

    assert (plain.failed, plain.kind) == (True, OutcomeKind.REFUSED)
    assert "refused" in plain.for_model
    assert "<feedback>\nuse two blanks\n</feedback>" in words.for_model
    assert snapshot(tmp_path) == {}


def test_an_edit_that_cannot_be_made_is_not_asked(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "y\n"})
    asked = Asked()

    outcome = execute(
        executor_in(tmp_path, asked), use_of("replace_in_file", path="a.py", diff=EDIT)
    )[0]

    assert outcome.kind is OutcomeKind.FAILED
    assert asked.requests == []


def test_what_changed_while_asking_is_not_written(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "x = 0\n"})

    class Meddles:
        async def decide(self, request: Request) -> Decision:
            (tmp_path / "a.py").write_text("mine\n")
            return Allow()

    outcome = execute(executor_in(tmp_path, Meddles()), WRITE)[0]

    assert outcome.failed
    assert "changed while consent was asked" in outcome.for_model
    assert (tmp_path / "a.py").read_text() == "mine\n"


def test_reading_is_free_and_the_rest_asks(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "x\n"})
    asked = Asked()

    execute(
        executor_in(tmp_path, ByEffect(otherwise=asked)),
        use_of("read_file", path="a.py"),
        use_of("list_files", path="."),
        use_of("attempt_completion", result="done"),
        WRITE,
        use_of("execute_command", command="true"),
    )

    assert [each.tool for each in asked.requests] == ["write_to_file", "execute_command"]


class NoParameters(BaseModel):
    pass


class Breaks(Tool[NoParameters]):
    name = "breaks"
    description = "Breaks."
    effect = Effect.READ
    time_limit = 0.05
    Parameters = NoParameters

    def __init__(self, error: BaseException | None) -> None:
        self.error = error

    async def run(self, params: NoParameters, context: Context) -> Outcome:
        if self.error is None:
            await asyncio.Event().wait()
        else:
            raise self.error
        raise AssertionError


def breaking(root: Path, error: BaseException | None) -> Executor:
    return Executor(ToolSet([Breaks(error)]), Workspace(root), AllowAll())


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ZeroDivisionError("by zero"), "breaks broke down (ZeroDivisionError: by zero)"),
        (OSError(28, "No space left"), "No space left"),
        (TimeoutError("of its own"), "TimeoutError: of its own"),
        (RecursionError("deep"), "deep"),
        (None, "took longer than 0.05 s"),
        (ValueError("half \ud800"), "half �"),
    ],
)
def test_tool_that_breaks_is_an_outcome(
    error: BaseException | None, words: str, tmp_path: Path
) -> None:
    outcome = execute(breaking(tmp_path, error), ToolUse("breaks"))[0]

    assert (outcome.failed, outcome.kind) == (True, OutcomeKind.FAILED)
    assert words in outcome.for_model
    outcome.for_model.encode()


def test_cancellation_passes_through(tmp_path: Path) -> None:
    with pytest.raises(asyncio.CancelledError):
        execute(breaking(tmp_path, asyncio.CancelledError()), ToolUse("breaks"))


def test_consent_that_breaks_runs_nothing(tmp_path: Path) -> None:
    class Breaking:
        async def decide(self, request: Request) -> Decision:
            raise ConnectionError("screen is gone")

    outcome = execute(executor_in(tmp_path, Breaking()), WRITE)[0]

    assert outcome.failed
    assert "screen is gone" in outcome.for_model
    assert snapshot(tmp_path) == {}


def test_slips_are_told_once(tmp_path: Path) -> None:
    slip = "`</path >` was read as `</path>`"
    use = replace(WRITE, repaired=(slip,))

    first, second = execute(executor_in(tmp_path), use, use)

    assert first.for_model.count(slip) == 1
    assert not first.failed
    assert slip not in second.for_model


def test_parameter_that_is_none_is_ignored_and_told(tmp_path: Path) -> None:
    outcome = run_in(
        tmp_path, use_of("write_to_file", path="a", content="x", task_progress="- [ ]")
    )

    assert not outcome.failed
    assert "write_to_file has no parameter task_progress; it was ignored" in outcome.for_model


def test_entities_in_a_command_stay_and_are_told(tmp_path: Path) -> None:
    asked = Asked()
    command = "echo a &amp;&amp; echo b"
    executor = executor_in(tmp_path, ByEffect({Effect.READ, Effect.RUN}, asked))

    outcome = execute(executor, use_of("execute_command", command=command))[0]

    request = asked.requests[0]
    assert request.preview is not None
    assert (request.preview.command, request.params["command"]) == (command, command)
    assert "&amp;&amp; as written" in request.cautions[0]
    assert "If && was meant, send it again with &&." in outcome.for_model


def test_null_for_what_may_be_left_out_is_left_out(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": "x\n"})

    outcome = run_in(tmp_path, use_of("read_file", path="a.py", start_line=None))

    assert not outcome.failed

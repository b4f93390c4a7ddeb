"""execute_command: a shell command, run to its end in the workspace.

A command that fails is a normal result: its output first, then how it ended.
"""

import signal
from typing import Annotated

from pydantic import BaseModel, Field

from tools.consent import Effect, Preview
from tools.errors import BadArguments, NotPermitted
from tools.outcome import Outcome, OutcomeKind
from tools.process import Ran, run_command
from tools.tool import Context, Tool

_LONGEST_TIMEOUT_S = 3600
_SIGNALLED = {130: "SIGINT", 134: "SIGABRT", 137: "SIGKILL", 139: "SIGSEGV", 143: "SIGTERM"}


class ExecuteCommandParameters(BaseModel):
    """What the model gives."""

    command: Annotated[str, Field(description="The command line for bash.")]
    requires_approval: Annotated[
        bool, Field(description="true to have the user asked in any case.")
    ] = False
    timeout: Annotated[
        float | None,
        Field(
            description="Seconds it may take; more for a long build.", gt=0, le=_LONGEST_TIMEOUT_S
        ),
    ] = None


class ExecuteCommand(Tool[ExecuteCommandParameters]):
    """Runs a command; `requires_approval` can only add a question."""

    name = "execute_command"
    description = (
        "Run a shell command in the workspace and read its output (stdout and stderr together) "
        "and exit code. There is nobody at its keyboard: use flags that answer questions. Start "
        "what must go on running, such as a server, as `... > log 2>&1 &`."
    )
    effect = Effect.RUN
    time_limit = None
    Parameters = ExecuteCommandParameters

    def preview(self, params: ExecuteCommandParameters, context: Context) -> Preview:
        return Preview("run a command", command=_checked(params.command))

    def cautions(self, params: ExecuteCommandParameters, context: Context) -> tuple[str, ...]:
        return ("the model wants you to decide on this",) if params.requires_approval else ()

    async def run(self, params: ExecuteCommandParameters, context: Context) -> Outcome:
        timeout = params.timeout or context.command_timeout
        try:
            ran = await run_command(
                _checked(params.command),
                cwd=context.workspace.root,
                timeout_s=timeout,
                on_output=context.on_output,
                environment=context.environment,
                secrets=context.secrets,
            )
        except OSError as error:
            raise _not_started(params.command, error) from error
        return _outcome(ran, timeout)


def _checked(command: str) -> str:
    if not command.strip():
        raise BadArguments("The command is empty. Write the command line to run.")
    if "\0" in command:
        raise BadArguments("The command holds a NUL character, which no shell takes.")
    try:
        command.encode()
    except UnicodeEncodeError as error:
        raise BadArguments("The command holds half a character (a surrogate).") from error
    return command


def _not_started(command: str, error: OSError) -> NotPermitted:
    size = len(command.encode())
    hint = (
        f" The command is {size} bytes long: put it into a file with write_to_file and run that."
        if size > 100_000
        else ""
    )
    return NotPermitted(f"The command could not be started: {error}.{hint}")


def _outcome(ran: Ran, timeout: float) -> Outcome:
    ending = _ending(ran, timeout)
    output = ran.text.rstrip("\n")
    told = f"{output}\n\n{ending}" if output.strip() else f"(no output)\n\n{ending}"
    if ran.running:
        pids = ", ".join(str(pid) for pid in ran.running)
        told += f"\nStill running in the background: process {pids}."
    number = None if ran.signal is None else _signal_number(ran.signal)
    return Outcome(
        for_model=told,
        for_person=ending,
        failed=ran.timed_out,
        kind=OutcomeKind.FAILED if ran.timed_out else OutcomeKind.DONE,
        exit_code=ran.exit_code if number is None else -number,
    )


def _ending(ran: Ran, timeout: float) -> str:
    after = f"after {ran.duration_s:.1f} s"
    if ran.timed_out:
        return (
            f"Timed out: the command was still running {after} (limit {timeout:g} s), so it and "
            "all its processes were ended. Above is its output until then."
        )
    if ran.signal is not None:
        return f"Ended by signal {ran.signal} {after}."
    as_after = _SIGNALLED.get(ran.exit_code or 0)
    return f"Exit code {ran.exit_code}{f' (as after {as_after})' if as_after else ''} {after}."


def _signal_number(name: str) -> int:
    known = signal.Signals.__members__.get(name)
    return known.value if known is not None else int(name.removeprefix("signal "))

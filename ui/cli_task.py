"""The command without a sub-command: an agent run, interactive or headless."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict, Unpack

import click

from ui import VERSION
from ui.cli_doors import DOORS
from ui.cli_help import HELP_NAMES, Listed, Plain, columns
from ui.exits import MEANINGS
from ui.options import ForeignPolicy, Mode, Options, OutputFormat, Protocol

_USAGE = (
    ("tagline", "an interactive session in this folder"),
    ('tagline "task"', "the same, beginning with a task"),
    ('tagline -p "task"', "no screen: the answer on stdout, progress on stderr"),
    ('command | tagline -p "task"', "what the command prints joins the task"),
    ("tagline COMMAND [OPTIONS]", "one of the commands below; each has its own --help"),
)
_EXAMPLES = (
    ("tagline demo", "see it work; nothing to set up"),
    ("tagline --base-url http://localhost:8080/v1", "talk to a server of your own"),
    ('tagline -p "mend the failing test" --yes', "in a script, everything allowed"),
    ('git diff | tagline -p "review this"', "a question about what a command prints"),
    ("tagline --continue", "go on with the latest session"),
)
_ENVIRONMENT = (
    ("TAGLINE_BASE_URL, TAGLINE_MODEL, TAGLINE_API_KEY", "server, model, key; so for any setting"),
    ("OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, OLLAMA_HOST", "as others name them"),
    ("TAGLINE_ALLOW", "what is not asked about: edit, run, or both (edit,run); reading never is"),
    ("TAGLINE_CONFIG, TAGLINE_STATE", "another configuration file; another folder for sessions"),
    ("NO_COLOR", "no colour"),
)
_CONFIGURATION = (
    "~/.config/tagline/config.toml (macOS: ~/Library/Application Support/tagline/config.toml)"
)
_TAIL = "\n\n".join(
    f"{title}:\n{columns(rows)}"
    for title, rows in (
        ("Commands", tuple(DOORS.items())),
        ("Examples", _EXAMPLES),
        ("Environment", _ENVIRONMENT),
        ("Exit codes", tuple((str(int(code)), meaning) for code, meaning in MEANINGS)),
    )
)


class Run(Listed):
    """An option of how a run goes."""

    heading = "Run"


class Sessions(Listed):
    """An option about recorded sessions."""

    heading = "Sessions"


class Model(Listed):
    """An option about who answers."""

    heading = "Model"


class Reading(Listed):
    """An option of how answers are read."""

    heading = "Reading"


class Said(TypedDict):
    """The options by name, as click gives them."""

    headless: bool
    output_format: OutputFormat
    allow_all: bool
    directory: Path | None
    max_turns: int | None
    timeout_s: float | None
    continue_latest: bool
    resume: str | None
    model: str | None
    base_url: str | None
    provider: str | None
    local: bool
    script: Path | None
    protocol: Protocol | None
    dialect: str | None
    mode: Mode | None
    foreign_calls: ForeignPolicy | None


def _tell_version(ctx: click.Context, _param: click.Parameter, asked: bool) -> None:  # noqa: FBT001 - click calls it so
    if asked:
        click.echo(f"tagline {VERSION}")
        ctx.exit()


@click.command(
    cls=Plain,
    context_settings=HELP_NAMES,
    help="Tagline is a coding agent for the terminal, for any model that can write text.\n\n"
    f"Usage:\n{columns(_USAGE)}",
    epilog=f"{_TAIL}\n\nConfiguration: {_CONFIGURATION}",
)
@click.argument("words", metavar="[TASK]", nargs=-1)
@click.option(
    "-p", "--print", "headless", is_flag=True, cls=Run, help="no screen; print the answer and end"
)
@click.option(
    "--output-format",
    type=click.Choice(["text", "json", "stream-json"]),
    default="text",
    cls=Run,
    help="what stdout gets with -p (default: text)",
)
@click.option(
    "-y",
    "--yes",
    "allow_all",
    is_flag=True,
    cls=Run,
    help="allow every edit and every command without asking",
)
@click.option(
    "-C",
    "--cd",
    "directory",
    metavar="DIR",
    type=click.Path(path_type=Path),
    cls=Run,
    help="work in this folder",
)
@click.option(
    "--max-turns",
    type=click.IntRange(min=1),
    metavar="N",
    cls=Run,
    help="end with exit code 3 after N requests to the model",
)
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    cls=Run,
    help="end with exit code 3 after this time",
)
@click.option(
    "-c",
    "--continue",
    "continue_latest",
    is_flag=True,
    cls=Sessions,
    help="go on with the latest session",
)
@click.option(
    "-r",
    "--resume",
    metavar="[ID]",
    is_flag=False,
    flag_value="",
    cls=Sessions,
    help="go on with this session; without ID, choose one",
)
@click.option(
    "-m", "--model", metavar="NAME", cls=Model, help="the model's name as the server knows it"
)
@click.option(
    "--base-url", metavar="URL", cls=Model, help="the server, for example http://localhost:11434/v1"
)
@click.option(
    "--provider",
    metavar="NAME",
    cls=Model,
    help="openai (any compatible server; default), anthropic, ollama, ...",
)
@click.option(
    "--local",
    is_flag=True,
    cls=Model,
    help="start the tiny model of the extra `local` on this machine",
)
@click.option(
    "--script",
    metavar="FILE",
    type=click.Path(path_type=Path),
    cls=Model,
    help="no model: play a recorded assistant from a script file",
)
@click.option(
    "--protocol",
    type=click.Choice(["text", "native"]),
    cls=Reading,
    help="how tools are called: in the text, in a dialect (default); native: by the server's own "
    "function calling",
)
@click.option(
    "--dialect",
    metavar="NAME",
    cls=Reading,
    help="how tool calls are written: cline (default), auto (by the model's name), or another; "
    "`tagline blocks --help` lists them",
)
@click.option(
    "--mode",
    type=click.Choice(["reparse", "incremental", "both"]),
    cls=Reading,
    help="how the stream is parsed (default: reparse); both: each checks the other",
)
@click.option(
    "--foreign-calls",
    type=click.Choice(["offer", "accept", "refuse"]),
    cls=Reading,
    help="a call in another dialect than the model was told: offer it to you (default), accept or "
    "refuse it; with -p there is nobody to ask, so offer refuses",
)
@click.option(
    "-V",
    "-v",
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="print the version",
)
def command(words: tuple[str, ...], **said: Unpack[Said]) -> int:
    """Start an agent run with what was said."""
    from ui.start import start

    task = " ".join(words).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return start(Options(task=task or None, **said))

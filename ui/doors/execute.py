"""The door `exec`: run the tools of one assistant message.

Law: a call runs only if it is whole and allowed; after a refusal the rest is skipped.
"""

from __future__ import annotations

from pathlib import Path

import click

from ui.cli_help import HELP_NAMES, Listed, Plain
from ui.doors import asked

_HELP = """Parse one assistant message and run its tools, in order.

Usage:
  tagline exec FILE      a message from a file; what writes or runs is asked about
  tagline exec -         a message from standard input
  tagline exec -y FILE   everything is allowed"""
_TAIL = """Exit codes:
  0  every call ran well
  1  a call failed, was cut off or was faulty
  2  a bad option or an unreadable file
  4  a call needed approval and did not get it, or the message has no call"""


@click.command(cls=Plain, context_settings=HELP_NAMES, help=_HELP, epilog=_TAIL)
@click.argument("source", metavar="[FILE|-]", default="-")
@click.option(
    "-y", "--yes", "allow_all", is_flag=True, cls=Listed, help="allow every edit and every command"
)
@click.option(
    "-C",
    "--cd",
    "directory",
    metavar="DIR",
    type=click.Path(path_type=Path),
    cls=Listed,
    help="work in this folder",
)
@asked.dialect("how to read it: cline (default) or cline-v2")
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(min=0, min_open=True),
    default=120.0,
    metavar="SECONDS",
    cls=Listed,
    help="end a command after this time (default: 120)",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    cls=Listed,
    help="print one JSON object a call instead of words",
)
def command(
    source: str,
    directory: Path | None,
    dialect: str,
    timeout_s: float,
    *,
    allow_all: bool,
    as_json: bool,
) -> int:
    """Read, run and show."""
    import asyncio

    from ui.doors.execution import Execution, Terms
    from ui.doors.reading import reading_of
    from ui.doors.signals import until_signal
    from ui.exits import Complaint
    from ui.plain.terminal_line import controlling_terminal
    from ui.streams import read_text, tell_of_keyboard
    from ui.workplace import folder

    tell_of_keyboard(source)
    try:
        reading = reading_of({"text": read_text(source), "dialect": dialect}, 1)
    except ValueError as error:
        raise Complaint(str(error)) from error
    terms = Terms(folder(directory), timeout_s, allow_all=allow_all, as_json=as_json)
    with controlling_terminal() as terminal:
        execution = Execution(terms, None if allow_all else terminal)
        return asyncio.run(until_signal(execution.run(reading.blocks())))

"""The door `compare`: one message in both modes, chunk by chunk.

Law: exit code 0 says that the modes agreed after every chunk, 1 that they did not.
"""

from __future__ import annotations

import json

import click

from ui.cli_help import HELP_NAMES, Listed, Plain
from ui.doors import asked
from ui.exits import Complaint, Exit

_HELP = """Read one message in both modes, chunk by chunk, and compare the blocks after every chunk.

Usage:
  tagline compare FILE    a message from a file
  tagline compare -       a message from standard input"""
_TAIL = """Exit codes:
  0  the modes agreed after every chunk and at the close
  1  they differ; the first place is shown
  2  a bad option or an unreadable file"""


@click.command(cls=Plain, context_settings=HELP_NAMES, help=_HELP, epilog=_TAIL)
@click.argument("source", metavar="[FILE|-]", default="-")
@asked.dialect("how to read it: cline (default) or cline-v2")
@asked.chunk("characters fed at a time (default: 4; more for long messages)")
@asked.tools()
@asked.finish_reason("how the message ended (default: stop)")
@click.option(
    "--json", "as_json", is_flag=True, cls=Listed, help="print one JSON object instead of words"
)
def command(
    source: str,
    dialect: str,
    chunk: int | None,
    tools: str | None,
    finish_reason: str,
    *,
    as_json: bool,
) -> int:
    """Read, compare and print."""
    from ui.doors.comparison import compare
    from ui.doors.comparison_words import words
    from ui.doors.reading import PLAIN, checked_size, reading_of
    from ui.doors.tool_files import json_of_file
    from ui.streams import read_text, tell_of_keyboard

    options = {"dialect": dialect, "finish_reason": finish_reason}
    extra = {"tools": json_of_file(tools)} if tools else {}
    tell_of_keyboard(source)
    text = read_text(source)
    size = chunk or checked_size(text)
    try:
        reading = reading_of({**options, **extra, "text": text}, size)
        if reading.dialect == PLAIN:
            raise ValueError("the dialect `none` has no modes to compare")
        found = compare(reading, text, size)
    except ValueError as error:
        raise Complaint(str(error)) from error
    print(json.dumps(found.as_json()) if as_json else words(found))
    return Exit.DONE if found.difference is None else Exit.FAILED

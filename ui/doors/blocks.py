"""The door `blocks`: the parser from a shell.

Law: exit code 0 also for faulty model text; 1 for a divergence of the two modes; 2 for a bad
option or an unreadable file.
"""

from __future__ import annotations

from typing import TypedDict, Unpack, get_args

import click

from ui.cli_help import HELP_NAMES, Listed
from ui.doors import asked
from ui.options import Mode

_HELP = """Print the blocks of one assistant message as JSON: text, reasoning and tool uses.

Usage:
  tagline blocks FILE            one message, one JSON object
  tagline blocks -               the same from standard input
  tagline blocks --jsonl FILE    many messages: one JSON object a line in, one a line out"""
_TAIL = """Lines of --jsonl:
  {"text": …, "dialect"?, "model"?, "mode"?, "tools"?, "finish_reason"?, "profile"?,
   "starts_in_reasoning"?, "reasoning"?, "thinking"?, "tool_choice"?, "chunks"?: [str, …]}
  What is left out falls back to the options; `chunks` are fed as they are, and then `text` may be
  left out. A bad line gives {"error": "line N: …"} and the run goes on; empty lines are skipped.

Exit codes:
  0  read, also when the message is faulty
  1  the two modes differ (--mode both); the report is on stderr
  2  a bad option or an unreadable file"""


class Said(TypedDict):
    """The options by name, as click gives them."""

    dialect: str
    mode: Mode
    tools: str | None
    finish_reason: str
    profile: str
    model: str | None
    starts_in_reasoning: bool
    reasoning: str | None
    thinking: str | None
    tool_choice: str | None


@click.command(cls=asked.ByDialect, context_settings=HELP_NAMES, help=_HELP, epilog=_TAIL)
@click.argument("source", metavar="[FILE|-]", default="-")
@asked.dialect("how calls are written: cline (default), another, auto, or none: all is text")
@click.option(
    "--model",
    metavar="NAME",
    cls=Listed,
    help="with --dialect auto: the model's name decides where it is known, else the text",
)
@click.option(
    "--mode",
    type=click.Choice(get_args(Mode)),
    default="reparse",
    cls=Listed,
    help="default: reparse; both: each mode checks the other at every chunk",
)
@asked.chunk("characters fed at a time (default: 4; with both, more where a message is long)")
@asked.tools()
@asked.finish_reason("how the message ended; none: it has not ended (default: stop)")
@click.option(
    "--jsonl", is_flag=True, cls=Listed, help="read many messages, one JSON object a line"
)
@click.option(
    "--profile",
    type=click.Choice(["agent", "serving"]),
    default="agent",
    cls=Listed,
    help="agent (default): for who runs the calls; serving: for who passes them on",
)
@click.option(
    "--starts-in-reasoning",
    is_flag=True,
    cls=Listed,
    help="the template opened the reasoning (default: as the dialect's template)",
)
@click.option(
    "--reasoning",
    metavar="NAME",
    cls=Listed,
    help="the server's reasoning parser, as LMDeploy has them (serving; default: none)",
)
@click.option(
    "--thinking",
    type=click.Choice(["on", "off"]),
    cls=Listed,
    help="what the request says of it; off: reasoning is told as text",
)
@click.option(
    "--tool-choice",
    metavar="auto|none|required|NAME",
    cls=Listed,
    help="none: calls are text; NAME: calls of other tools are as those of unknown ones",
)
def command(source: str, chunk: int | None, *, jsonl: bool, **said: Unpack[Said]) -> int:
    """Read and print."""
    from ui.doors.block_lines import print_lines, print_one
    from ui.doors.tool_files import json_of_file
    from ui.streams import read_text, tell_of_keyboard

    options = {name: value for name, value in said.items() if value not in (None, False)}
    if said["tools"] is not None:
        options["tools"] = json_of_file(said["tools"])
    asked.tell_if_unused(said["dialect"])
    tell_of_keyboard(source)
    if jsonl:
        return print_lines(source, options, chunk)
    return print_one(read_text(source), options, chunk)

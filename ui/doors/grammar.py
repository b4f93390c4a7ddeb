"""The door `grammar`: what holds a decoder to a dialect and a set of tools.

Law: what is printed is for another program; words for people go to stderr.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import click

from ui.cli_help import HELP_NAMES, Listed
from ui.doors import asked

if TYPE_CHECKING:
    from parsing import ToolSpec

Form = Literal["gbnf", "ebnf", "structural", "schema"]
OWN_TOOLS = "default"

_HELP = """Print what holds a decoder to a dialect: free text, then well-formed calls of the tools.

Usage:
  tagline grammar --dialect hermes                       for llama.cpp (its field `grammar`)
  tagline grammar --dialect hermes --form structural     for vLLM, SGLang and LMDeploy, as JSON
  tagline grammar --dialect cline --tool-set tools.json  for tools of your own"""
_TAIL = """Forms:
  gbnf        rules in llama.cpp's notation (default)
  ebnf        rules in XGrammar's notation
  structural  XGrammar's structural tag: arguments held by their schemas; text is free
  schema      a JSON schema of what stands between the marks; only where a call is a JSON object

Exit codes:
  0  printed
  2  a bad option, an unreadable file, or a dialect that has no such form"""


@click.command(cls=asked.ByDialect, context_settings=HELP_NAMES, help=_HELP, epilog=_TAIL)
@asked.dialect("how calls are written: cline (default) or another")
@click.option(
    "--tool-set",
    metavar="FILE|default",
    default=OWN_TOOLS,
    cls=Listed,
    help="a JSON array of OpenAI function tools (default: the agent's own tools)",
)
@click.option(
    "--form",
    type=click.Choice(["gbnf", "ebnf", "structural", "schema"]),
    default="gbnf",
    cls=Listed,
    help="for which decoder (default: gbnf)",
)
@click.option(
    "--text/--no-text",
    default=True,
    cls=Listed,
    help="whether text may stand before the calls (default: it may)",
)
def command(dialect: str, tool_set: str, form: Form, *, text: bool) -> int:
    """Write the constraint."""
    from parsing import GrammarError, UnknownDialect
    from parsing.constraint import NoConstraint
    from ui.exits import Complaint

    asked.tell_if_unused(dialect)
    try:
        print(_written(dialect, _tools(tool_set), form, text=text).rstrip("\n"))
    except (NoConstraint, UnknownDialect, GrammarError) as error:
        raise Complaint(str(error)) from error
    return 0


def _tools(tool_set: str) -> Sequence[ToolSpec]:
    from ui.doors.reading import own_tools
    from ui.doors.tool_files import json_of_file, tools_of
    from ui.exits import Complaint

    if tool_set == OWN_TOOLS:
        return own_tools()
    try:
        return tools_of(json_of_file(tool_set))
    except ValueError as error:
        raise Complaint(f"{tool_set}: {error}") from error


def _written(dialect: str, tools: Sequence[ToolSpec], form: Form, *, text: bool) -> str:
    import json

    from parsing.constraint import Bounds, call_schema, ebnf, gbnf, structural_tag

    bounds = Bounds(text=text)
    match form:
        case "gbnf":
            return gbnf(dialect, tools, bounds)
        case "ebnf":
            return ebnf(dialect, tools, bounds)
        case "structural":
            return json.dumps(structural_tag(dialect, tools, bounds), ensure_ascii=False, indent=2)
        case "schema":
            return json.dumps(call_schema(dialect, tools, bounds), ensure_ascii=False, indent=2)

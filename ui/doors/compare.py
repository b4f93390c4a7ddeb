"""The door `compare`: messages read in both modes, chunk by chunk.

Law: exit code 0 says that the modes agreed after every chunk, 1 that they did not.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from ui.cli_help import HELP_NAMES, Listed
from ui.doors import asked

if TYPE_CHECKING:
    from ui.compare.sources import Form

_HELP = """Read messages in both modes, chunk by chunk, and compare the blocks after every chunk.

Usage:
  tagline compare FILE...                   messages from files and folders
  tagline compare -                         from standard input
  tagline compare --session ID              the replies of a recorded session; all: of every one
  tagline compare --fuzz N --dialect all    messages grown at random, held to the parser's laws
  tagline compare --html page.html FILE     and a page in which one can move through the chunks
  tagline compare --against cline-v2 FILE   and what Cline itself would have read"""
_TAIL = """What is read as messages:
  *.json, *.jsonl  a text (a JSON string), {"text": …} or {"chunks": [str, …], "times"?: [s, …]} a
                   line, as `tagline blocks --jsonl` takes them; message logs of OpenAI's and
                   Anthropic's form and Cline's api_conversation_history.json (what the assistant
                   said is compared); times are those at which the chunks came
  other files      one message; standard input too, unless it is JSON of the kinds above
  folders          their *.json, *.jsonl, *.ndjson, *.txt, *.md, *.xml, *.log; the rest is left out

The table:
  compared         how often the blocks of the modes were compared: after each chunk, at each close
  divergences      readings in which the modes differ (--fuzz: or another law is broken)
  reparse, ...     the speed of each mode, with the reparse of all so far at every chunk

Exit codes:
  0  the modes agreed after every chunk and at the close
  1  they differ; the first places are shown
  2  a bad option or an unreadable file
  130, 143  interrupted; what was compared until then is shown"""


class Chunking(click.ParamType[int | str]):
    """A size, or a word for how else to cut."""

    name = "chunking"

    def convert(
        self, value: int | str, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | str:
        """Take a number from 1, `random` or `recorded`."""
        if value in ("random", "recorded"):
            return value
        if not str(value).isascii() or not str(value).isdecimal() or int(value) < 1:
            self.fail(f"found {value!r}, expected a number from 1, `random` or `recorded`")
        return int(value)


class Said(TypedDict):
    """The options by name, as click gives them."""

    dialect: str
    against: str | None
    chunk: int | str | None
    every_cut: bool
    seed: int | None
    form: Form
    session: str | None
    fuzz: int | None
    tools: str | None
    finish_reason: str
    profile: str
    starts_in_reasoning: bool
    jobs: int
    as_json: bool
    html: str | None


@click.command(cls=asked.ByDialect, context_settings=HELP_NAMES, help=_HELP, epilog=_TAIL)
@click.argument("names", metavar="[FILE|FOLDER|-]...", nargs=-1)
@asked.dialect("how to read it (default: cline); all: in every dialect, one after the other")
@click.option(
    "--against",
    metavar="NAME",
    cls=Listed,
    help="show what this dialect decides differently, for example cline-v2",
)
@click.option(
    "--chunk",
    type=Chunking(),
    metavar="N|random|recorded",
    cls=Listed,
    help="how to cut (default: recorded chunks, else 4 characters; more for long messages)",
)
@click.option("--every-cut", is_flag=True, cls=Listed, help="cut each message in two at each place")
@click.option(
    "--seed", type=int, metavar="S", cls=Listed, help="for --chunk random and --fuzz (default: 0)"
)
@click.option(
    "--as",
    "form",
    type=click.Choice(["auto", "text", "lines", "json"]),
    default="auto",
    cls=Listed,
    help="what an input is: auto (default), one text, a text per line, or JSON",
)
@click.option(
    "--session",
    metavar="ID",
    cls=Listed,
    help="a recorded session, with its chunks; all: every one",
)
@click.option(
    "--fuzz",
    type=click.IntRange(min=1),
    metavar="N",
    cls=Listed,
    help="N messages grown from the dialects' tables, held to all laws of the parser",
)
@asked.tools()
@asked.finish_reason("how a message ended; none: it has not ended (default: stop)")
@click.option(
    "--profile",
    type=click.Choice(["agent", "serving"]),
    default="agent",
    cls=Listed,
    help="for whoever runs the calls (agent, default), or passes them on (serving)",
)
@click.option(
    "--starts-in-reasoning", is_flag=True, cls=Listed, help="the template opened the reasoning"
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=os.cpu_count() or 1,
    metavar="N",
    cls=Listed,
    help="processes that share the work (default: one a core)",
)
@click.option(
    "--json", "as_json", is_flag=True, cls=Listed, help="print one JSON object instead of words"
)
@click.option("--html", metavar="FILE", cls=Listed, help="write a page to look at, in one file")
def command(names: tuple[str, ...], **said: Unpack[Said]) -> int:
    """Gather, compare and show."""
    from ui.compare.asking import Asked, answer
    from ui.troubles import in_words

    asked.tell_if_unused(said["dialect"])
    with in_words():
        return answer(Asked(names or _standard_input(**said), **said))


def _standard_input(**said: Unpack[Said]) -> tuple[str, ...]:
    """Read standard input unless messages come from elsewhere."""
    return ("-",) if said["session"] is None and said["fuzz"] is None else ()

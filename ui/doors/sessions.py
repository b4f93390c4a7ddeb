"""The door `sessions`: what was recorded, in a list or one by one."""

from __future__ import annotations

import click

from ui.cli_help import HELP_NAMES, Listed, Plain

_HELP = """List the recorded sessions, or show one.

Usage:
  tagline sessions            the sessions of this folder, the latest first
  tagline sessions --all      of every folder
  tagline sessions show ID    one session: what was said, called and done (no ID: the latest here)
  tagline --resume ID         go on with it"""


@click.command(cls=Plain, context_settings=HELP_NAMES, help=_HELP)
@click.argument("words", metavar="[list | show [ID]]", nargs=-1)
@click.option(
    "-a", "--all", "everywhere", is_flag=True, cls=Listed, help="sessions of every folder"
)
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(min=1),
    default=20,
    metavar="N",
    cls=Listed,
    help="at most so many (default: 20)",
)
@click.option("--json", "as_json", is_flag=True, cls=Listed, help="print JSON, one object a line")
def command(words: tuple[str, ...], limit: int, *, everywhere: bool, as_json: bool) -> int:
    """List or show."""
    from ui.doors.session_pages import list_sessions, show_session
    from ui.troubles import in_words

    with in_words():
        match words:
            case () | ("list",):
                return list_sessions(limit, everywhere=everywhere, as_json=as_json)
            case ("show",):
                return show_session(None, as_json=as_json)
            case ("show", session_id) | (session_id,):
                return show_session(session_id, as_json=as_json)
            case _:
                raise click.UsageError("expected nothing, `list`, or `show [ID]`")

"""The door `demo`: the embedded default."""

from __future__ import annotations

import click

from ui.cli_help import HELP_NAMES, Listed, Plain

_HELP = """Watch a recorded assistant mend a small Python project, with real tools and real tests.

Needs no key, no network and no terminal. Works in a new folder of its own, among the system's
temporary files, where everything is allowed; killed in the middle, tagline --continue goes on.

Usage:
  tagline demo"""
_TAIL = """Exit codes:
  0  the tests are green, and the two modes of the parser agreed at every chunk
  1  something of that did not come true"""


@click.command(cls=Plain, context_settings=HELP_NAMES, help=_HELP, epilog=_TAIL)
@click.option("--keep", is_flag=True, cls=Listed, help="keep the folder to look at")
@click.option(
    "--speed",
    type=click.FloatRange(min=0),
    metavar="X",
    cls=Listed,
    help="1: as on a terminal; 0: no pauses (default elsewhere); 0.5: half as fast",
)
def command(speed: float | None, *, keep: bool) -> int:
    """Play it."""
    from ui.demo.play import Wish, play
    from ui.troubles import in_words

    with in_words():
        return play(Wish(keep, speed))

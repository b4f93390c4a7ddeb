"""The table of doors: name, module, and one line each.

Law: a door's module is imported only when that door is opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

from ui.exits import Complaint

if TYPE_CHECKING:
    import click

DOORS = {
    "demo": "watch a recorded assistant mend a small project; needs no key and no network",
    "exec": "run the tools of one assistant message from a file or standard input",
    "blocks": "print the blocks of one assistant message as JSON",
    "compare": "read messages in both modes and say whether, where and how they differ",
    "grammar": "print what holds a decoder to a dialect and a set of tools",
    "serve": "give a server of text native tool calls: OpenAI's and Anthropic's APIs before it",
    "sessions": "list the recorded sessions, or show one",
}


def door(name: str) -> click.Command:
    """Give the click command of a door; its module is `ui.doors.<name>`."""
    command: click.Command = import_module(f"ui.doors.{_module(name)}").command
    return command


def suggestion(arguments: Sequence[str]) -> None:
    """Refuse a task that looks like a mistyped or misplaced door."""
    words = [word for word in arguments if not word.startswith("-")]
    if len(words) != 1 or "--" in arguments or " " in words[0]:
        return
    close = get_close_matches(words[0], DOORS, n=1, cutoff=0.8)
    if len(arguments) == 1 and close:
        raise Complaint(
            f"no command `{words[0]}`; did you mean `tagline {close[0]}`?\n"
            f"  To give that word as a task: tagline -- {words[0]}"
        )


def _module(name: str) -> str:
    return "execute" if name == "exec" else name

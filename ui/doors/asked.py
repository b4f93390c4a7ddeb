"""The options that several doors ask for a message to be read."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

import click

from ui.cli_help import Listed, Plain, columns

Door = TypeVar("Door", bound=Callable[..., object])


class ByDialect(Plain):
    """A command whose help ends with the names of the dialects."""

    def get_help(self, ctx: click.Context) -> str:
        from parsing import dialect_aliases, dialect_names, unused_plugins

        others = dialect_aliases()
        rows = [(name, ", ".join(others.get(name, ()))) for name in dialect_names()]
        listed = f"Dialects, and their other names:\n{columns(rows)}"
        return "\n\n".join([super().get_help(ctx), listed, *unused_plugins()])


def tell_if_unused(name: str) -> None:
    """Say on stderr that a package's dialect of this name is not the one that reads."""
    from parsing import unused_plugins

    for words in unused_plugins(name):
        print(f"tagline: {words}", file=sys.stderr)


def dialect(words: str) -> Callable[[Door], Door]:
    """Ask for the dialect by name."""
    return click.option("--dialect", default="cline", metavar="NAME", cls=Listed, help=words)


def chunk(words: str) -> Callable[[Door], Door]:
    """Ask for the size of a chunk."""
    size = click.IntRange(min=1)
    return click.option("--chunk", type=size, metavar="N", cls=Listed, help=words)


def tools() -> Callable[[Door], Door]:
    """Ask for a file of tools."""
    words = "a JSON array of OpenAI function tools (default: the agent's own tools)"
    return click.option("--tools", metavar="FILE", cls=Listed, help=words)


def finish_reason(words: str) -> Callable[[Door], Door]:
    """Ask how the message ended."""
    endings = click.Choice(["stop", "length", "none"])
    return click.option("--finish-reason", type=endings, default="stop", cls=Listed, help=words)

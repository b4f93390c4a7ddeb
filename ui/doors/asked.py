"""The options that several doors ask for a message to be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from ui.cli_help import Listed

Door = TypeVar("Door", bound=Callable[..., object])


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

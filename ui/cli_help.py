"""A click command whose help is wide plain text, its options under headings.

Law: help is made from the options themselves, so that the two cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

HELP_NAMES = {"help_option_names": ["-h", "--help"]}


class Listed(click.Option):
    """An option that knows under which heading it is listed."""

    heading = "Options"

    def get_help_extra(self, ctx: click.Context) -> click.types.OptionHelpExtra:
        """Leave ranges and defaults to the words of the help."""
        return {}


class Plain(click.Command):
    """A command with plain help: what it does and how it is used, its options, and a tail."""

    def get_help(self, ctx: click.Context) -> str:
        records = self._records(ctx)
        width = max(len(left) for _, left, _ in records)
        parts = [(self.help or "").strip()]
        for heading in dict.fromkeys(heading for heading, _, _ in records):
            rows = [(left, right) for place, left, right in records if place == heading]
            parts.append(f"{heading}:\n{columns(rows, width)}")
        return "\n\n".join([*parts, *([self.epilog.strip()] if self.epilog else [])])

    def _records(self, ctx: click.Context) -> list[tuple[str, str, str]]:
        """Give heading, names and words of each option, `--help` last under its neighbours."""
        found: list[tuple[str, str, str]] = []
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                heading = param.heading if isinstance(param, Listed) else "Help"
                words = "show this text" if "--help" in param.opts else record[1]
                found.append((heading, record[0], words))
        return found


def columns(rows: Sequence[tuple[str, str]], width: int = 0) -> str:
    """Lay two columns out, never wrapped."""
    width = max([width, *(len(left) for left, _ in rows)])
    return "\n".join(f"  {left:{width}}  {right}".rstrip() for left, right in rows)

"""Dialects by name, and readers for them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from importlib import import_module
from typing import Literal, assert_never

from parsing.blocks import Block, Finish
from parsing.crosscheck import Both
from parsing.grammar import Grammar
from parsing.incremental import Incremental
from parsing.options import AGENT, Options
from parsing.reader import Reader
from parsing.reparse import Reparse
from parsing.spec import ToolSpec
from parsing.table import Dialect

Mode = Literal["reparse", "incremental", "both"]
MODES: tuple[Mode, ...] = ("reparse", "incremental", "both")

_DIALECTS: dict[str, tuple[str, str]] = {
    "cline": ("parsing.dialects.cline", "CLINE"),
    "cline-v2": ("parsing.dialects.cline_v2", "CLINE_V2"),
}


class UnknownDialect(LookupError):
    """No dialect of that name; the caller's fault."""


def dialect_names() -> tuple[str, ...]:
    """Give the names of all dialects."""
    return tuple(_DIALECTS)


def dialect(name: str) -> Dialect:
    """Give a dialect by name; raises UnknownDialect."""
    if name not in _DIALECTS:
        known = ", ".join(_DIALECTS)
        raise UnknownDialect(f"no dialect is called {name!r}; there are: {known}")
    module, attribute = _DIALECTS[name]
    found: Dialect = getattr(import_module(module), attribute)
    return found


def reader(
    protocol: str | Dialect,
    tools: Sequence[ToolSpec] = (),
    mode: Mode = "reparse",
    *,
    options: Options = AGENT,
) -> Reader:
    """Make a reader for one message.

    Raises UnknownDialect, and GrammarError for tools that the dialect cannot tell apart.
    """
    found = dialect(protocol) if isinstance(protocol, str) else protocol
    if found.readers is not None:
        reparse, incremental = found.readers(tools)
    else:
        grammar = compiled(found, tools, options)
        reparse, incremental = Reparse(grammar), Incremental(grammar)
    match mode:
        case "reparse":
            return reparse
        case "incremental":
            return incremental
        case "both":
            return Both(reparse, incremental)
        case _:
            assert_never(mode)


_COMPILED: OrderedDict[tuple[object, ...], Grammar] = OrderedDict()


def compiled(protocol: Dialect, tools: Sequence[ToolSpec], options: Options = AGENT) -> Grammar:
    """Compile a dialect for these tools, or give the grammar compiled before."""
    key = (protocol, *map(id, tools), options)
    found = _COMPILED.get(key)
    if found is None or any(one is not two for one, two in zip(found.tools, tools, strict=True)):
        found = _COMPILED[key] = Grammar(protocol, tools, options)
        if len(_COMPILED) > 32:
            _COMPILED.popitem(last=False)
    return found


def parse(
    text: str,
    protocol: str | Dialect = "cline",
    tools: Sequence[ToolSpec] = (),
    *,
    finish: Finish | None = Finish.STOP,
    options: Options = AGENT,
) -> tuple[Block, ...]:
    """Read a whole message; with no finish it is a message that has not ended yet."""
    message = reader(protocol, tools, options=options)
    message.feed(text)
    if finish is not None:
        message.close(finish)
    return message.blocks

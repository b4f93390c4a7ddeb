"""Jinja as chat templates know it.

Law: the settings, globals, filters and tags are those of `transformers`' `apply_chat_template`, in
a sandbox.
"""

from __future__ import annotations

import json
from datetime import datetime
from functools import lru_cache
from typing import Any, NoReturn

from jinja2 import Environment, Template, TemplateError, nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment


class _Generation(Extension):
    """Reads `{% generation %}`, which marks what training takes, as if it were not there."""

    tags = {"generation"}  # noqa: RUF012  # an instance's to jinja2

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body).set_lineno(line)


def _raise(message: str) -> NoReturn:
    raise TemplateError(message)


def _now(form: str) -> str:
    return datetime.now().strftime(form)  # local time, as `transformers` has it


def to_json(
    value: Any,
    ensure_ascii: bool = False,  # noqa: FBT001, FBT002  # as `transformers` declares it
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,  # noqa: FBT001, FBT002  # as `transformers` declares it
) -> str:
    """Write JSON as it is, with nothing escaped for HTML."""
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )


def _environment() -> Environment:
    made = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols]
    )
    made.filters["tojson"] = to_json  # pyright: ignore[reportUnknownMemberType]  # jinja2's
    return made


_ENVIRONMENT = _environment()
_GLOBALS = {"raise_exception": _raise, "strftime_now": _now}


@lru_cache(16)
def compiled(source: str) -> Template:
    """Compile a template; raises jinja2.TemplateSyntaxError."""
    return _ENVIRONMENT.from_string(source, globals=_GLOBALS)

"""How the text of a value is written, and what it says as JSON."""

from __future__ import annotations

import json
import re
from typing import Any

from parsing.gemma_values import gemma_value
from parsing.literals import python_value
from parsing.nested import MARK, nested_value
from parsing.quoted import Quoted
from parsing.values import (
    STRING,
    Form,
    Kind,
    exact_json,
    is_list,
    is_object,
    json_text,
    string_piece,
    typed,
)

_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f]")


def value_of(text: str, kind: Kind, form: Form) -> Any:
    """Read a closed value; one that is not well-formed stays text."""
    if form is Form.TEXT or _is_scalar(text, form):
        return typed(text, kind)
    try:
        return _read(text, form)
    except ValueError:
        return open_text(text, form)


def json_of(text: str, kind: Kind, form: Form) -> str:
    """Write a closed value as JSON: as the model wrote it where that is JSON."""
    if form is Form.TEXT or _is_scalar(text, form):
        return json_text(text, kind)
    value = value_of(text, kind, form)
    if form is Form.JSON and not isinstance(value, str):
        return _STRING.sub(_strict, text.strip())
    return json.dumps(value, ensure_ascii=False)


def _strict(found: re.Match[str]) -> str:
    """Write a JSON string with its raw control characters escaped."""
    return _CONTROL.sub(lambda char: string_piece(char[0]), found[0])


def malformed(text: str, form: Form) -> str | None:
    """Say what is wrong with a closed value whose form demands more than text."""
    if form is Form.TEXT or _is_scalar(text, form):
        return None
    try:
        _read(text, form)
    except ValueError as error:
        return str(error)
    return None


def _is_scalar(text: str, form: Form) -> bool:
    """Say whether a value that may be of elements holds none."""
    return form is Form.ELEMENTS and MARK not in text


def _read(text: str, form: Form) -> Any:
    if form in (Form.JSON, Form.TEXT):
        return exact_json(text)
    if form is Form.ELEMENTS:
        return nested_value(text)
    if text.strip() in ("''", '""'):
        return ""
    quoted = Quoted(form)
    said = quoted.take(text)
    if not quoted.quote:
        return python_value(text) if form is Form.PYTHON else gemma_value(text)
    if not quoted.ended or quoted.rest.strip():
        raise ValueError(f"text after a string, or a string without its end: {text[-40:]!r}")
    return said


def open_text(text: str, form: Form) -> str:
    """Give what an open value says so far."""
    if form in (Form.JSON, Form.TEXT, Form.ELEMENTS):
        return text
    quoted = Quoted(form)
    said = quoted.take(text)
    return said if quoted.quote else text


def in_quotes(text: str, form: Form) -> bool:
    """Say whether an open value ends within a quoted string, where white space is content."""
    if form not in (Form.PYTHON, Form.GEMMA):
        return False
    quoted = Quoted(form)
    quoted.take(text)
    return bool(quoted.quote) and not quoted.ended


def shown(text: str, kind: Kind, form: Form = Form.TEXT, *, closed: bool) -> bool:
    """Say whether a value counts among the values so far.

    A value that is not a string waits for its end, and so does one that may still turn out to
    be the null that its schema allows.
    """
    if closed or (kind is STRING and form is Form.TEXT):
        return True
    if form is Form.TEXT:
        if Kind.STRING not in kind:
            return False
        return Kind.NULL not in kind or not "null".startswith(text)
    if form in (Form.JSON, Form.ELEMENTS):
        return False
    quoted = Quoted(form)
    quoted.take(text)
    return bool(quoted.quote)


def arguments_of(raw: str) -> dict[str, Any]:
    """Read arguments that a model wrote as JSON.

    Nothing, null and one level of string encoding are understood; raises ValueError for what is
    not JSON and for what is not an object.
    """
    if not raw.strip():
        return {}
    value = exact_json(raw)
    if isinstance(value, str):
        value = exact_json(value) if value.strip() else None
    if value is None:
        return {}
    if not is_object(value):
        told = "an array" if is_list(value) else type(value).__name__
        raise ValueError(f"the arguments are {told}, not an object")
    return dict(value)

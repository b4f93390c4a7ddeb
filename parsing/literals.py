"""Python literals in a model's text, read as JSON values; nothing is ever evaluated."""

from __future__ import annotations

import ast
import re
from typing import Any

_WORDS = {"None": None, "null": None, "True": True, "true": True, "False": False, "false": False}
_STRING = re.compile(
    r"""[rR]?(?:'''.*?'''|\"\"\".*?\"\"\"|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\")""",
    re.DOTALL,
)
_ESCAPE = re.compile(
    r"""\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|N\{[^}]{1,64}\}|[^xuUN0-7])""",
    re.DOTALL,
)
_HALF = re.compile(
    r"(?<!\\)(?:\\\\)*(\\(?:x[0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-7]{1,2}"
    r"|N(?:\{[^}]{0,64})?)?)\Z"
)
_LONGEST_HALF = 68
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "\n": ""}


def python_value(text: str) -> Any:
    """Read a literal: strings, numbers, lists, tuples, dictionaries, True, None and their like.

    Raw line breaks inside a quoted string stand for themselves, and JSON's words are understood.
    Raises ValueError for anything else.
    """
    source = _STRING.sub(_plain_string, text.strip())
    try:
        return _value(ast.parse(source, mode="eval").body)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"not a Python literal: {getattr(error, 'msg', 'too deep')}") from error


def _plain_string(found: re.Match[str]) -> str:
    quoted = found[0].lstrip("rR")
    size = 3 if quoted[:3] in ("'''", '"""') else 1
    inside = quoted[size:-size]
    return repr(string_part(inside)[0] if quoted == found[0] else inside)


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=None | bool() | int() | float() | str() as value):
            return value
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return [_value(item) for item in items]
        case ast.Dict(keys=keys, values=values):
            return {_key(key): _value(value) for key, value in zip(keys, values, strict=True)}
        case ast.Name(id=name) if name in _WORDS:
            return _WORDS[name]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.UnaryOp(op=ast.UAdd(), operand=ast.Constant(value=int() | float() as value)):
            return value
        case _:
            raise ValueError(f"not a literal: {type(node).__name__}")


def _key(node: ast.expr | None) -> str:
    value = None if node is None else _value(node)
    if isinstance(value, str):
        return value
    raise ValueError("a key of a dictionary must be a string")


def string_part(text: str) -> tuple[str, str]:
    """Read part of a quoted string's inside; give what it says and the half escape at its end."""
    before, mark, after = text.partition("\\")
    if not mark:
        return text, ""
    if not after:
        return before, mark
    said = _SIMPLE.get(after[0])
    if said is not None and mark not in after:
        return before + said + after[1:], ""
    return _escapes(text)


def _escapes(text: str) -> tuple[str, str]:
    done, at, told = 0, text.find("\\"), ""
    while said := _SIMPLE.get(text[at + 1 : at + 2]):
        told += text[done:at] + said
        done = at + 2
        at = text.find("\\", done)
        if at < 0:
            return told + text[done:], ""
    if at == len(text) - 1:
        return told + text[done:at], "\\"
    return _rare_escapes(text)


def _rare_escapes(text: str) -> tuple[str, str]:
    near = len(text) - _LONGEST_HALF
    while near > 0 and text[near - 1] == "\\":
        near -= 1
    half = _HALF.search(text, max(near, 0))
    rest = half[1] if half else ""
    return _ESCAPE.sub(_said, text[: len(text) - len(rest)]), rest


def _said(found: re.Match[str]) -> str:
    mark = found[0][1]
    if mark in _SIMPLE:
        return _SIMPLE[mark]
    try:
        return str(ast.literal_eval(f'"{found[0]}"'))
    except (SyntaxError, ValueError):
        return found[0]

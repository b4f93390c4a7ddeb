"""Values that are elements within elements, MiniMax M3's: members by name, an array's as `item`."""

from __future__ import annotations

import json
import re
from typing import Any

from parsing.values import exact_json, is_list, is_object

MARK = "]<]minimax[>["
"""What stands before every tag."""

_TAG = re.compile(rf"{re.escape(MARK)}<(/?)([^<>/]{{1,128}})>")
_DEEPEST = 200
_ITEM = "item"

_Members = list[tuple[str, Any]]


def nested_value(text: str) -> Any:
    """Read a value of elements, or a scalar; raises ValueError for elements that do not match."""
    members: list[_Members] = [[]]
    names: list[str] = []
    start = 0
    for tag in _TAG.finditer(text):
        between, start = text[start : tag.start()], tag.end()
        if not tag[1]:
            if between.strip():
                raise ValueError(f"text before an element: {between.strip()[:40]!r}")
            names.append(tag[2])
            members.append([])
            if len(names) > _DEEPEST:
                raise ValueError("nested too deep")
            continue
        if not names or names[-1] != tag[2]:
            raise ValueError(f"</{tag[2]}> closes no element")
        inside = members.pop()
        if inside and between.strip():
            raise ValueError(f"text after an element: {between.strip()[:40]!r}")
        members[-1].append((names.pop(), _whole(inside) if inside else _scalar(between)))
    rest = text[start:]
    if names:
        raise ValueError(f"<{names[-1]}> is not closed")
    if members[0] and rest.strip():
        raise ValueError(f"text after an element: {rest.strip()[:40]!r}")
    return _whole(members[0]) if members[0] else _scalar(rest)


def spelled(value: Any) -> str:
    """Write a value as elements."""
    if is_object(value):
        return "".join(_element(name, one) for name, one in value.items())
    if is_list(value):
        return "".join(_element(_ITEM, one) for one in value)
    return value if isinstance(value, str) else json.dumps(value)


def _element(name: str, value: Any) -> str:
    return f"{MARK}<{name}>{spelled(value)}{MARK}</{name}>"


def _whole(members: _Members) -> Any:
    if all(name == _ITEM for name, _ in members):
        return [value for _, value in members]
    return dict(members)


def _scalar(text: str) -> Any:
    """Read a number, a boolean or null; anything else is a string: no schema says more here."""
    try:
        value = exact_json(text, strict=True)
    except ValueError:
        return text
    return text if isinstance(value, str | list | dict) else value

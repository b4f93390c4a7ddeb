"""A replacement carried over to the indentation the file has, where SEARCH was indented otherwise.

Law: no guess.  An indentation that the matched lines do not explain gives none, and the block
does not match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_TAB = 4  # columns, where the matched lines do not tell


def reindented(
    search: Sequence[str], found: Sequence[str], replace: Sequence[str]
) -> list[str] | None:
    """Give the replacement with the file's indentation.

    `search` and `found` are lines equal but for their indentation: each pair says what one of
    the model's indentations is in the file.
    """
    pairs: dict[str, str] = {}
    for ours, theirs in zip(search, found, strict=True):
        if ours.strip() and pairs.setdefault(_indent(ours), _indent(theirs)) != _indent(theirs):
            return None
    lines: list[str] = []
    for line in replace:
        indent = _mapped(_indent(line), pairs) if line.strip() else ""
        if indent is None:
            return None
        lines.append(indent + line.lstrip())
    return lines


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _mapped(indent: str, pairs: Mapping[str, str]) -> str | None:
    if indent in pairs:
        return pairs[indent]
    shallower = [known for known in pairs if indent.startswith(known)]
    if shallower:
        base = max(shallower, key=len)
        return pairs[base] + _in_style(indent[len(base) :], pairs)
    deeper = [known for known in pairs if known.startswith(indent)]
    if not deeper:
        return None
    base = min(deeper, key=len)
    extra = _in_style(base[len(indent) :], pairs)
    kept = pairs[base]
    return kept[: len(kept) - len(extra)] if len(extra) < len(kept) else ""


def _in_style(extra: str, pairs: Mapping[str, str]) -> str:
    theirs, ours = "".join(pairs.values()), "".join(pairs)
    if "\t" in theirs and " " not in theirs and not extra.strip(" "):
        return "\t" * round(len(extra) / _unit(ours, theirs))
    if " " in theirs and "\t" not in theirs and not extra.strip("\t"):
        return " " * len(extra) * _unit(theirs, ours)
    return extra


def _unit(spaces: str, tabs: str) -> int:
    whole = spaces.count(" ") and tabs.count("\t")
    return max(1, spaces.count(" ") // tabs.count("\t")) if whole else _TAB

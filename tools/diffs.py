"""A unified diff of two texts, whole, and bounded in the time it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from operator import add

from tools.lines import alike, alike_at_end, split_lines
from tools.outcome import sound

_CONTEXT = 3
_MOST = 1_000_000
"""Lines times lines that are compared; beyond it a stretch counts as replaced as a whole."""

Step = tuple[str, int, int, int, int]


def unified_diff(old: str | None, new: str, name: str) -> str:
    """Give the diff that makes `new` of `old` (none: a new file); empty when they are equal.

    Endings count, but are not shown.
    """
    before, after = _ended_lines(old or ""), _ended_lines(new)
    lines = [f"--- {'/dev/null' if old is None else f'a/{name}'}", f"+++ b/{name}"]
    for hunk in _hunks(steps(before, after)):
        _, top, _, new_top, _ = hunk[0]
        _, _, end, _, new_end = hunk[-1]
        lines.append(f"@@ -{_range(top, end)} +{_range(new_top, new_end)} @@")
        for kind, start, stop, new_start, new_stop in hunk:
            if kind == "equal":
                lines += _shown(" ", before[start:stop])
            else:
                lines += _shown("-", before[start:stop]) + _shown("+", after[new_start:new_stop])
    return sound("\n".join(lines) + "\n") if len(lines) > 2 else ""


def counted(diff: str) -> tuple[int, int]:
    """Give how many lines a unified diff adds and removes."""
    body = diff.split("\n")[2:]
    return sum(line[:1] == "+" for line in body), sum(line[:1] == "-" for line in body)


def _ended_lines(text: str) -> list[str]:
    return list(map(add, *split_lines(text)))


def steps(before: list[str], after: list[str]) -> list[Step]:
    """Give how one list of lines becomes the other: (kind, from, to, new from, new to).

    The kinds are difflib's: equal, replace, delete, insert.
    """
    head = alike(before, after)
    tail = alike_at_end(before, after, head)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    found: list[Step] = [("equal", 0, head, 0, head)] if head else []
    if len(old) * len(new) <= _MOST:
        for kind, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes():
            found.append((kind, a + head, b + head, c + head, d + head))
    else:
        found.append(("replace", head, head + len(old), head, head + len(new)))
    if tail:
        found.append(("equal", head + len(old), len(before), head + len(new), len(after)))
    return found


def _hunks(found: Sequence[Step]) -> Iterator[list[Step]]:
    hunk: list[Step] = []
    for at, (kind, a, b, c, d) in enumerate(found):
        if kind != "equal":
            hunk.append((kind, a, b, c, d))
            continue
        first, last = at == 0, at == len(found) - 1
        if not last and not first and b - a <= 2 * _CONTEXT:
            hunk.append((kind, a, b, c, d))
            continue
        if not first:
            yield [*hunk, (kind, a, min(b, a + _CONTEXT), c, min(d, c + _CONTEXT))]
        hunk = [(kind, max(a, b - _CONTEXT), b, max(c, d - _CONTEXT), d)]
    if any(kind != "equal" for kind, *_ in hunk):
        yield hunk


def _range(start: int, stop: int) -> str:
    count = stop - start
    return f"{start + 1 if count else start},{count}" if count != 1 else f"{start + 1}"


def _shown(sign: str, lines: Sequence[str]) -> list[str]:
    shown = [sign + line.rstrip("\r\n") for line in lines]
    if lines and not lines[-1].endswith(("\n", "\r")):
        shown.append("\\ No newline at end of file")
    return shown

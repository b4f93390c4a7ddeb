"""read_file: a text file or some lines of it, each with its number.

What was read is remembered whole, also when only a part of it is shown.
"""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from pydantic import BaseModel, Field

from tools.consent import Effect
from tools.errors import BadArguments, NotFound, WrongKind
from tools.file_kinds import kind_of_bytes
from tools.files import TextFile, decoded, read_bytes
from tools.lines import split_lines
from tools.outcome import Outcome
from tools.tool import Context, Tool
from tools.walk import printable, walk
from tools.workspace import Workspace

LINES = 1000
_BYTES = 400 * 1024
_LONGEST_LINE = 4000
_LOOKED_THROUGH = 5000


class ReadFileParameters(BaseModel):
    """What the model gives."""

    path: str = Field(description="The file, relative to the workspace.")
    start_line: int | None = Field(None, description="First line wanted, from 1.")
    end_line: int | None = Field(None, description="Last line wanted.")


class ReadFile(Tool[ReadFileParameters]):
    """Shows a text file with numbered lines."""

    name = "read_file"
    description = (
        f"Read a text file. Lines come as `N | text` (the label is not part of the file), at most "
        f"{LINES} unless you give both bounds."
    )
    effect = Effect.READ
    Parameters = ReadFileParameters

    async def run(self, params: ReadFileParameters, context: Context) -> Outcome:
        workspace = context.workspace
        path = workspace.resolve(params.path)
        if path.is_dir():
            raise WrongKind(f"{params.path} is a directory. Use list_files to see what is in it.")
        try:
            data = read_bytes(path, params.path)
        except NotFound as error:
            raise NotFound(f"{params.path} does not exist.{_nearest(path, workspace)}") from error
        file = decoded(data)
        if file is None:
            raise WrongKind(
                f"{params.path} is a binary file ({kind_of_bytes(data)}, {len(data):,} bytes), "
                "not text, and cannot be shown."
            )
        shown, first, last = _page(file, params)
        workspace.saw(path, data)
        lines = f"lines {first}-{last}" if last else "empty"
        return Outcome(shown, f"read {workspace.shown(path)} ({lines})")


def _page(file: TextFile, params: ReadFileParameters) -> tuple[str, int, int]:
    if not file.text:
        return "(The file is empty.)", 0, 0
    lines, endings = split_lines(file.text)
    first, last = _bounds(params, len(lines))
    shown: list[str] = []
    room = _BYTES
    for number in range(first, last + 1):
        labelled = f"{number} | {_cut(lines[number - 1])}"
        room -= len(labelled.encode("utf-8", "replace")) + 1
        if room < 0:
            break
        shown.append(labelled)
    last = first + len(shown) - 1
    notes = [_place(first, last, len(lines)), *_peculiar(file, ended=endings[-1] != "")]
    return "\n".join((*shown, "", f"({'; '.join(notes)})")), first, last


def _bounds(params: ReadFileParameters, count: int) -> tuple[int, int]:
    start, end = params.start_line, params.end_line
    if end is not None and end < 0:
        end = None  # -1 is how many say "to the end"
    if start is not None and end is not None and start > end:
        start, end = end, start
    first = max(1, start or 1)
    last = min(count, first + LINES - 1 if end is None else end)
    if start is None and end is not None:
        first = max(1, last - LINES + 1)
    if first > count:
        raise BadArguments(f"Line {first} is beyond the end: the file has {count} lines.")
    if last < 1:
        raise BadArguments(f"Line {end} is before the first line; the file has {count} lines.")
    return first, last


def _cut(line: str) -> str:
    if len(line) <= _LONGEST_LINE:
        return line
    return f"{line[:_LONGEST_LINE]} … [{len(line) - _LONGEST_LINE} more characters in this line]"


def _place(first: int, last: int, count: int) -> str:
    if last < count:
        return f"lines {first}-{last} of {count}; continue with start_line={last + 1}"
    if first > 1:
        return f"lines {first}-{last} of {count}, the end"
    return f"{count} line{'s' if count > 1 else ''}, the whole file"


def _peculiar(file: TextFile, *, ended: bool) -> list[str]:
    """Tell what an edit of this file should know; it is kept in any case."""
    notes: list[str] = []
    if "\r\n" in file.text:
        notes.append("CRLF line endings")
    if file.encoding != "utf-8":
        notes.append(f"encoded as {file.encoding}")
    if file.errors != "strict":
        notes.append("some bytes are not UTF-8 and shown as �; edits of other lines keep them")
    if not ended:
        notes.append("no newline at the end")
    return notes


def _nearest(path: Path, workspace: Workspace) -> str:
    """Name files that could have been meant: the same name elsewhere, or one like it here."""
    found = [
        workspace.shown(entry.path)
        for entry in islice(walk(workspace.root, workspace.root), _LOOKED_THROUGH)
        if not entry.folder
    ]
    wanted = workspace.shown(path)
    same_name = [name for name in found if name.rpartition("/")[2] == path.name]
    beside = {n.rpartition("/")[2]: n for n in found if n.rpartition("/")[0] == _folder(wanted)}
    like = [beside[name] for name in get_close_matches(path.name, beside, n=3, cutoff=0.6)]
    near = list(dict.fromkeys(same_name + like + get_close_matches(wanted, found, n=3)))[:4]
    if not near:
        return " Use list_files to see what is there."
    return f" Did you mean {' or '.join(printable(name) for name in near)}?"


def _folder(name: str) -> str:
    return name.rpartition("/")[0]

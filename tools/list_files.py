"""list_files: the names in a folder, or in all folders below it.

A link is shown with where it leads and is not followed.
"""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from pydantic import BaseModel, Field

from tools.consent import Effect
from tools.errors import NotFound, NotPermitted, WrongKind
from tools.outcome import Outcome
from tools.tool import Context, Tool
from tools.walk import Entry, listing, printable, walk
from tools.workspace import Workspace

ENTRIES = 200


class ListFilesParameters(BaseModel):
    """What the model gives."""

    path: str = Field(description="The directory, relative to the workspace; . for all of it.")
    recursive: bool = Field(False, description="true to list what is in its directories too.")


class ListFiles(Tool[ListFilesParameters]):
    """Lists the files and directories of a directory."""

    name = "list_files"
    description = (
        f"List a directory, at most {ENTRIES} entries. With recursive, what is ignored by git and "
        "folders such as node_modules are left out."
    )
    effect = Effect.READ
    Parameters = ListFilesParameters

    async def run(self, params: ListFilesParameters, context: Context) -> Outcome:
        workspace = context.workspace
        folder = workspace.resolve(params.path)
        if not folder.exists():
            raise NotFound(f"{params.path} does not exist.")
        if not folder.is_dir():
            raise WrongKind(f"{params.path} is a file, not a directory. Use read_file to read it.")
        return await asyncio.to_thread(_list, folder, workspace, params)


def _list(folder: Path, workspace: Workspace, params: ListFilesParameters) -> Outcome:
    try:
        found = list(islice(_entries(folder, workspace, params), ENTRIES + 1))
    except OSError as error:
        raise NotPermitted(f"{params.path} cannot be listed: {error.strerror}.") from error
    shown = workspace.shown(folder)
    if not found:
        return Outcome(f"({shown} is empty.)", f"{shown}: empty")
    kept = sorted(found[:ENTRIES], key=lambda entry: entry.path.parts)
    lines = [_line(entry, workspace) for entry in kept]
    if len(found) > ENTRIES:
        lines += ["", _more(recursive=params.recursive)]
    return Outcome("\n".join(lines), f"{shown}: {len(kept)} entries")


def _more(*, recursive: bool) -> str:
    if recursive:
        return (
            f"(More than {ENTRIES} entries: what lies deepest is not shown. List a directory "
            "further down.)"
        )
    return f"(More than {ENTRIES} entries: only the first are shown. Use search_files to find one.)"


def _entries(folder: Path, workspace: Workspace, params: ListFilesParameters) -> Iterator[Entry]:
    return walk(folder, workspace.root) if params.recursive else iter(listing(folder))


def _line(entry: Entry, workspace: Workspace) -> str:
    name = printable(workspace.shown(entry.path))
    if entry.target is not None:
        return f"{name} -> {printable(entry.target)}"
    if entry.folder:
        return f"{name}/ (cannot be read)" if entry.unread else f"{name}/"
    return name if entry.file else f"{name} ({_other(entry.mode)})"


def _other(mode: int) -> str:
    kinds = {stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket"}
    return kinds.get(stat.S_IFMT(mode), "device" if mode else "gone")

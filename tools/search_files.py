"""search_files: the lines of files that match a regex, with a line around each.

Files that usually hold secrets are told by name only; whoever wants one reads it, and is asked.
"""

from __future__ import annotations

import re

from pydantic import BaseModel, Field

from tools.consent import Effect
from tools.errors import BadArguments, NotFound, NotPermitted, TimedOut
from tools.outcome import Outcome
from tools.ripgrep import (
    Found,
    Search,
    fallback_command,
    find_ripgrep,
    ripgrep_arguments,
    run_search,
)
from tools.search_results import HITS, read_lines, render
from tools.tool import Context, Tool
from tools.workspace import Workspace

_SECONDS = 30.0


class SearchFilesParameters(BaseModel):
    """What the model gives."""

    path: str = Field(description="The directory or file to search, relative to the workspace.")
    regex: str = Field(description="Regular expression, Rust syntax, found within one line.")
    file_pattern: str | None = Field(
        None,
        description="Glob of the files, such as *.py or src/**/*.ts.",
        json_schema_extra={"x-kind": "line"},
    )


class SearchFiles(Tool[SearchFilesParameters]):
    """Searches the text of files."""

    name = "search_files"
    description = (
        "Search files for a regular expression. Gives matching lines as `N:text` and a line "
        f"around each as `N-text`, at most {HITS} matches; files ignored by git are left out."
    )
    effect = Effect.READ
    Parameters = SearchFilesParameters

    async def run(self, params: SearchFilesParameters, context: Context) -> Outcome:
        workspace = context.workspace
        search = _search(params, workspace)
        program = find_ripgrep()
        command = (
            [program, *ripgrep_arguments(search)]
            if program is not None
            else fallback_command(search)
        )
        try:
            found = await run_search(command, search.folder, _SECONDS)
        except OSError as error:
            raise NotPermitted(f"The search could not be started: {error}.") from error
        _check(found, params.regex)
        return _outcome(found, search, workspace)


def _search(params: SearchFilesParameters, workspace: Workspace) -> Search:
    for name, value in (("regex", params.regex), ("file_pattern", params.file_pattern or "")):
        if "\0" in value or not _valid(value):
            raise BadArguments(f"{name} holds a NUL or half a character (a surrogate).")
    if not params.regex:
        raise BadArguments("regex is empty. Give what to search for, or use list_files.")
    path = workspace.resolve(params.path)
    if not path.exists():
        raise NotFound(f"{params.path} does not exist.")
    if path.is_dir():
        patterns = _patterns(params.file_pattern or "", f"{workspace.shown(path)}/")
        return Search(path, params.regex, patterns, root=workspace.root)
    if not path.is_file():
        raise BadArguments(f"{params.path} is neither a directory nor a regular file.")
    return Search(path.parent, params.regex, only=path.name, root=workspace.root)


def _valid(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _patterns(given: str, folder: str) -> tuple[str, ...]:
    """Split a list at its commas; those inside braces belong to one glob.

    A glob that begins with the searched folder is meant from the workspace.
    """
    parts = [part.strip().removeprefix(folder) for part in re.split(r",(?![^{]*\})", given)]
    return tuple(part for part in parts if part not in ("", "*", "**", "**/*"))


def _check(found: Found, regex: str) -> None:
    if found.stopped and "longer" in found.stopped and not found.out:
        raise TimedOut(f"The search was ended: {found.stopped}. Search a smaller directory.")
    said = found.error.strip()
    if found.code != 2 or found.out or not said:
        return
    if "glob" in said and "regex" not in said:
        raise BadArguments(f"file_pattern is not a valid glob. ripgrep says:\n{said}")
    raise BadArguments(
        f"The search for {regex!r} failed. ripgrep says:\n{said}\nregex takes Rust syntax: within "
        "one line, no look-around, no backreferences; brackets and braces meant literally need a "
        "backslash."
    )


def _outcome(found: Found, search: Search, workspace: Workspace) -> Outcome:
    lines = read_lines(found.out, search.folder)
    results = render(lines, workspace.shown, secrets=search.only is not None)
    said = f"Found {results.count}{'+' if results.full or found.stopped else ''} result"
    said += "." if results.count == 1 and not results.full else "s."
    if search.patterns and not results.count:
        said += f" Only files named like {', '.join(search.patterns)} were searched."
    if results.full:
        said += " There are more. Narrow the path or the regex."
    elif found.stopped:
        said += f" The search was ended: {found.stopped}. Narrow the path or the regex."
    notes = [""] if results.left_out else []
    if results.left_out:
        notes.append(f"(Not shown, may hold secrets: {', '.join(results.left_out)})")
    return Outcome("\n".join((said, *results.lines, *notes)), said)

"""list_code_definition_names: what is defined where, in the source files of one directory."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, Field

from tools.consent import Effect
from tools.definitions import Language, definitions, language_of
from tools.errors import NotFound, NotPermitted, ToolError, WrongKind
from tools.files import read_text
from tools.outcome import Outcome
from tools.tool import Context, Tool
from tools.walk import Entry, listing, printable
from tools.workspace import Workspace

FILES = 50
_IN_A_FILE = 200
_BYTES = 64 * 1024
_LARGEST = 1024 * 1024
_LONGEST_LINE = 160


class DefinitionsParameters(BaseModel):
    """What the model gives."""

    path: str = Field(description="A directory (its own files only) or a source file.")


class ListCodeDefinitionNames(Tool[DefinitionsParameters]):
    """Lists classes, functions and the like with their lines."""

    name = "list_code_definition_names"
    description = (
        "List the classes, functions and types that source files define, each with its line "
        "number: a quick view of code before you read it."
    )
    effect = Effect.READ
    Parameters = DefinitionsParameters

    async def run(self, params: DefinitionsParameters, context: Context) -> Outcome:
        path = context.workspace.resolve(params.path)
        return await asyncio.to_thread(_definitions, path, params.path, context.workspace)


def _definitions(path: Path, given: str, workspace: Workspace) -> Outcome:
    if not path.exists():
        raise NotFound(f"{given} does not exist.")
    if path.is_dir():
        return _of_folder(path, given, workspace)
    language = language_of(path)
    if language is None:
        raise WrongKind(f"{given} is not a source file of a known language. Use read_file.")
    return _told(_of_file(path, language, workspace), [])


def _of_folder(folder: Path, given: str, workspace: Workspace) -> Outcome:
    try:
        entries = listing(folder)
    except OSError as error:
        raise NotPermitted(f"{given} cannot be listed: {error.strerror}.") from error
    sources = [
        (entry.path, language)
        for entry in entries
        if entry.file and (language := language_of(entry.path)) is not None
    ]
    if not sources:
        return Outcome(_nothing(given, entries), f"{workspace.shown(folder)}: no source files")
    lines: list[str] = []
    size = 0
    for place, (path, language) in enumerate(sources):
        if place == FILES or size > _BYTES:
            more = f"({len(sources) - place} more source files are not shown.)"
            return _told(lines, [more])
        lines += _of_file(path, language, workspace)
        size = sum(map(len, lines))
    return _told(lines, [])


def _told(lines: Sequence[str], notes: Sequence[str]) -> Outcome:
    count = sum(line.startswith("│") for line in lines)
    text = "\n".join((*lines, *notes)).strip("\n")
    return Outcome(text, f"{count} definitions")


def _nothing(given: str, entries: Sequence[Entry]) -> str:
    folders = [f"{printable(entry.path.name)}/" for entry in entries if entry.folder][:20]
    inside = f" Its directories: {', '.join(folders)}." if folders else ""
    return f"No source files are directly in '{given}'.{inside}"


def _of_file(path: Path, language: Language, workspace: Workspace) -> list[str]:
    name = printable(workspace.shown(path))
    try:
        text = read_text(path, name, largest=_LARGEST).text
        found = definitions(text, language)
    except ToolError as error:
        return [name, f"(not read: {error})", ""]
    except (ValueError, RuntimeError) as error:
        return [name, f"(could not be parsed as {language.name}: {error})", ""]
    if not found:
        return [name, "(no definitions)", ""]
    source = text.split("\n")
    lines = [
        f"│{one.line} | {'  ' * one.depth}{_first(source[one.line - 1])}"
        for one in found[:_IN_A_FILE]
    ]
    if len(found) > _IN_A_FILE:
        lines.append(f"({len(found) - _IN_A_FILE} more definitions are not shown.)")
    return [name, *lines, ""]


def _first(line: str) -> str:
    line = line.strip()
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…"

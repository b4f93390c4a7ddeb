"""The tool that changes parts of a file by SEARCH/REPLACE blocks (Cline's format)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from tools.consent import Effect, Preview
from tools.edits import Applied, Edited, Fit, apply_edits
from tools.errors import EditFailed, NotFound, NothingToChange, WrongKind
from tools.files import TextFile
from tools.outcome import Outcome
from tools.saving import Change, Target, change, look, save
from tools.tool import Context, Tool

_LONGEST = 400
_SHOWN = 12
"""Lines shown again of a block that was not written as the model gave it."""


class ReplaceParameters(BaseModel):
    """Which file, and its blocks."""

    model_config = ConfigDict(frozen=True)

    path: str = Field(description="The file, relative to the workspace.")
    diff: str = Field(
        description=(
            "One or more blocks like this one, each marker alone on its line:\n"
            "------- SEARCH\n"
            "    total = a - b\n"
            "=======\n"
            "    total = a + b\n"
            "+++++++ REPLACE\n"
            "SEARCH: whole lines, copied exactly from the file with their indentation and without "
            "line numbers, enough of them to be found only once. REPLACE: the lines that take "
            "their place; none to delete. A content line that looks like a marker gets a backslash "
            "before it: \\======="
        )
    )


class ReplaceInFile(Tool[ReplaceParameters]):
    """Applies all blocks to a file, or none."""

    name = "replace_in_file"
    description = (
        "Change parts of a file by SEARCH/REPLACE blocks. All blocks are applied or none; keep "
        "each small. Prefer it to write_to_file for files that exist."
    )
    effect = Effect.EDIT
    Parameters = ReplaceParameters

    def preview(self, params: ReplaceParameters, context: Context) -> Preview | None:
        plan = _plan(params, context)
        verb = "create" if plan.change.target.data is None else "edit"
        return Preview(f"{verb} {plan.change.target.name} ({plan.change.counts})", plan.change.diff)

    async def run(self, params: ReplaceParameters, context: Context) -> Outcome:
        plan = _plan(params, context)
        save(context.workspace, plan.change)
        told = f"Saved {plan.change.target.name} ({plan.change.counts}): {_where(plan.edited)}."
        notes = "\n".join(_notes(plan.edited.applied))
        return Outcome(f"{told}\n{notes}".rstrip(), told, diff=plan.change.diff)


@dataclass(frozen=True, slots=True)
class _Plan:
    edited: Edited
    change: Change


def _plan(params: ReplaceParameters, context: Context) -> _Plan:
    target = look(context.workspace, params.path)
    file = _text_of(target)
    try:
        edited = apply_edits(file.text, params.diff, target.name)
    except EditFailed:
        if target.data is None:
            raise NotFound(
                f"{target.name} does not exist, so nothing in it can be replaced. Check the path, "
                "or create the file with write_to_file."
            ) from None
        raise
    same = [each for each in edited.applied if not each.changed]
    if same and len(same) == len(edited.applied):
        raise NothingToChange(f"{_identical(same, target.name)} Nothing was written.")
    return _Plan(edited, change(target, edited.text, file.encoded(edited.text)))


def _text_of(target: Target) -> TextFile:
    if target.data is None:
        return TextFile(b"", "")
    if target.file is None:
        raise WrongKind(f"{target.name} is a binary file; it cannot be edited as text.")
    return target.file


def _identical(same: list[Applied], name: str) -> str:
    found = ", ".join(f"block {each.block} (line {each.line})" for each in same)
    return (
        f"Found in {name}, but SEARCH and REPLACE are identical in {found}, so there is nothing "
        "to change there."
    )


def _where(edited: Edited) -> str:
    return ", ".join(
        f"block {each.block} at line {each.line}" for each in edited.applied if each.changed
    )


def _notes(applied: tuple[Applied, ...]) -> Iterator[str]:
    if same := [each for each in applied if not each.changed]:
        yield _identical(same, "the file")
    for each in applied:
        if each.fit is Fit.LITERAL or not each.changed:
            continue
        yield f"Block {each.block} matched only {each.fit.value}; it now reads:"
        yield from (line[:_LONGEST] for line in each.lines[:_SHOWN])
        if len(each.lines) > _SHOWN:
            yield f"… ({len(each.lines) - _SHOWN} more lines)"

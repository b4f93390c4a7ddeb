"""The tool that writes a whole file.

Where the dialect frames a value with newlines, a text file ends with a newline unless the one
it replaces did not, and its line endings are kept; where the dialect carries values byte for
byte (`Context.exact`) the content is written exactly.  A byte order mark and the encoding are
kept in both cases: they are how the content is stored, and the model never saw them.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from tools.consent import Effect, Preview
from tools.edits.content import Content
from tools.errors import BadArguments, EditFailed
from tools.files import TextFile
from tools.lines import split_lines
from tools.outcome import Outcome
from tools.saving import Change, change, look, save
from tools.tool import Context, Tool


class WriteParameters(BaseModel):
    """Which file, and all of its text."""

    model_config = ConfigDict(frozen=True)

    path: str = Field(description="The file, relative to the workspace.")
    content: str = Field(
        description="The whole text of the file, exactly as it is to be; nothing left out."
    )


class WriteToFile(Tool[WriteParameters]):
    """Creates a file, or replaces all of its text."""

    name = "write_to_file"
    description = (
        "Write a whole file: create it (folders are made) or replace all of its text. For a "
        "small change to a file that exists, use replace_in_file."
    )
    effect = Effect.EDIT
    Parameters = WriteParameters

    def preview(self, params: WriteParameters, context: Context) -> Preview | None:
        planned = _plan(params, context)
        return Preview(_summary(planned), planned.diff)

    async def run(self, params: WriteParameters, context: Context) -> Outcome:
        planned = _plan(params, context)
        save(context.workspace, planned)
        verb = "Created" if planned.target.data is None else "Replaced"
        told = f"{verb} {planned.target.name} ({planned.counts})."
        return Outcome(told, told, diff=planned.diff)


def _plan(params: WriteParameters, context: Context) -> Change:
    target = look(context.workspace, params.path)
    text = params.content if context.exact else _with_endings(params.content, target.file)
    return change(target, text, _encoded(text, target.file))


def _summary(planned: Change) -> str:
    target = planned.target
    if target.data is None:
        return f"create {target.name} ({planned.counts})"
    binary = "" if target.file else f"a binary file of {len(target.data):,} bytes, "
    return f"replace all of {target.name} ({binary}{planned.counts})"


def _with_endings(content: str, old: TextFile | None) -> str:
    """Give content the line endings and the last newline of the file it replaces."""
    if not content:
        return content
    ended = content.endswith(("\n", "\r"))
    if old is None or not old.text or "\r" in content:
        crlf = "\r\n" in content
        keep = ended or (old is not None and old.text and not old.text.endswith(("\n", "\r")))
        return content if keep else content + ("\r\n" if crlf else "\n")
    lines = Content(old.text)
    lines.replace(0, len(lines.texts), split_lines(content)[0], 1)
    text = lines.text
    return text + lines.usual if ended and not text.endswith(("\n", "\r")) else text


def _encoded(text: str, old: TextFile | None) -> bytes:
    if old is not None:
        try:
            return old.encoded(text.removeprefix("\ufeff") if old.bom else text)
        except EditFailed:
            pass  # the whole file is replaced, so it may as well become UTF-8
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise BadArguments(
            f"content: found half of a surrogate pair at character {error.start}, expected "
            "valid Unicode. Nothing was written."
        ) from None

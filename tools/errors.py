"""What can go wrong in a tool, named by what the model can do about it.

    ToolError
    ├── UnknownTool        no tool of this name
    ├── BadArguments       a parameter is missing or does not fit
    ├── OutsideWorkspace   the path leaves the workspace
    ├── BadPath            no path can look like this
    ├── NotFound           nothing is there
    ├── WrongKind          a directory, a device or a binary file where a text file was expected
    ├── TooLarge           more than the tool takes
    ├── FileChanged        the file is not what the model last saw
    ├── EditFailed         a block does not match, or the edit is malformed
    ├── NothingToChange    all is well, and the file would stay as it is
    ├── NotPermitted       the system refuses (rights, full disk, read-only file)
    ├── NobodyThere        a question was asked and nobody can answer
    └── TimedOut           it took too long

Raised in a tool, read by the model, caught by the executor only.  Each message says what was
found, what was expected and what to do.
"""

from __future__ import annotations

__all__ = [
    "BadArguments",
    "BadPath",
    "EditFailed",
    "FileChanged",
    "NobodyThere",
    "NotFound",
    "NotPermitted",
    "NothingToChange",
    "OutsideWorkspace",
    "TimedOut",
    "TooLarge",
    "ToolError",
    "UnknownTool",
    "WrongKind",
]


class ToolError(Exception):
    """The root of the floor: a failure the model is told about."""


class UnknownTool(ToolError):
    """No tool has this name."""


class BadArguments(ToolError):
    """A parameter is missing or does not fit."""


class OutsideWorkspace(ToolError):
    """The path leaves the workspace."""


class BadPath(ToolError):
    """No path can look like this."""


class NotFound(ToolError):
    """Nothing is at this path."""


class WrongKind(ToolError):
    """Something else is at this path than a text file."""


class TooLarge(ToolError):
    """The file or the output is more than the tool takes."""


class FileChanged(ToolError):
    """The file is not what the model last saw of it."""


class EditFailed(ToolError):
    """A block does not match the file, or the edit is malformed."""


class NothingToChange(ToolError):
    """The edit fits, and the file would stay as it is."""


class NotPermitted(ToolError):
    """The system refuses to do it."""


class NobodyThere(ToolError):
    """A question was asked and nobody can answer."""


class TimedOut(ToolError):
    """It took longer than it may."""

"""The tools floor: the tools, their schemas, the workspace, consent, and one executor.

It knows parsing's blocks, and nothing of models or screens.  Names are loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tools.consent import (
        Allow,
        AllowAll,
        ByEffect,
        Consent,
        Decision,
        Effect,
        Preview,
        Questions,
        Refuse,
        RefuseAll,
        Request,
    )
    from tools.environment import command_environment
    from tools.errors import (
        BadArguments,
        BadPath,
        EditFailed,
        FileChanged,
        NobodyThere,
        NotFound,
        NothingToChange,
        NotPermitted,
        OutsideWorkspace,
        TimedOut,
        TooLarge,
        ToolError,
        UnknownTool,
        WrongKind,
    )
    from tools.executor import Executor
    from tools.outcome import Outcome, OutcomeKind, heading
    from tools.registry import ToolSet, default_tools
    from tools.tool import AnyTool, Context, Tool
    from tools.workspace import Workspace

_HOME = {
    "tools.consent": (
        "Allow AllowAll ByEffect Consent Decision Effect Preview Questions Refuse RefuseAll Request"
    ),
    "tools.environment": "command_environment",
    "tools.errors": (
        "BadArguments BadPath EditFailed FileChanged NobodyThere NotFound NotPermitted "
        "NothingToChange OutsideWorkspace TimedOut TooLarge ToolError UnknownTool WrongKind"
    ),
    "tools.executor": "Executor",
    "tools.outcome": "Outcome OutcomeKind heading",
    "tools.registry": "ToolSet default_tools",
    "tools.tool": "AnyTool Context Tool",
    "tools.workspace": "Workspace",
}
_MODULES = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [
    "Allow",
    "AllowAll",
    "AnyTool",
    "BadArguments",
    "BadPath",
    "ByEffect",
    "Consent",
    "Context",
    "Decision",
    "EditFailed",
    "Effect",
    "Executor",
    "FileChanged",
    "NobodyThere",
    "NotFound",
    "NotPermitted",
    "NothingToChange",
    "Outcome",
    "OutcomeKind",
    "OutsideWorkspace",
    "Preview",
    "Questions",
    "Refuse",
    "RefuseAll",
    "Request",
    "TimedOut",
    "TooLarge",
    "Tool",
    "ToolError",
    "ToolSet",
    "UnknownTool",
    "Workspace",
    "WrongKind",
    "command_environment",
    "default_tools",
    "heading",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'tools' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)

"""The tools there are: one line for each, loaded when a set of them is first made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from parsing import ToolSpec
from tools.errors import UnknownTool
from tools.tool import AnyTool

_MEANT = {
    "replace_in_file": "edit diff patch str replace insert modify update",
    "write_to_file": "create write save new",
    "read_file": "read view open cat show",
    "list_files": "ls list glob dir directory tree",
    "search_files": "grep search find rg ripgrep",
    "execute_command": "bash shell sh run exec execute terminal command cmd",
    "ask_followup_question": "ask question",
    "attempt_completion": "finish done complete completion submit end",
}
"""Words in the names that other programs give to such tools."""


class ToolSet:
    """Some tools, in the order in which prompts name them."""

    def __init__(self, tools: Iterable[AnyTool]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._specs = {tool.name: tool.spec() for tool in self._tools.values()}

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        return tuple(self._specs.values())

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._tools)

    def __iter__(self) -> Iterator[AnyTool]:
        return iter(self._tools.values())

    def __getitem__(self, name: str) -> AnyTool:
        """Give the tool of this name; raises UnknownTool with the nearest name and all names."""
        if tool := self._tools.get(name):
            return tool
        near = self._nearest(name[:80])
        meant = f" Did you mean {near}?" if near else ""
        raise UnknownTool(
            f"There is no tool named {name[:80]!r}.{meant} The tools are: {', '.join(self._tools)}."
        )

    def _nearest(self, name: str) -> str | None:
        words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)
        spelled = "_".join(words).lower()
        if near := get_close_matches(spelled, self._tools, n=1, cutoff=0.85):
            return near[0]
        known = ((tool, said.split()) for tool, said in _MEANT.items() if tool in self._tools)
        meant = [tool for tool, said in known if not {*spelled.split("_")}.isdisjoint(said)]
        near = meant or get_close_matches(spelled, self._tools, n=1, cutoff=0.6)
        return near[0] if near else None

    def __contains__(self, name: str) -> bool:
        return name in self._tools

    def spec(self, name: str) -> ToolSpec:
        """Give the description of the tool of this name."""
        return self._specs[name]

    def only(self, names: Sequence[str]) -> ToolSet:
        """Give the set of these names alone, in this order; raises UnknownTool."""
        return ToolSet(self[name] for name in names)

    def without(self, names: Sequence[str]) -> ToolSet:
        """Give the set without these names."""
        return ToolSet(tool for tool in self if tool.name not in names)


def default_tools() -> ToolSet:
    """Load the tools that Tagline comes with."""
    from tools.ask_followup_question import AskFollowupQuestion
    from tools.attempt_completion import AttemptCompletion
    from tools.execute_command import ExecuteCommand
    from tools.list_code_definition_names import ListCodeDefinitionNames
    from tools.list_files import ListFiles
    from tools.read_file import ReadFile
    from tools.replace_in_file import ReplaceInFile
    from tools.search_files import SearchFiles
    from tools.write_to_file import WriteToFile

    return ToolSet(
        (
            ReadFile(),
            WriteToFile(),
            ReplaceInFile(),
            ListFiles(),
            SearchFiles(),
            ListCodeDefinitionNames(),
            ExecuteCommand(),
            AskFollowupQuestion(),
            AttemptCompletion(),
        )
    )

"""The declared tools and parameters, and which of them a model's spelling means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from parsing.spec import Parameter, ToolSpec


class Declared:
    """Names as they were declared; with `lenient`, near misses that fit a single one."""

    def __init__(self, tools: Sequence[ToolSpec], *, lenient: bool) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._lenient = lenient

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def tool(self, raw: str, ways: Sequence[str] = ()) -> tuple[str, str]:
        """Give the name that `raw` means, and a note when it was read leniently.

        `ways` are patterns whose group 1 is the name; the first that is declared wins.
        """
        found = [match[1] for way in ways if (match := re.fullmatch(way, raw, re.DOTALL))] or [raw]
        if found[0] in self._tools or not self._lenient:
            return found[0], ""
        for name in found:
            if name in self._tools or (name := _near(name, self._tools)):
                return name, f"{raw} was read as {name}"
        return found[0], ""

    def param(self, tool: str, raw: str) -> tuple[Parameter | None, str]:
        """Give the parameter of a tool that `raw` means, and a note when read leniently."""
        if tool not in self._tools:
            return None, ""
        known = self._tools[tool].params
        if raw in known or not self._lenient:
            return known.get(raw), ""
        if name := _near(raw, known):
            return known[name], f"{raw} was read as {name}"
        return None, ""


def _near(raw: str, names: Iterable[str]) -> str:
    loose = raw.replace("-", "_").strip()
    near = [name for name in names if name.replace("-", "_") == loose]
    return near[0] if len(near) == 1 else ""

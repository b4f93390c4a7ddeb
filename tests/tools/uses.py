"""Tool uses as a parser would give them, and an executor in a folder of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parsing import ToolUse, Value
from parsing.values import Kind
from tools import AllowAll, Consent, Executor, Outcome, Questions, Workspace, default_tools
from tools.consent import Allow, Decision, Request

_KINDS: Mapping[type, Kind] = {
    bool: Kind.BOOLEAN,
    int: Kind.INTEGER,
    float: Kind.NUMBER,
    list: Kind.ARRAY,
    dict: Kind.OBJECT,
    type(None): Kind.NULL,
}


def use_of(name: str, **params: Any) -> ToolUse:
    return ToolUse(name, tuple(_value(key, value) for key, value in params.items()))


def _value(key: str, value: Any) -> Value:
    if isinstance(value, str):
        return Value(key, value)
    return Value(key, json.dumps(value), kind=_KINDS[type(value)])


class Asked:
    """Says yes, and remembers what it was asked."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    async def decide(self, request: Request) -> Decision:
        self.requests.append(request)
        return Allow()


def executor_in(
    root: Path,
    consent: Consent | None = None,
    questions: Questions | None = None,
) -> Executor:
    return Executor(default_tools(), Workspace(root), consent or AllowAll(), questions)


def execute(executor: Executor, *uses: ToolUse, exact: bool = False) -> list[Outcome]:
    """Run uses one after the other."""

    async def run() -> list[Outcome]:
        return [
            await executor.execute(use, f"call{at:04}", exact=exact) for at, use in enumerate(uses)
        ]

    return asyncio.run(run())


def run_in(root: Path, use: ToolUse, *, exact: bool = False) -> Outcome:
    return execute(executor_in(root), use, exact=exact)[0]


def plant(root: Path, tree: Mapping[str, str | None]) -> None:
    """Make files, folders (`name/`: null) and links (`-> target`)."""
    for name, content in tree.items():
        path = root / name
        if content is None:
            path.mkdir(parents=True, exist_ok=True)
        elif content.startswith("-> "):
            path.symlink_to(content[3:])
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())


def snapshot(root: Path) -> dict[str, bytes | str | None]:
    """Give everything below a folder: bytes of files, targets of links, none for folders."""
    found: dict[str, bytes | str | None] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_symlink():
            found[name] = str(path.readlink())
        else:
            found[name] = path.read_bytes() if path.is_file() else None
    return found


def rows(name: str) -> Sequence[dict[str, Any]]:
    """Read a corpus file of JSON lines."""
    text = (Path(__file__).parent / "corpus" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]

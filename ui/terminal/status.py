"""The line under the prompt, and the first lines on the screen."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ui.sanitise import one_line
from ui.terminal.cells import clip, width, wrap
from ui.terminal.styles import Glyphs, Line, shown

if TYPE_CHECKING:
    from agent.providers.base import Usage


_NONE: frozenset[str] = frozenset()
_EDIT, _RUN, _BOTH = frozenset({"edit"}), frozenset({"run"}), frozenset({"edit", "run"})
_NAMES = {_NONE: "ask", _EDIT: "auto-edit", _RUN: "auto-run", _BOTH: "yolo"}
_ASKS = {
    _NONE: "before every edit and every command; reading is free",
    _EDIT: "before every command; edits are allowed",
    _RUN: "before every edit; commands are allowed",
    _BOTH: "never: every edit and every command is allowed",
}


@dataclass(slots=True)
class Standing:
    """What the person can see of the session at any time."""

    version: str
    model: str
    endpoint: str
    dialect: str
    mode: str
    allowed: frozenset[str]  # effects that are not asked about: edit, run
    folder: Path
    branch: str | None = None
    sent: int = 0  # tokens of the last request
    tokens: int = 0  # tokens of all answers
    hint: str = ""
    queued: list[str] = field(default_factory=list[str])

    def count(self, usage: Usage) -> None:
        """Take the provider's figures in."""
        self.sent = usage.prompt or self.sent
        self.tokens += usage.completion or 0

    def line(self, columns: int, look: Glyphs) -> Line:
        """Give the status line, cut to the screen; a hint goes before everything."""
        if self.hint:
            return (("class:warn", clip(self.hint, columns - 1, look.dots)),)
        parts = [self.model, self.dialect, self.mode, self.approvals]
        if self.sent or self.tokens:
            parts.append(f"{_short(self.sent)} in {_short(self.tokens)} out")
        parts.append(self.branch or self.folder.name or str(self.folder))
        kept: list[str] = []
        for part in (one_line(part, 60) for part in parts if part):
            if kept and width(f"  {look.dot} ".join([*kept, part])) > columns - 3:
                break
            kept.append(part)
        return (("class:dim", clip(f" {look.dot} ".join(kept), columns - 1, look.dots)),)

    def queue_lines(self, columns: int, look: Glyphs) -> list[Line]:
        """Show the messages that wait for the agent."""
        return [
            (("class:dim", clip(f"queued: {one_line(text, 400)}", columns - 1, look.dots)),)
            for text in self.queued[-3:]
        ]

    def welcome(self, columns: int, look: Glyphs) -> list[Line]:
        """Give the first screen: what this is, who answers, where, and what is asked."""
        place = one_line(_home(self.folder), 200)
        where = f"{place} ({one_line(self.branch, 60)})" if self.branch else place
        rows = [
            ("model", f"{one_line(self.model, 80)} @ {one_line(self.endpoint, 120)}"),
            ("folder", where),
            ("asks", self.approvals_in_words()),
            ("reads", f"dialect {self.dialect} {look.dot} mode {self.mode}"),
        ]
        name, hint = f"tagline {self.version}", f"  {look.dot} /help for help, Ctrl-D to leave"
        if width(name + hint) >= columns:
            hint = f"  {look.dot} /help"
        head: Line = (("class:heading", name), ("class:dim", hint))
        return [head, *(line for row in rows for line in _wrapped(*row, columns))]

    def table(self, session_id: str | None) -> list[tuple[str, str]]:
        """Give all of it, row by row."""
        return [
            ("model", one_line(f"{self.model} @ {self.endpoint}", 200)),
            ("folder", shown(str(self.folder))),
            ("reads", f"dialect {self.dialect}, mode {self.mode}"),
            ("asks", self.approvals_in_words()),
            ("tokens", f"{self.sent} in the last request, {self.tokens} answered"),
            ("session", session_id or "begins with your first message"),
        ]

    @property
    def approvals(self) -> str:
        """Give the name of how much is asked."""
        return _NAMES[self.allowed]

    def approvals_in_words(self) -> str:
        """Say how much is asked."""
        return _ASKS[self.allowed]


def _wrapped(name: str, text: str, columns: int) -> list[Line]:
    first, *rest = wrap(text, columns - 10)
    return [
        (("class:dim", f"  {name:<7}"), ("", first)),
        *((("", f"{'':9}{row}"),) for row in rest),
    ]


def branch_of(folder: Path) -> str | None:
    """Read the branch from git's own file, without starting git."""
    for parent in (folder, *folder.parents):
        git = parent / ".git"
        try:
            if git.is_file():
                git = parent / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
            head = (git / "HEAD").read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            continue
        return head.removeprefix("ref: refs/heads/") if head.startswith("ref:") else head[:9]
    return None


def _home(folder: Path) -> str:
    try:
        return f"~/{folder.relative_to(Path.home())}".removesuffix("/.")
    except (ValueError, RuntimeError):
        return str(folder)


def _short(count: int) -> str:
    return str(count) if count < 1000 else f"{count / 1000:.1f}k"

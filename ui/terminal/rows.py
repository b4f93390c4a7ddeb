"""A tool call as one calm row: what it does, to what, and how it stands."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ui.sanitise import one_line
from ui.terminal.cells import clip, wrap
from ui.terminal.styles import Fragment, Glyphs, Line, shown

if TYPE_CHECKING:
    from parsing import ToolUse

# How a call reads to a person: the verb, and the parameter that says what it is about.
_VERBS: Mapping[str, tuple[str, str]] = {
    "read_file": ("Read", "path"),
    "write_to_file": ("Write", "path"),
    "replace_in_file": ("Edit", "path"),
    "list_files": ("List", "path"),
    "search_files": ("Search", "regex"),
    "list_code_definition_names": ("Outline", "path"),
    "execute_command": ("Run", "command"),
    "ask_followup_question": ("Ask", "question"),
    "attempt_completion": ("Finish", ""),
}
_QUESTION = "ask_followup_question"
_TAIL = 5  # lines of a command's output that stay in sight
_KEPT = 400  # characters of one such line


def verb(name: str) -> str:
    """Give the word for what a tool does."""
    return _VERBS.get(name, (shown(name), ""))[0]


def subject(name: str, values: Mapping[str, str], room: int = 400) -> str:
    """Give what a call is about, in one line: a path, a command, a pattern."""
    if name in _VERBS:
        return one_line(values.get(_VERBS[name][1], "").strip(), room)
    return one_line(next(iter(values.values()), "").strip(), room)


def about(use: ToolUse) -> str:
    """Give what a tool use is about."""
    values = {value.key: value.text for value in use.values}
    if use.raw is not None:
        values = {key: str(value) for key, value in use.params.items()}
    return subject(use.name, values)


def growth(use: ToolUse) -> str:
    """Say how far the longest value has come, once that is worth saying."""
    texts = [value.text.count("\n") for value in use.values]
    lines = max(texts, default=(use.raw or "").count("\\n")) + 1
    return f"{lines} lines" if lines > 1 else ""


@dataclass(slots=True)
class Tail:
    """The last lines of a command's output; of a progress line the last frame."""

    lines: deque[str] = field(default_factory=lambda: deque[str](maxlen=_TAIL))
    open: str = ""
    total: int = 0

    def feed(self, text: str) -> None:
        """Take more output in."""
        *ended, rest = (self.open + text).replace("\r\n", "\n").split("\n")
        for line in ended:
            self._end(line)
        self.open = rest[-_KEPT * 4 :] if len(rest) > _KEPT * 4 else rest

    def seen(self) -> list[str]:
        """Give the lines in sight, the open one included."""
        last = [_frame(self.open)] if self.open.strip() else []
        return [*self.lines, *last][-_TAIL:]

    def _end(self, line: str) -> None:
        self.total += 1
        self.lines.append(_frame(line))


def _frame(line: str) -> str:
    frames = [part for part in line.split("\r") if part]
    last = frames[-1] if frames else ""
    return shown(last[:_KEPT])


@dataclass(slots=True)
class Row:
    """One call as it is shown."""

    use: ToolUse
    since: float
    state: str = "writing"  # writing, waiting, asking, running
    shown: bool = False  # its diff or its command was shown in whole
    tail: Tail = field(default_factory=Tail)

    @property
    def asked(self) -> bool:
        """Claim that the person is asked something in this call's name right now."""
        return self.state == "asking" or (self.state == "running" and self.use.name == _QUESTION)

    def live(self, sign: str, now: float, columns: int, look: Glyphs) -> list[Line]:
        """Give the row as it stands, with the end of its output."""
        room = columns - 1
        elapsed = seconds(now - self.since)
        note = {"writing": growth(self.use), "waiting": ""}.get(self.state, elapsed)
        lines = [row_line(("class:accent", sign), self.use, note, room, look)]
        lines += [
            (("class:dim", f"  {look.bar} "), ("class:dim", clip(line, room - 4, look.dots)))
            for line in self.tail.seen()
        ]
        return lines


def row_line(sign: Fragment, use: ToolUse, note: str, room: int, look: Glyphs) -> Line:
    """Lay out sign, verb, subject and note in `room` cells; the subject is cut, never the note."""
    word = verb(use.name)
    suffix = f"  {look.dot} {note}" if note else ""
    what = clip(about(use), room - len(word) - len(suffix) - 4, look.dots)
    fragments: list[Fragment] = [sign, ("class:name", f" {word}")]
    if what:
        fragments.append(("", f" {what}"))
    if suffix:
        fragments.append(("class:dim", suffix))
    return tuple(fragments)


def message(style: str, sign: str, text: str, columns: int, name: str = "") -> list[Line]:
    """Lay a sentence out behind its sign, wrapped beside it."""
    first, *rest = wrap(text, columns - 3)
    named = f"class:{name}" if name else ""
    return [((style, sign), (named, f" {first}")), *(((named, f"  {row}"),) for row in rest)]


def seconds(span: float) -> str:
    """Say a span of time shortly."""
    if span < 10:
        return f"{span:.1f} s"
    if span < 100:
        return f"{span:.0f} s"
    return f"{int(span // 60)} min {int(span % 60)} s"

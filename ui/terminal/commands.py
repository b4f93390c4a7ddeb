"""The commands a person types after a slash.

Law: one more command is one more row here: its name, its help, what it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

from ui.sanitise import one_line
from ui.terminal.styles import Line, plain


class Commanded(Protocol):
    """What commands may do to the session."""

    def say(self, lines: list[Line]) -> None: ...
    def leave(self) -> None: ...
    def start_anew(self) -> None: ...
    def told(self) -> list[tuple[str, str]]: ...
    def granted(self) -> list[str]: ...
    def forget_grants(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Command:
    """A row of the table."""

    name: str
    about: str
    run: Callable[[Commanded, str], None]


def _help(session: Commanded, _: str) -> None:
    rows = [(command.name, command.about) for command in COMMANDS]
    asked = [plain(""), plain("when it asks before an edit or a command:"), *_table(ANSWERING)]
    session.say([*_table(rows), plain(""), *_table(KEYS), *asked])


def _quit(session: Commanded, _: str) -> None:
    session.leave()


def _clear(session: Commanded, _: str) -> None:
    session.start_anew()


def _status(session: Commanded, _: str) -> None:
    session.say(_table(session.told()))


def _approvals(session: Commanded, words: str) -> None:
    if words == "forget":
        session.forget_grants()
    rules = [plain(f"  {one_line(rule, 200)}") for rule in session.granted()]
    head = "granted for this session (/approvals forget takes it back):"
    session.say([plain(head), *rules] if rules else [plain("nothing is granted; all of it asks")])


KEYS = [
    ("Enter", "send"),
    ("Alt-Enter, Ctrl-J", "a new line"),
    ("Up, Down, Ctrl-R", "what was sent before; search it"),
    ("Ctrl-C", "interrupt the agent, also while it asks; twice: leave"),
    ("Ctrl-D", "leave, when nothing is written"),
    ("Ctrl-Z", "suspend"),
]

ANSWERING = [
    ("1 2 3 4", "the answer of that number; or choose by Up and Down, then Enter"),
    ("y, n", "yes once, or no: as the first key, and only when no other follows it at once"),
    ("other words", "no, and Enter sends the words to the model; Esc clears them"),
    ("yes, no", "in full, then Enter: what they say"),
    ("Esc", "no; the agent goes on without it"),
    ("Ctrl-C", "interrupt: it is not done, and the agent waits for you"),
]

COMMANDS = (
    Command("/help", "commands and keys", _help),
    Command("/status", "model, folder, approvals, tokens", _status),
    Command("/approvals", "what is granted for this session; `forget` takes it back", _approvals),
    Command("/clear", "begin a new session", _clear),
    Command("/quit", "leave", _quit),
)
_OTHER_NAMES = {"/exit": "/quit", "/new": "/clear", "/?": "/help", "/q": "/quit"}


def rows() -> Iterable[tuple[str, str]]:
    """Give name and help of each command, for completion."""
    return ((command.name, command.about) for command in COMMANDS)


def is_command(text: str) -> bool:
    """Claim that a text is a command and no message; a path that begins with a slash is none."""
    first = text.split(None, 1)[0] if text.strip() else ""
    return first.startswith("/") and "/" not in first[1:] and "\n" not in text.strip()


def run_command(session: Commanded, text: str) -> None:
    """Run the command, or say which one was meant."""
    name, _, words = text.strip().partition(" ")
    name = _OTHER_NAMES.get(name, name)
    for command in COMMANDS:
        if command.name == name:
            command.run(session, words.strip())
            return
    near = get_close_matches(name, [command.name for command in COMMANDS], n=1)
    hint = f"; did you mean {near[0]}?" if near else "; /help lists them"
    session.say([plain(f"no command {one_line(name, 40)}{hint}", "warn")])


def _table(pairs: Iterable[tuple[str, str]]) -> list[Line]:
    pairs = list(pairs)
    wide = max((len(name) for name, _ in pairs), default=0)
    return [(("class:key", f"  {name:<{wide}}"), ("", f"  {text}")) for name, text in pairs]

import pytest

from ui.terminal.commands import COMMANDS, is_command, run_command
from ui.terminal.styles import Line, text_of


class Recorded:
    """A session that writes down what commands do to it."""

    def __init__(self) -> None:
        self.said = ""
        self.done: list[str] = []

    def say(self, lines: list[Line]) -> None:
        self.said += text_of(lines)

    def leave(self) -> None:
        self.done.append("leave")

    def start_anew(self) -> None:
        self.done.append("anew")

    def told(self) -> list[tuple[str, str]]:
        return [("model", "m @ e")]

    def granted(self) -> list[str]:
        return [] if "forget" in self.done else ["edits"]

    def forget_grants(self) -> None:
        self.done.append("forget")


@pytest.mark.parametrize(
    ("text", "done", "said"),
    [
        ("/quit", ["leave"], ""),
        ("/exit", ["leave"], ""),
        ("/clear", ["anew"], ""),
        ("/status", [], "  model  m @ e\n"),
        ("/approvals", [], "edits"),
        ("/approvals forget", ["forget"], "nothing is granted"),
        ("/hlep", [], "no command /hlep; did you mean /help?"),
        ("/zzz", [], "no command /zzz; /help lists them"),
        ("/\x1b[2J", [], "no command /\\x1b[2J"),
    ],
)
def test_command_does_what_its_row_says(text: str, done: list[str], said: str) -> None:
    session = Recorded()
    run_command(session, text)
    assert session.done == done
    assert said in session.said


def test_help_names_every_command_and_the_keys() -> None:
    session = Recorded()
    run_command(session, "/help")
    for word in (*(command.name for command in COMMANDS), "Ctrl-C", "Ctrl-R", "Alt-Enter"):
        assert word in session.said


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("/help", True),
        (" /help me", True),
        ("/usr/bin/env is a path", False),
        ("mend it", False),
        ("/one\ntwo", False),
        ("", False),
    ],
)
def test_command_is_told_from_message(text: str, claim: bool) -> None:
    assert is_command(text) is claim

import asyncio

import pytest

from tools import Allow, Effect, Preview, Refuse, Request
from ui.terminal.approval import Approvals, preview_lines
from ui.terminal.question import Answer, Reply
from ui.terminal.styles import ASCII, text_of


class Desk:
    """A person who gives prepared answers."""

    def __init__(self, *answers: Answer, words: str | None = None) -> None:
        self.answers = list(answers)
        self.said = words
        self.asked: list[str] = []
        self.scopes: list[str | None] = []

    def show(self, request: Request) -> None:
        self.asked.append(text_of(preview_lines(request, ASCII)))

    async def ask(self, title: str, scope: str | None) -> Reply:
        self.scopes.append(scope)
        answer = self.answers.pop(0)
        return Reply(answer, self.said if answer is Answer.TELL else None)


def edit(*cautions: str) -> Request:
    params = {"path": "a.py", "content": "x"}
    diff = "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n"
    return Request("1", "write_to_file", Effect.EDIT, params, Preview("s", diff=diff), cautions)


def run(command: str) -> Request:
    params = {"command": command}
    preview = Preview("s", command=command)
    return Request("2", "execute_command", Effect.RUN, params, preview)


def decide(approvals: Approvals, *requests: Request) -> list[Allow | Refuse]:
    async def all_of_them() -> list[Allow | Refuse]:
        return [await approvals.decide(request) for request in requests]

    return asyncio.run(all_of_them())


@pytest.mark.parametrize(
    ("answer", "decision"),
    [
        (Answer.ONCE, Allow()),
        (Answer.SESSION, Allow()),
        (Answer.NO, Refuse(None)),
        (Answer.TELL, Refuse("use b.py")),
    ],
)
def test_approval_passes_the_answer_on(answer: Answer, decision: Allow | Refuse) -> None:
    assert decide(Approvals(Desk(answer, words="use b.py")), edit()) == [decision]


def test_approval_for_the_session_covers_edits_but_no_other_command() -> None:
    desk = Desk(Answer.SESSION, Answer.SESSION, Answer.NO)
    approvals = Approvals(desk)
    made = decide(approvals, edit(), edit(), run("make"), run("make"), run("make; rm x"))
    assert made == [Allow(), Allow(), Allow(), Allow(), Refuse(None)]
    assert approvals.rules() == ["command make", "edits"]


def test_approval_once_asks_again() -> None:
    desk = Desk(Answer.ONCE, Answer.NO)
    assert decide(Approvals(desk), edit(), edit()) == [Allow(), Refuse(None)]


def test_approval_with_a_caution_asks_whatever_was_granted() -> None:
    desk = Desk(Answer.SESSION, Answer.NO)
    made = decide(Approvals(desk), edit(), edit("writes a secret file"))
    assert made == [Allow(), Refuse(None)]
    assert "! writes a secret file" in desk.asked[1]


def test_approval_shows_the_whole_command() -> None:
    command = "\n".join(f"echo {number} {'x' * 300}" for number in range(100))
    desk = Desk(Answer.NO)
    decide(Approvals(desk), run(command + "\x1b[2J"))
    for line in command.split("\n"):
        assert line in desk.asked[0]
    assert "\x1b" not in desk.asked[0]
    assert "\\x1b[2J" in desk.asked[0]


def test_approval_of_one_secret_file_offers_no_other() -> None:
    desk = Desk(Answer.ONCE, Answer.ONCE)
    params = {"path": ".env"}
    read = Request("3", "read_file", Effect.READ, params, Preview("s"), ("a secret file",))
    decide(Approvals(desk), read, edit())
    assert desk.scopes == [None, "every edit"]

import asyncio
from collections.abc import Callable

import pytest

from ui.terminal.question import ALONE, QUIET, Answer, Question
from ui.terminal.styles import ASCII, text_of

Act = Callable[[Question], None]


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def asked(act: Act, clock: Clock | None = None, scope: str | None = "it") -> Question:
    """Open a question, act on it, and wait until a key that stayed alone has answered."""

    async def ask() -> Question:
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        opened = Question("Run?", scope, clock or Clock(), future, ASCII)
        act(opened)
        await asyncio.wait({future}, timeout=ALONE * 2)
        return opened

    return asyncio.run(ask())


def answer(question: Question) -> Answer | None:
    return question.answer.result() if question.answer.done() else None


def keys(*pressed: str) -> Act:
    def press(question: Question) -> None:
        for key in pressed:
            match key:
                case "down":
                    question.move(1)
                case "up":
                    question.move(-1)
                case "\r":
                    question.confirm()
                case _:
                    question.press(key)

    return press


@pytest.mark.parametrize(
    ("pressed", "given"),
    [
        *zip("1234", Answer, strict=True),
        ("y", Answer.ONCE),
        ("Y", Answer.ONCE),
        ("n", Answer.NO),
        ("y\r", Answer.ONCE),
        (["down", "\r"], Answer.ONCE),
        (["down", "down", "up", "\r"], Answer.ONCE),
        (["up", "\r"], Answer.TELL),
        (["down", "3"], Answer.NO),
        (" ", None),
        ("\t", None),
        ("\r", None),
        (["\x1bOP"], None),
        ("y\x7f", None),
        (["down"], None),
    ],
)
def test_question_is_answered_by_a_deliberate_key(
    pressed: str | list[str], given: Answer | None
) -> None:
    question = asked(keys(*pressed))
    assert answer(question) is given
    assert question.typed == ""


@pytest.mark.parametrize(
    ("pressed", "words"),
    [
        ("please", "please"),
        ("s", "s"),
        ("t", "t"),
        ("5", "5"),
        ("yes please", "yes please"),
        ("2 is wrong", "2 is wrong"),
        ("no, use b.py", "no, use b.py"),
        ("2nd line is wrong", "2nd line is wrong"),
        ("yy", "yy"),
        (" y", "y"),
        (["down", "y"], "y"),
        ("plx\x7fease", "please"),
        ("漢字", "漢字"),
    ],
)
def test_question_takes_words_as_a_no(pressed: str | list[str], words: str) -> None:
    question = asked(keys(*pressed))
    assert answer(question) is Answer.TELL
    assert question.typed == words
    assert not question.sent


def test_question_sends_words_with_enter() -> None:
    question = asked(keys(*"please 1", "\r"))
    assert (answer(question), question.typed, question.sent) == (Answer.TELL, "please 1", True)


def test_question_without_a_scope_has_no_wide_yes() -> None:
    question = asked(keys("2"), scope=None)
    assert answer(question) is Answer.NO
    assert "session" not in text_of(question.answers())


def test_question_does_not_hear_what_was_typed_ahead() -> None:
    clock = Clock()
    heard: list[bool] = []

    def hear(opened: Question) -> None:
        for wait in (0.0, QUIET * 0.9, QUIET * 0.9, QUIET * 1.1):
            clock.now += wait
            heard.append(opened.hears("y"))

    asked(hear, clock)
    assert heard == [False, False, False, True]


def test_question_takes_no_letter_behind_words_that_came_too_early() -> None:
    clock = Clock()

    def hear(opened: Question) -> None:
        for key in "pla":
            assert not opened.hears(key)
        clock.now += QUIET * 2
        assert opened.hears("y")
        opened.press("y")

    question = asked(hear, clock)
    assert (answer(question), question.typed) == (Answer.TELL, "y")


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_question_is_folded_beside_its_numbers(columns: int) -> None:
    clock = Clock()
    rows: list[str] = []

    def look(opened: Question) -> None:
        clock.now += QUIET
        rows.extend(text_of(opened.lines(columns)).split("\n"))

    asked(look, clock, "every edit")
    assert all(len(row) < columns for row in rows)
    assert " ".join(" ".join(rows).split()) == (
        "? Run? 1 y yes, once 2 yes, and every edit in this session 3 n no "
        "4 no, and tell the model what to do instead "
        "other words: no, with them - Esc: no - Ctrl-C: interrupt"
    )
    if columns == 40:
        assert "  2    yes, and every edit in this\n       session" in "\n".join(rows)

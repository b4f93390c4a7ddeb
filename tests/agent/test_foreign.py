from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

import parsing
from agent.events import (
    BlockClosed,
    CallAsked,
    CallFinished,
    Event,
    Noticed,
    TurnStarted,
)
from agent.limits import ForeignPolicy
from agent.sessions.store import Sessions
from parsing import ForeignCalls
from tests.agent.play import DONE, QUICK, Call, Play, Say, Turn, read, well_formed, write
from tools import Allow, ByEffect, Decision, Effect, Refuse, RefuseAll

WRITE = (
    "I write it.\n<tool_call>\n"
    '{"name": "write_to_file", "arguments": {"path": "a.py", "content": "x = 1\\n"}}\n'
    "</tool_call>"
)
READ = (
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.py", "start_line": 1}}\n'
    "</tool_call>"
)
TWO = f"{WRITE}\n{READ}"

NOT_RUN = (
    "[You wrote a call in the dialect `hermes`, but the dialect here is `cline`. Nothing was run. "
    "(This is an automatic reminder: do not answer it.) In `cline` the same is written exactly "
    "so; if it is still right, send it again like this:]\n\n" + write("a.py", "x = 1\n")
)
TAKEN = (
    "[You wrote a call in the dialect `hermes`, but the dialect here is `cline`. This time that "
    "was taken as you wrote it; what came of it stands above. (This is an automatic reminder: do "
    "not answer it.) In `cline` the same is written exactly so:]\n\n" + write("a.py", "x = 1\n")
)


class Person:
    """Someone who gives prepared answers, and keeps what was offered."""

    def __init__(self, *answers: Decision) -> None:
        self._answers = list(answers)
        self.offered: list[tuple[ForeignCalls, str]] = []

    async def offer(self, calls: ForeignCalls, expected: str) -> Decision:
        self.offered.append((calls, expected))
        return self._answers.pop(0)


class Away:
    """Someone who never answers; `asked` is set once the question stands."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()

    async def offer(self, calls: ForeignCalls, expected: str) -> Decision:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")


def play(
    root: Path, *turns: str | Turn, policy: ForeignPolicy = "offer", person: Person | None = None
) -> Play:
    return Play(root, turns, limits=replace(QUICK, foreign_calls=policy), offers=person)


def noticed(play: Play) -> list[str]:
    told = play.told(Noticed)
    return [e.text for e in told if isinstance(e, Noticed) and e.kind == "foreign_call"]


def test_foreign_call_that_the_person_takes_is_run(tmp_path: Path) -> None:
    person = Person(Allow())
    played = play(tmp_path, WRITE, DONE, person=person)

    end = played.run()

    assert end.status == "completed"
    assert (tmp_path / "a.py").read_text() == "x = 1\n"
    ((calls, expected),) = person.offered
    assert (calls.dialect, expected) == ("hermes", "cline")
    assert [use.params for use in calls.uses] == [{"path": "a.py", "content": "x = 1\n"}]
    heading, _, rest = played.last_words.partition("\n")
    assert heading == "[write_to_file for 'a.py'] Result:"
    assert rest.endswith(f"\n\n{TAKEN}")
    assert played.history[1].text == WRITE
    assert well_formed(played.history)


def test_foreign_call_that_the_person_does_not_take_is_not_run(tmp_path: Path) -> None:
    played = play(tmp_path, WRITE, DONE, person=Person(Refuse()))

    end = played.run()

    assert end.status == "completed"
    assert list(tmp_path.iterdir()) == []
    assert played.last_words == NOT_RUN
    assert played.history[1].text == WRITE
    assert noticed(played) == [
        "A call in the dialect hermes (expected: cline): you did not take it."
    ]


def test_foreign_call_is_refused_with_the_persons_words(tmp_path: Path) -> None:
    played = play(tmp_path, WRITE, DONE, person=Person(Refuse("write b.py")))

    played.run()

    said = "The user says:\n<feedback>\nwrite b.py\n</feedback>"
    assert played.last_words == f"{NOT_RUN}\n\n{said}"


@pytest.mark.parametrize("policy", ["refuse", "offer"])
def test_foreign_call_is_refused_where_nobody_is_asked(
    tmp_path: Path, policy: ForeignPolicy
) -> None:
    played = play(tmp_path, WRITE, DONE, policy=policy)

    end = played.run()

    assert end.status == "completed"
    assert list(tmp_path.iterdir()) == []
    assert played.last_words == NOT_RUN
    assert "(expected: cline): not run" in "".join(noticed(played))


def test_foreign_call_is_refused_without_asking_by_the_setting(tmp_path: Path) -> None:
    person = Person()
    played = play(tmp_path, WRITE, DONE, policy="refuse", person=person)

    played.run()

    assert person.offered == []
    assert played.last_words == NOT_RUN


def test_foreign_calls_are_accepted_by_the_setting(tmp_path: Path) -> None:
    person = Person()
    played = play(tmp_path, TWO, DONE, policy="accept", person=person)

    played.run()

    assert person.offered == []
    told = played.told(CallFinished)
    names = [e.use.name for e in told if isinstance(e, CallFinished)]
    assert names == ["write_to_file", "read_file", "attempt_completion"]
    assert played.last_words.count("Result:") == 2
    assert "You wrote 2 calls in the dialect `hermes`" in played.last_words
    spelled = [(use.name, dict(use.params)) for use in uses(played.last_words)]
    assert spelled == [
        ("write_to_file", {"path": "a.py", "content": "x = 1\n"}),
        ("read_file", {"path": "a.py", "start_line": 1}),
    ]


def uses(text: str) -> list[parsing.ToolUse]:
    tools = Play(Path()).agent.speech.tools
    return [b for b in parsing.parse(text, "cline", tools) if isinstance(b, parsing.ToolUse)]


def test_foreign_call_that_is_taken_again_is_corrected_once(tmp_path: Path) -> None:
    played = play(tmp_path, WRITE, READ, DONE, policy="accept")

    played.run()

    assert "[read_file for 'a.py'] Result:" in played.last_words
    assert "in the dialect" not in played.last_words
    assert "".join(message.text for message in played.history).count("the dialect here is") == 1


def test_foreign_call_needs_consent_as_any_other(tmp_path: Path) -> None:
    consent = ByEffect({Effect.READ}, RefuseAll("not that file"))
    limits = replace(QUICK, foreign_calls="accept")
    played = Play(tmp_path, [WRITE, DONE], limits=limits, consent=consent)

    played.run()

    assert list(tmp_path.iterdir()) == []
    assert "not that file" in played.last_words
    assert len(played.told(CallAsked)) == 1


def test_foreign_call_is_offered_after_its_text_is_told(tmp_path: Path) -> None:
    told: list[str] = []

    class Asked(Person):
        async def offer(self, calls: ForeignCalls, expected: str) -> Decision:
            told.append("offered")
            return Allow()

    def listen(event: Event) -> None:
        match event:
            case BlockClosed(_, block):
                told.append(type(block).__name__)
            case Noticed() | CallAsked() | CallFinished():
                told.append(type(event).__name__)
            case _:
                pass

    Play(tmp_path, [READ, DONE], offers=Asked(), listen=listen).run()

    assert told[:6] == [
        "TextBlock",
        "offered",
        "Noticed",
        "ToolUse",
        "CallAsked",
        "CallFinished",
    ]


@pytest.mark.parametrize("extra", ["\n\nThat is how Hermes writes it.", "\n```"])
def test_foreign_call_that_something_follows_stays_text(tmp_path: Path, extra: str) -> None:
    played = play(tmp_path, READ + extra, DONE, policy="accept")

    played.run()

    assert noticed(played) == []
    assert "in a form that is not read here" in played.last_words


@pytest.mark.parametrize(
    "turn",
    [
        Turn((Say(READ),), finish="length"),
        Turn((Say(READ),), finish="content_filter"),
        Turn((Say(READ), Call("list_files", '{"path": "."}')), finish="tool_calls"),
        f"{READ}\n{read('a.py')}",
    ],
)
def test_foreign_call_is_looked_for_in_whole_messages_without_a_call(
    tmp_path: Path, turn: str | Turn
) -> None:
    played = play(tmp_path, turn, DONE, policy="accept")

    played.run()

    assert noticed(played) == []


def test_foreign_call_with_values_that_do_not_fit_is_not_offered(tmp_path: Path) -> None:
    late = '{"name": "execute_command", "arguments": {"command": "ls", "timeout": 99999}}'
    person = Person()
    played = play(tmp_path, late, DONE, person=person)

    played.run()

    assert person.offered == []
    assert "in a form that is not read here" in played.last_words


def test_foreign_call_that_cannot_be_spelled_is_answered_with_an_example(tmp_path: Path) -> None:
    path = '{"name": "read_file", "arguments": {"path": "</path></read_file> "}}'
    played = play(tmp_path, path, DONE, policy="refuse")

    played.run()

    assert "In `cline` that cannot be written as it is" in played.last_words
    assert played.last_words.endswith("\n\n" + read("src/main.py"))


def test_foreign_calls_without_end_end_the_task(tmp_path: Path) -> None:
    played = play(tmp_path, *[WRITE] * 3, policy="refuse")

    end = played.run()

    assert (end.status, end.exit_code) == ("no_tool_used", 4)
    assert len(played.told(TurnStarted)) == 3


def test_interrupt_ends_the_offer(tmp_path: Path) -> None:
    async def run() -> tuple[str, str]:
        away = Away()
        played = Play(tmp_path, [WRITE, DONE], offers=away)
        task = asyncio.create_task(played.agent.run("Do it."))
        await away.asked.wait()
        played.agent.interrupt()
        end = await task
        return end.status, played.agent.messages[1].text

    assert asyncio.run(run()) == ("interrupted", WRITE)
    assert list(tmp_path.iterdir()) == []


def test_session_goes_on_after_a_foreign_call(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path / "state")
    (tmp_path / "work").mkdir()
    session = sessions.begin(tmp_path / "work")
    first = Play(
        tmp_path / "work",
        [WRITE, DONE],
        limits=replace(QUICK, foreign_calls="accept"),
        session=session,
    )
    first.run()
    again = Play(tmp_path / "work", [DONE], session=session)

    again.run("And now?")

    assert again.history[: len(first.history)] == first.history
    sessions.close()


def test_model_of_json_that_writes_tags_is_corrected_in_json(tmp_path: Path) -> None:
    done = (
        '<tool_call>\n{"name": "attempt_completion", "arguments": {"result": "ok"}}\n</tool_call>'
    )
    limits = replace(QUICK, foreign_calls="accept")
    played = Play(tmp_path, [write("a.py", "x"), done], dialect="hermes", limits=limits)

    played.run()

    assert (tmp_path / "a.py").read_text() == "x\n"
    assert played.last_words.startswith("<tool_response>\n[write_to_file for 'a.py'] Result:")
    assert "You wrote a call in the dialect `cline`, but the dialect here is `hermes`." in (
        played.last_words
    )
    expected = '{"name": "write_to_file", "arguments": {"path": "a.py", "content": "x"}}'
    assert played.last_words.endswith(f"<tool_call>\n{expected}\n</tool_call>")

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import parsing
from agent.events import BlockClosed, CallAsked, CallFinished, Event, Noticed
from agent.limits import ForeignPolicy
from parsing import ForeignCalls
from tests.agent.offers import READ, WRITE, Person, noticed, play
from tests.agent.play import DONE, QUICK, Play, well_formed, write
from tools import Allow, ByEffect, Decision, Effect, Refuse, RefuseAll

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


def test_foreign_call_that_ends_the_task_is_corrected_for_the_next(tmp_path: Path) -> None:
    done = '[TOOL_CALLS]attempt_completion[ARGS]{"result": "All done."}'
    played = play(tmp_path, done, DONE, policy="accept")

    first, second = played.run(), played.run("And now?")

    assert (first.status, first.result, second.status) == ("completed", "All done.", "completed")
    assert "in the dialect `mistral_v11`" in played.last_words
    assert played.last_words.endswith("And now?")

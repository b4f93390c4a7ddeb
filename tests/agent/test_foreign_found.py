from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

import parsing
from agent.events import TurnStarted
from agent.sessions.store import Sessions
from tests.agent.offers import READ, WRITE, Away, Person, noticed, play
from tests.agent.play import DONE, QUICK, Call, Play, Say, Think, Turn, read, write


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


def test_foreign_call_is_found_in_an_answer_whose_reasoning_came_beside_it(tmp_path: Path) -> None:
    done = parsing.dialect("deepseek_r1").shape.spell("attempt_completion", {"result": "ok"})
    turns = [Turn((Think("Hm."), Say(WRITE))), Turn((Think("Hm."), Say(done)))]
    limits = replace(QUICK, foreign_calls="accept")
    played = Play(tmp_path, turns, dialect="deepseek_r1", limits=limits)

    end = played.run()

    assert end.status == "completed"
    assert (tmp_path / "a.py").read_text() == "x = 1\n"

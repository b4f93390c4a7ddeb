from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent.errors import LimitReached, SessionError, StreamBroken
from agent.events import (
    CallFinished,
    CallStarted,
    Noticed,
    Retried,
    TaskFinished,
    UsageTold,
)
from agent.providers.base import Usage
from agent.results import (
    BROKEN_MARK,
    BROKEN_WORDS,
    CUT_BY_LIMIT,
)
from agent.sessions.store import Sessions
from tests.agent.play import (
    DONE,
    QUICK,
    Call,
    Fault,
    Play,
    Say,
    Think,
    Turn,
    command,
    read,
    well_formed,
    write,
)

CORPUS = Path(__file__).parent / "corpus" / "faults.jsonl"
ROWS = {row["id"]: row for row in map(json.loads, CORPUS.read_text().splitlines())}


def test_agent_reminds_a_model_that_uses_no_tool(tmp_path: Path) -> None:
    play = Play(tmp_path, ["I would use read_file.", DONE])

    end = play.run()

    assert end.status == "completed"
    assert "You used no tool" in play.last_words
    assert "<read_file>\n<path>src/main.py</path>" in play.last_words


def test_agent_tells_that_a_call_in_a_fence_was_not_run(tmp_path: Path) -> None:
    play = Play(tmp_path, [f"Here:\n```xml\n{write('a', 'x')}\n```\n", DONE])

    play.run()

    assert not (tmp_path / "a").exists()
    assert "inside a Markdown code fence" in play.last_words


def test_agent_gives_up_on_a_model_that_never_uses_a_tool(tmp_path: Path) -> None:
    play = Play(tmp_path, ["Hello.", "Hello again.", "And again."])

    end = play.run()

    assert (end.status, end.exit_code, end.result) == ("no_tool_used", 4, "Hello again.")
    assert len(play.provider.requests) == QUICK.nudges + 1


def test_agent_takes_text_for_an_answer_when_it_does_not_remind(tmp_path: Path) -> None:
    play = Play(tmp_path, ["Hello."], limits=replace(QUICK, nudges=0))

    assert play.run().result == "Hello."


def test_agent_retries_an_empty_reply(tmp_path: Path) -> None:
    expected = ROWS["agent-empty-turn-retried"]["expected"]
    play = Play(tmp_path, [Turn(), Turn(), Turn(), Turn()])

    end = play.run()

    assert (end.status, end.exit_code) == ("failed", 1)
    assert "empty reply" in end.result
    assert len(play.provider.requests) - 1 == expected["retries_max"]
    assert len(play.told(Retried)) == expected["retries_max"]
    assert all(request.messages == play.history for request in play.provider.requests)
    assert well_formed(play.history)


def test_agent_goes_on_after_an_empty_reply(tmp_path: Path) -> None:
    play = Play(tmp_path, [Turn((Say("\n\n"),)), DONE])

    assert play.run().status == "completed"
    assert len(play.history) == 1


@pytest.mark.parametrize("turn", [Turn((Think("hm"),)), Turn((Say("<think>\nhm\n</think>\n"),))])
def test_agent_keeps_a_reply_of_reasoning_and_asks_for_more(tmp_path: Path, turn: Turn) -> None:
    play = Play(tmp_path, [turn, DONE])

    end = play.run()

    assert end.status == "completed"
    assert len(play.history) == 3
    assert "reasoning only" in play.last_words
    assert well_formed(play.history)


def test_agent_sends_empty_reasoning_back(tmp_path: Path) -> None:
    expected = ROWS["agent-empty-reasoning-round-trips"]["expected"]["next_request_message"]
    play = Play(tmp_path, [Turn((Think(""), Say(read("a")))), DONE])

    play.run()

    assert play.history[1].reasoning == expected["reasoning_content"]


def test_agent_runs_nothing_that_was_cut_off_and_stops_the_second_time(tmp_path: Path) -> None:
    expected = ROWS["agent-truncated-turn-runs-nothing"]["expected"]
    cut = "<write_to_file>\n<path>R.md</path>\n<content>\n# Part 1\n"
    play = Play(
        tmp_path,
        [
            Turn((Say("Here.\n" + cut),), finish="length"),
            Turn((Say("Again.\n" + cut + "more"),), finish="length"),
        ],
    )

    end = play.run()

    assert list(tmp_path.iterdir()) == []
    assert play.told(CallStarted) == []
    assert all(word in play.last_words for word in expected["message_to_model_mentions"])
    assert CUT_BY_LIMIT in play.last_words
    assert (end.status, end.exit_code) == ("failed", 1)
    assert isinstance(end.error, LimitReached)


def test_agent_runs_nothing_of_a_native_call_that_was_cut_off(tmp_path: Path) -> None:
    arguments = '{"path": "R.md", "content": "# Part 1\\n'
    cut = Turn((Call("write_to_file", arguments),), finish="length")
    play = Play(tmp_path, [cut, DONE])

    play.run()

    assert list(tmp_path.iterdir()) == []
    assert CUT_BY_LIMIT in play.last_words


def test_agent_lets_a_build_be_waited_for(tmp_path: Path) -> None:
    steps = ROWS["agent-polling-is-not-a-loop"]["input"]
    poll = "echo x >> log; wc -l log"
    play = Play(tmp_path, [command(poll)] * len(steps) + [DONE])

    end = play.run()

    assert end.status == "completed"
    assert all("[You have made this very call" not in m.text for m in play.history)


def test_agent_warns_and_stops_a_task_that_goes_in_circles(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    play = Play(tmp_path, [command("cat a")] * 9)

    end = play.run()

    assert (end.status, end.exit_code) == ("limit", 3)
    assert len(play.provider.requests) == QUICK.stop_repeats
    warned = ["3 times" in m.text for m in play.history if m.role == "user"]
    assert warned.count(True) == 1


def test_agent_stops_after_too_many_mistakes(tmp_path: Path) -> None:
    play = Play(tmp_path, [read(f"missing-{n}") for n in range(9)])

    end = play.run()

    assert (end.status, end.exit_code) == ("limit", 3)
    assert len(play.provider.requests) == QUICK.max_mistakes


def test_agent_counts_no_mistake_for_a_command_that_fails(tmp_path: Path) -> None:
    play = Play(tmp_path, [command(f"exit {n}") for n in range(1, 8)] + [DONE])

    assert play.run().status == "completed"


def test_agent_stops_after_too_many_turns(tmp_path: Path) -> None:
    play = Play(
        tmp_path, [write(f"f{n}", "x") for n in range(9)], limits=replace(QUICK, max_turns=3)
    )

    end = play.run()

    assert (end.status, end.exit_code) == ("limit", 3)
    assert len(list(tmp_path.iterdir())) == 3


def test_agent_goes_on_after_a_broken_stream(tmp_path: Path) -> None:
    text = write("a", "1") + "\nand then\n" + write("b", "2")
    broken = Turn((Say(text),), cuts=5, fault=Fault("break", after=len(write("a", "1")) + 20))
    play = Play(tmp_path, [broken, DONE])

    end = play.run()

    assert end.status == "completed"
    retried = play.told(Retried)
    assert len(retried) == 1
    assert (tmp_path / "a").read_text() == "1\n"
    kept = next(m for m in play.history if m.role == "assistant")
    assert kept.text.endswith(BROKEN_MARK)
    assert BROKEN_WORDS in play.history[2].text
    assert "[write_to_file for 'a'] Result:" in play.history[2].text
    assert well_formed(play.history)


def test_agent_retries_a_stream_that_broke_before_anything_came(tmp_path: Path) -> None:
    play = Play(tmp_path, [Turn((Say(DONE),), fault=Fault("break")), DONE])

    end = play.run()

    assert end.status == "completed"
    assert [len(r.messages) for r in play.provider.requests] == [1, 1]


def test_agent_gives_up_on_a_stream_that_breaks_again_and_again(tmp_path: Path) -> None:
    play = Play(tmp_path, [Turn((Say("Hello"),), fault=Fault("break", after=3))] * 9)

    end = play.run()

    assert (end.status, end.exit_code) == ("failed", 75)
    assert isinstance(end.error, StreamBroken)
    assert len(play.provider.requests) == len(QUICK.backoff_s) + 1
    assert well_formed(play.history)


@pytest.mark.parametrize(("kind", "code"), [("refused", 1), ("unreachable", 75)])
def test_agent_ends_when_a_server_refuses(tmp_path: Path, kind: str, code: int) -> None:
    assert kind in ("refused", "unreachable")
    fault = Fault("refused", status=401) if kind == "refused" else Fault("unreachable")
    play = Play(tmp_path, [Turn((Say(DONE),), fault=fault)])

    end = play.run()

    assert (end.status, end.exit_code) == ("failed", code)
    assert len(play.provider.requests) == 1


def test_agent_tells_usage_and_leaves_out_old_messages(tmp_path: Path) -> None:
    turns = [
        Turn((Say("x" * 3000 + write(f"f{n}", "y" * 3000)),), usage=Usage(5000, 100))
        for n in range(6)
    ]
    limits = replace(QUICK, context_window=6_000, max_tokens=2_000)
    play = Play(tmp_path, [*turns, DONE], limits=limits)

    end = play.run("The task.")

    assert end.status == "completed"
    noticed = play.told(Noticed)
    assert [e.kind for e in noticed if isinstance(e, Noticed)]
    assert all(e.kind == "context" for e in noticed if isinstance(e, Noticed))
    assert play.history[0].text.startswith("The task.")
    assert well_formed(play.history)
    assert len(play.history) < 13
    assert len(play.told(UsageTold)) == 6


def test_agent_says_when_a_content_filter_stopped_the_reply(tmp_path: Path) -> None:
    play = Play(tmp_path, [Turn((Say("I can"),), finish="content_filter")])

    end = play.run()

    assert (end.status, end.exit_code) == ("failed", 1)
    assert "content filter" in end.result


def test_agent_says_when_its_session_can_not_be_written(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    sessions = Sessions(tmp_path / "state" / "sessions.db")
    play = Play(
        root,
        [write("a", "1"), write("b", "2"), DONE],
        session=sessions.begin(root),
        listen=lambda event: sessions.close() if isinstance(event, CallFinished) else None,
    )

    end = play.run()

    assert (end.status, end.exit_code) == ("failed", 1)
    assert isinstance(end.error, SessionError)
    assert play.told(TaskFinished) == [TaskFinished(end)]
    assert not (root / "b").exists()

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent.events import (
    BlockClosed,
    CallAsked,
    CallDecided,
    CallFinished,
    CallSkipped,
    CallStarted,
    ReasoningGrew,
    TaskFinished,
    TaskStarted,
    TextGrew,
    TurnFinished,
    TurnStarted,
)
from agent.results import (
    AFTER_FAILURE,
    AFTER_REFUSAL,
    ONE_PER_MESSAGE,
)
from parsing import Mode, ToolUse
from tests.agent.play import (
    DONE,
    QUICK,
    Call,
    Fault,
    Keep,
    Play,
    Say,
    Think,
    Turn,
    command,
    read,
    well_formed,
    write,
)
from tools import ByEffect, Effect, RefuseAll

CORPUS = Path(__file__).parent / "corpus" / "faults.jsonl"
ROWS = {row["id"]: row for row in map(json.loads, CORPUS.read_text().splitlines())}


def test_agent_works_on_a_whole_task(tmp_path: Path) -> None:
    play = Play(
        tmp_path,
        [
            "I will write it.\n" + write("a.py", "print(6 * 7)"),
            "Now I run it.\n" + command("python3 a.py"),
            DONE,
        ],
    )

    end = play.run("Make a.py print 42.")

    assert (end.status, end.result, end.exit_code) == ("completed", "All done.", 0)
    assert (tmp_path / "a.py").read_text() == "print(6 * 7)\n"
    assert "[execute_command for 'python3 a.py'] Result:" in play.last_words
    assert "42" in play.last_words
    assert well_formed(play.history)
    assert play.history[0].text == "Make a.py print 42."


@pytest.mark.parametrize("mode", ["reparse", "incremental", "both"])
def test_agent_tells_events_in_order(tmp_path: Path, mode: Mode) -> None:
    play = Play(tmp_path, ["Writing.\n" + write("a", "x"), DONE], mode=mode, cuts=1)

    play.run()

    kinds = [type(event) for event in play.events if not isinstance(event, TextGrew)]
    first = [kind for n, kind in enumerate(kinds) if n == 0 or kinds[n - 1] is not kind][:12]
    assert [kind.__name__ for kind in first] == [
        "TaskStarted",
        "TurnStarted",
        "BlockClosed",
        "UseGrew",
        "BlockClosed",
        "CallAsked",
        "CallDecided",
        "CallStarted",
        "CallFinished",
        "TurnFinished",
        "TurnStarted",
        "UseGrew",
    ]
    assert kinds[-2:] == [TurnFinished, TaskFinished]
    grown = play.told(TextGrew)
    assert "".join(e.text for e in grown if isinstance(e, TextGrew)) == "Writing."
    ids = {e.call_id for e in play.events if isinstance(e, CallFinished | CallStarted | CallAsked)}
    assert len(ids) == 2
    assert all(len(call_id) == 8 for call_id in ids)


def test_agent_runs_several_calls_of_a_message_in_order(tmp_path: Path) -> None:
    play = Play(tmp_path, [write("a", "1") + "\n" + read("a") + "\n" + write("b", "2"), DONE])

    play.run()

    names = [e.use.name for e in play.told(CallFinished) if isinstance(e, CallFinished)]
    assert names == ["write_to_file", "read_file", "write_to_file", "attempt_completion"]
    headings = [line for line in play.last_words.splitlines() if line.endswith("Result:")]
    assert headings == [
        "[write_to_file for 'a'] Result:",
        "[read_file for 'a'] Result:",
        "[write_to_file for 'b'] Result:",
    ]


def test_agent_stops_the_stream_after_one_call_when_one_is_allowed(tmp_path: Path) -> None:
    play = Play(tmp_path, [write("a", "1") + "\n" + write("b", "2"), DONE], several=False)

    end = play.run()

    assert end.status == "completed"
    assert (tmp_path / "a").exists()
    assert not (tmp_path / "b").exists()
    assert "write_to_file" not in play.history[1].text.partition("</write_to_file>")[2]


def test_agent_skips_what_came_with_the_one_call(tmp_path: Path) -> None:
    both = Turn((Say(write("a", "1") + "\n" + write("b", "2")),), cuts=0)
    play = Play(tmp_path, [both, DONE], several=False)

    play.run()

    skipped = play.told(CallSkipped)
    assert [e.why for e in skipped if isinstance(e, CallSkipped)] == [ONE_PER_MESSAGE]
    assert not (tmp_path / "b").exists()
    assert ONE_PER_MESSAGE in play.last_words


def test_agent_skips_the_rest_after_a_refusal(tmp_path: Path) -> None:
    consent = ByEffect({Effect.READ}, RefuseAll("use python instead"))
    play = Play(
        tmp_path,
        [read("x") + "\n" + write("a", "1") + "\n" + command("touch b"), DONE],
        consent=consent,
        cuts=0,
    )

    end = play.run()

    assert end.status == "completed"
    assert list(tmp_path.iterdir()) == []
    assert "use python instead" in play.last_words
    assert AFTER_REFUSAL in play.last_words
    assert [type(e) for e in play.told(CallStarted, CallSkipped)] == [
        CallStarted,
        CallSkipped,
        CallStarted,
    ]


def test_agent_stops_where_nobody_can_be_asked(tmp_path: Path) -> None:
    play = Play(
        tmp_path,
        [write("a", "1")],
        consent=RefuseAll(),
        limits=replace(QUICK, stop_when_refused=True),
    )

    end = play.run()

    assert (end.status, end.exit_code) == ("needs_approval", 4)
    assert "write_to_file" in end.result


def test_agent_ends_no_task_whose_last_step_failed(tmp_path: Path) -> None:
    play = Play(tmp_path, [read("missing") + "\n" + DONE, DONE])

    end = play.run()

    assert end.status == "completed"
    assert AFTER_FAILURE in play.last_words
    assert len(play.told(TurnStarted)) == 2


def test_agent_sends_signatures_back(tmp_path: Path) -> None:
    signature = {"type": "thinking", "thinking": "hm", "signature": "abc"}
    play = Play(tmp_path, [Turn((Think("hm"), Keep(signature), Say(read("a")))), DONE])

    play.run()

    assert play.history[1].attachments == (signature,)
    grown = play.told(ReasoningGrew)
    assert [(e.index, e.text) for e in grown if isinstance(e, ReasoningGrew)] == [(-1, "hm")]


def test_agent_runs_a_native_call_like_any_other(tmp_path: Path) -> None:
    arguments = json.dumps({"path": "a.txt", "content": "x\n"})
    play = Play(
        tmp_path,
        [Turn((Say("Writing."), Call("write_to_file", arguments)), finish="tool_calls"), DONE],
    )

    end = play.run()

    assert end.status == "completed"
    assert (tmp_path / "a.txt").read_text() == "x\n"
    assert play.history[1].text == "Writing.\n\n" + write("a.txt", "x\n")
    assert well_formed(play.history)


def test_agent_tells_what_is_wrong_with_a_call(tmp_path: Path) -> None:
    broken = f"<read_file>\n<path>a.py\n{write('b', 'x')}\n"
    play = Play(tmp_path, [broken, DONE])

    play.run()

    assert "was not run" in play.last_words
    assert "[write_to_file for 'b'] Result:" in play.last_words


def test_agent_takes_the_next_words_after_a_task(tmp_path: Path) -> None:
    play = Play(tmp_path, [DONE, write("b", "2"), DONE])

    first, second = play.run("one"), play.run("two")

    assert (first.status, second.status) == ("completed", "completed")
    assert [m.role for m in play.history] == ["user", "assistant", "user", "assistant", "user"]
    assert play.history[2].text.endswith("two")
    assert "[attempt_completion] Result:" in play.history[2].text
    starts = play.told(TaskStarted)
    assert [e.task for e in starts if isinstance(e, TaskStarted)] == ["one", "two"]
    numbers = [e.number for e in play.told(TurnStarted) if isinstance(e, TurnStarted)]
    assert numbers == [1, 2, 3]


def test_agent_tells_question_decision_and_start_before_the_effect(tmp_path: Path) -> None:
    there: list[bool] = []
    play = Play(
        tmp_path,
        [write("a", "1"), DONE],
        listen=lambda event: (
            there.append((tmp_path / "a").exists())
            if isinstance(event, CallAsked | CallDecided | CallStarted | CallFinished)
            else None
        ),
    )

    play.run()

    assert there[:4] == [False, False, False, True]


def test_agent_gives_no_partial_use_an_effect(tmp_path: Path) -> None:
    partial: list[ToolUse] = []
    play = Play(
        tmp_path,
        [Turn((Say("<write_to_file>\n<path>sub/a</path>\n<content>\nx"),), cuts=1), DONE],
        listen=lambda event: (
            partial.append(event.block)
            if isinstance(event, BlockClosed) and isinstance(event.block, ToolUse)
            else None
        ),
    )

    play.run()

    assert [use.partial for use in partial] == [True, False]
    assert list(tmp_path.iterdir()) == []


def test_agent_ends_a_completed_task_though_its_stream_broke_then(tmp_path: Path) -> None:
    broken = Turn((Say(DONE + "\nthe rest"),), cuts=9, fault=Fault("break", after=len(DONE) + 3))
    play = Play(tmp_path, [broken])

    assert play.run().status == "completed"


def test_agent_sends_no_empty_task(tmp_path: Path) -> None:
    play = Play(tmp_path, [DONE])

    first, second = play.run(" \n"), play.run("Do it.")

    assert (first.status, first.exit_code) == ("failed", 1)
    assert second.status == "completed"
    assert len(play.provider.requests) == 1

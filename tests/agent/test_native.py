from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent.events import CallOutput, CallStarted, Event, UseGrew
from agent.results import (
    BROKEN_MARK,
    CUT_BY_BREAK,
    CUT_BY_LIMIT,
    INTERRUPTED_CALL,
    INTERRUPTED_WORDS,
    NOT_BEGUN,
    ONE_PER_MESSAGE,
)
from tests.agent.native_task import Task
from tests.agent.native_wires import (
    DONE,
    WIRES,
    Called,
    Wire,
    call,
)
from tools import Consent, RefuseAll

BOTH = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.kind)


@BOTH
def test_native_calls_are_run_and_answered_by_their_ids(wire: Wire, tmp_path: Path) -> None:
    task = Task(
        wire,
        tmp_path,
        wire.reply(
            "I write both.",
            call("c1", "write_to_file", path="a.py", content="print('é漢🙂')"),
            call("c2", "execute_command", command="cat a.py"),
        ),
        wire.reply("", call("c3", "read_file", path="a.py")),
        wire.reply("", DONE),
        wire.reply("", DONE),
    )

    end = task.run("Do it.", "And now?")

    assert (end.status, end.result) == ("completed", "All done.")
    assert (tmp_path / "a.py").read_text("utf-8") == "print('é漢🙂')"
    assert [role for role, _, _ in wire.turns(task.asked[-1])] == [
        *("system", "user", "assistant", "tool", "assistant", "tool", "assistant", "tool", "user")
    ]
    results = task.results()
    assert list(results) == ["c1", "c2", "c3", "done"]
    assert "é漢🙂" in results["c2"]
    assert "é漢🙂" in results["c3"]
    assert wire.tools(task.asked[0]) == [tool.name for tool in task.play.agent.speech.tools]


@BOTH
def test_native_prompt_describes_no_tool_and_no_syntax(wire: Wire, tmp_path: Path) -> None:
    task = Task(wire, tmp_path, wire.reply("", DONE))
    task.run()

    prompt = json.dumps(task.asked[0].get("system") or task.asked[0]["messages"][0])
    assert "You are Tagline" in prompt
    assert "# Tools" not in prompt
    assert "<" not in prompt
    assert "x-kind" not in json.dumps(task.asked[0]["tools"])


@BOTH
def test_native_call_grows_as_its_arguments_come(wire: Wire, tmp_path: Path) -> None:
    first = call("c1", "write_to_file", path="a", content="one two three four")
    second = call("c2", "write_to_file", path="b", content="five six seven")
    task = Task(wire, tmp_path, wire.reply("I write.", first, second), wire.reply("", DONE))

    task.run()

    grown = [e.use.params for e in task.play.told(UseGrew) if isinstance(e, UseGrew)]
    ones = [params["content"] for params in grown if params.get("path") == "a" and len(params) > 1]
    assert len(ones) >= 2
    assert ones == sorted(ones, key=len)
    assert all("one two three four".startswith(content) for content in ones)
    assert any(params.get("path") == "b" for params in grown)
    ids = {e.call_id for e in task.play.told(UseGrew) if isinstance(e, UseGrew)}
    started = [e.call_id for e in task.play.told(CallStarted) if isinstance(e, CallStarted)]
    assert ids >= set(started[:2])


@BOTH
@pytest.mark.parametrize(
    ("odd", "said"),
    [
        (Called("c1", "write_to_file", '{"path": "a", "content": '), "not usable"),
        (Called("c1", "write_to_file", "[1, 2]"), "not usable"),
        (Called("c1", "write_to_file", "nonsense"), "not usable"),
        (Called("c1", "write_to_file", '{"path": NaN}'), "not usable"),
        (Called("c1", "write_to_file", "[" * 100_000, size=50_000), "not usable"),
        (Called("c1", "no such tool", "{}"), "no such tool"),
        (Called("c1", "write_to_file", ""), "path"),
    ],
)
def test_native_call_that_is_wrong_is_answered_and_can_be_sent(
    wire: Wire, tmp_path: Path, odd: Called, said: str
) -> None:
    good = call("c2", "write_to_file", path="b", content="x")
    task = Task(wire, tmp_path, wire.reply("", odd, good), wire.reply("", DONE))

    end = task.run()

    assert end.status == "completed"
    assert (tmp_path / "b").exists()
    assert not (tmp_path / "a").exists()
    assert said in task.results()["c1"]


@BOTH
def test_native_call_that_is_refused_is_answered(wire: Wire, tmp_path: Path) -> None:
    consent: Consent = RefuseAll()
    calls = (
        call("c1", "write_to_file", path="a", content="x"),
        call("c2", "write_to_file", path="b", content="x"),
    )
    task = Task(wire, tmp_path, wire.reply("", *calls), wire.reply("", DONE), consent=consent)

    task.run()

    assert list(tmp_path.iterdir()) == []
    results = task.results()
    assert "c1" in results  # what came after it was perhaps never heard: the stream was left
    assert len(set(results.values())) == len(results)


@BOTH
def test_native_call_that_is_interrupted_is_answered(wire: Wire, tmp_path: Path) -> None:
    calls = (
        call("c1", "write_to_file", path="a", content="x"),
        call("c2", "execute_command", command="echo begun; sleep 600"),
        call("c3", "write_to_file", path="b", content="y"),
    )
    task = Task(wire, tmp_path, wire.reply("Now.", *calls), wire.reply("", DONE))

    def hear(event: Event) -> None:
        if isinstance(event, CallOutput):
            task.play.agent.interrupt()

    task.hear = hear
    end = task.run("Do it.", "go on")

    assert [each.status for each in task.ends] == ["interrupted", "completed"]
    assert end.status == "completed"
    results = task.results()
    assert results["c2"] == INTERRUPTED_CALL
    assert results.get("c3", NOT_BEGUN) == NOT_BEGUN
    assert not (tmp_path / "b").exists()
    assert INTERRUPTED_WORDS in json.dumps(task.asked[-1]["messages"][-1])


@BOTH
def test_native_calls_after_the_one_that_is_run_are_skipped(wire: Wire, tmp_path: Path) -> None:
    calls = [call(f"c{n}", "write_to_file", path=str(n), content="x") for n in range(3)]
    task = Task(wire, tmp_path, wire.reply("", *calls), wire.reply("", DONE), several=False)

    task.run()

    assert [path.name for path in tmp_path.iterdir()] == ["0"]
    others = [text for call_id, text in task.results().items() if call_id != "c0"]
    assert set(others) <= {ONE_PER_MESSAGE}


@BOTH
def test_native_call_that_was_cut_off_by_the_limit_is_not_run(wire: Wire, tmp_path: Path) -> None:
    cut = Called("c1", "write_to_file", '{"path": "a", "content": "one two')
    task = Task(wire, tmp_path, wire.reply("", cut, finish="length"), wire.reply("", DONE))

    task.run()

    assert list(tmp_path.iterdir()) == []
    assert task.results() == {"c1": CUT_BY_LIMIT}
    assert '{"path": "a"}' in [c.arguments for m in task.play.agent.messages for c in m.calls]


@BOTH
@pytest.mark.parametrize("end", ["cut", "reset"])
def test_native_call_is_answered_where_the_connection_broke(
    wire: Wire, tmp_path: Path, end: Any
) -> None:
    calls = (
        call("c1", "write_to_file", path="a", content="x"),
        Called("c2", "write_to_file", '{"path": "b", "con'),
    )
    task = Task(wire, tmp_path, wire.reply("Now.", *calls, end=end), wire.reply("", DONE))

    assert task.run().status == "completed"

    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert task.results()["c2"] == CUT_BY_BREAK
    assert task.play.agent.messages[1].text == f"Now.\n\n{BROKEN_MARK}"

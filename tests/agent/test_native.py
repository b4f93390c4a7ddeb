from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.config import Config
from agent.dialects import NATIVE
from agent.events import CallOutput, CallStarted, End, Event, Noticed, UseGrew
from agent.limits import ForeignPolicy
from agent.opening import open_provider
from agent.providers.secret import Secret
from agent.results import (
    AS_TEXT,
    BROKEN_MARK,
    CUT_BY_BREAK,
    CUT_BY_LIMIT,
    INTERRUPTED_CALL,
    INTERRUPTED_WORDS,
    NOT_BEGUN,
    ONE_PER_MESSAGE,
)
from tests.agent.native_wires import (
    DONE,
    WIRES,
    Called,
    OpenAI,
    Wire,
    call,
    paired,
    paired_on_the_wire,
)
from tests.agent.play import QUICK, Play, read, write
from tests.agent.providers.fake_server import Answering, FakeServer, Reply, answer, delta, stream
from tools import Consent, RefuseAll

STREAMS = Path(__file__).parent / "providers" / "corpus" / "streams.jsonl"
ROWS = [json.loads(line) for line in STREAMS.read_text("utf-8").splitlines()]
BOTH = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.kind)


class Task:
    """A task over HTTP by native calls: its play, its ends, and what the server was asked."""

    def __init__(self, wire: Wire, root: Path, *replies: Answering, **more: Any) -> None:
        self.wire, self.root, self.more = wire, root, more
        self.server = FakeServer(replies)
        self.play: Play
        self.ends: list[End] = []
        self.hear: Callable[[Event], None] = lambda event: None

    def run(self, *said: str) -> End:
        asyncio.run(self._run(said or ("Do it.",)))
        assert all(paired_on_the_wire(self.wire, body) for body in self.asked)
        assert paired(self.play.agent.messages)
        return self.ends[-1]

    async def _run(self, said: Iterable[str]) -> None:
        async with self.server:
            config = Config(
                provider=self.wire.kind,
                base_url=self.server.base_url,
                model="fake",
                api_key=Secret("sk-test-0123456789"),
            )
            provider = open_provider(config)
            try:
                self.play = Play(
                    self.root,
                    provider=provider,
                    dialect=NATIVE,
                    listen=lambda event: self.hear(event),
                    **self.more,
                )
                for words in said:
                    self.ends.append(await self.play.agent.run(words))
            finally:
                await provider.aclose()

    @property
    def asked(self) -> list[Any]:
        return [request.body for request in self.server.requests]

    def results(self, request: int = -1) -> dict[str, str]:
        """What a request says of the calls, by their ids."""
        turns = self.wire.turns(self.asked[request])
        return {call_id: text for _, _, results in turns for call_id, text in results}


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


@BOTH
@pytest.mark.parametrize("policy", ["refuse", "offer", "accept"])
def test_native_text_that_looks_like_a_call_is_run_only_where_that_is_allowed(
    wire: Wire, tmp_path: Path, policy: ForeignPolicy
) -> None:
    limits = replace(QUICK, foreign_calls=policy)
    task = Task(wire, tmp_path, wire.reply(write("a", "x")), wire.reply("", DONE), limits=limits)

    assert task.run().status == "completed"

    assert (tmp_path / "a").exists() is (policy == "accept")
    told = task.play.agent.messages[2]
    assert AS_TEXT in told.text
    assert not told.results
    assert ("[write_to_file for 'a'] Result:" in told.text) is (policy == "accept")
    (noticed,) = [e for e in task.play.told(Noticed) if isinstance(e, Noticed)]
    assert "(expected: native)" in noticed.text


def test_native_text_beside_a_call_is_text(tmp_path: Path) -> None:
    wire = OpenAI()
    both = wire.reply(read("a") + "\n<think>hm</think>", call("c1", "list_files", path="."))
    task = Task(wire, tmp_path, both, wire.reply("", DONE))

    task.run()

    assert [e.use.name for e in task.play.told(CallStarted) if isinstance(e, CallStarted)] == [
        "list_files",
        "attempt_completion",
    ]
    assert task.play.agent.messages[1].text == read("a") + "\n<think>hm</think>"


def test_native_calls_without_ids_get_ids(tmp_path: Path) -> None:
    function = {"name": "list_files", "arguments": '{"path": "."}'}
    bare = stream(delta(tool_calls=[{"function": function}, {"function": function}]), delta("stop"))
    task = Task(OpenAI(), tmp_path, bare, OpenAI().reply("", DONE))

    task.run()

    assert len(task.results()) == 2


def test_native_text_between_calls_moves_no_block(tmp_path: Path) -> None:
    def piece(index: int, **function: str) -> dict[str, Any]:
        told = {"index": index, "id": f"c{index}", "function": function}
        return delta(tool_calls=[told])

    mixed = stream(
        piece(0, name="write_to_file", arguments='{"path": "a", "content": "x"}'),
        delta(content="Between. "),
        piece(1, name="write_to_file", arguments='{"path": "b", '),
        piece(1, arguments='"content": "y"}'),
        delta(content="After."),
        delta("tool_calls"),
    )
    task = Task(OpenAI(), tmp_path, mixed, OpenAI().reply("", DONE))

    task.run()

    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "x", "b": "y"}
    assert task.play.agent.messages[1].text == "Between. After."
    assert list(task.results()) == ["c0", "c1"]


def test_native_signature_of_a_call_goes_back_with_it(tmp_path: Path) -> None:
    function = {"name": "list_files", "arguments": '{"path": "."}'}
    kept = {"google": {"thought_signature": "sig"}}
    told = {"index": 0, "id": "c1", "function": function, "extra_content": kept}
    signed = stream(delta(tool_calls=[told]), delta("tool_calls"))
    task = Task(OpenAI(), tmp_path, signed, OpenAI().reply("", DONE))

    task.run()

    sent = task.asked[-1]["messages"][2]
    assert sent["tool_calls"][0]["extra_content"] == kept
    assert "extra_content" not in sent


def test_native_reply_without_a_call_is_reminded_without_an_example(tmp_path: Path) -> None:
    wire = OpenAI()
    task = Task(wire, tmp_path, wire.reply("Hello."), wire.reply("", DONE))

    assert task.run().status == "completed"

    said = task.asked[-1]["messages"][-1]["content"]
    assert said.startswith("[You used no tool")
    assert said.endswith("take the next step with a tool.]")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["id"]))
def test_native_agent_comes_through_every_odd_stream(tmp_path: Path, row: dict[str, Any]) -> None:
    odd = Reply([row["input"].encode()])
    task = Task(OpenAI(), tmp_path, odd, *[OpenAI().reply("", DONE)] * 4)

    end = task.run()

    error = row["expected"].get("error", {"retryable": True})
    assert end.status == ("completed" if error["retryable"] else "failed")
    calls = row["expected"].get("tool_calls", [])
    sent = [c for m in task.play.agent.messages for c in m.calls if c.id != "done"]
    assert [json.loads(c.arguments) for c in sent] == [c["arguments"] for c in calls]


def test_text_protocol_sends_nothing_natively(tmp_path: Path) -> None:
    function = {"name": "list_files", "arguments": '{"path": "."}'}
    came = stream(delta(tool_calls=[{"index": 0, "id": "c1", "function": function}]), delta("stop"))
    done = "<attempt_completion>\n<result>All done.</result>\n</attempt_completion>"
    server = FakeServer([came, answer(done)])

    async def run() -> Play:
        async with server:
            provider = open_provider(Config(base_url=server.base_url, model="fake"))
            play = Play(tmp_path, provider=provider)
            await play.agent.run("Do it.")
            await provider.aclose()
            return play

    play = asyncio.run(run())

    assert [set(request.body) & {"tools", "tool_choice"} for request in server.requests] == [
        set()
    ] * 2
    assert all(not m.calls and not m.results for m in play.agent.messages)
    assert "<list_files>" in play.agent.messages[1].text

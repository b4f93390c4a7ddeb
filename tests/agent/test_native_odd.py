from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent.config import Config
from agent.events import CallStarted, Noticed
from agent.limits import ForeignPolicy
from agent.opening import open_provider
from agent.results import (
    AS_TEXT,
)
from tests.agent.native_task import Task
from tests.agent.native_wires import (
    DONE,
    WIRES,
    Called,
    OpenAI,
    Wire,
    call,
)
from tests.agent.play import QUICK, Play, read, write
from tests.agent.providers.fake_server import FakeServer, Reply, answer, delta, stream

STREAMS = Path(__file__).parent / "providers" / "corpus" / "streams.jsonl"
ROWS = [json.loads(line) for line in STREAMS.read_text("utf-8").splitlines()]
BOTH = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.kind)


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


def test_native_id_and_name_go_back_as_anthropic_takes_them(tmp_path: Path) -> None:
    wire = WIRES[1]
    odd = Called("functions.read:0", "functions.read file", "{}")
    task = Task(wire, tmp_path, wire.reply("", odd), wire.reply("", DONE))

    task.run()

    (use,) = task.asked[-1]["messages"][1]["content"]
    assert (use["id"], use["name"]) == ("functions_read_0", "functions_read_file")
    assert list(task.results()) == ["functions_read_0"]

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from agent.config import Config
from agent.errors import Rejected
from agent.events import End, Event, ReasoningGrew, Retried, UsageTold
from agent.opening import open_provider
from agent.providers.secret import Secret
from agent.results import BROKEN_MARK, CUT_BY_LIMIT
from tests.agent.play import DONE, Play, command, read, well_formed, write
from tests.agent.providers.fake_server import (
    Answering,
    FakeServer,
    Reply,
    answer,
    delta,
    refusal,
    stream,
)

STREAMS = Path(__file__).parent / "providers" / "corpus" / "streams.jsonl"
ROWS = [json.loads(line) for line in STREAMS.read_text("utf-8").splitlines()]


class Served:
    """A whole task over HTTP: its end, its events, and what the server was asked."""

    def __init__(self, root: Path, replies: Iterable[Answering]) -> None:
        self.root = root
        self.server = FakeServer(replies)
        self.end: End
        self.play: Play

    async def run(self, task: str) -> End:
        async with self.server:
            config = Config(
                base_url=self.server.base_url, model="fake", api_key=Secret("sk-test-0123456789")
            )
            provider = open_provider(config)
            try:
                self.play = Play(self.root, provider=provider)
                return await self.play.agent.run(task)
            finally:
                await provider.aclose()

    @property
    def asked(self) -> list[list[dict[str, Any]]]:
        return [request.body["messages"] for request in self.server.requests]

    def told(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.play.events if isinstance(event, kind)]


def served(root: Path, *replies: Answering) -> tuple[Served, End]:
    task = Served(root, replies)
    return task, asyncio.run(task.run("Do it."))


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_agent_works_on_a_whole_task_over_http(tmp_path: Path, chunk: int) -> None:
    task, end = served(
        tmp_path,
        answer("I write it.\n" + write("a.py", "print('é漢🙂')"), chunk=chunk, usage=(900, 40)),
        answer(command("python3 a.py"), chunk=chunk, reasoning="Does it run?"),
        answer(DONE, chunk=chunk),
    )

    assert (end.status, end.result) == ("completed", "All done.")
    assert (tmp_path / "a.py").read_text("utf-8") == "print('é漢🙂')\n"
    roles = [message["role"] for message in task.asked[-1]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "é漢🙂" in task.asked[-1][-1]["content"]
    assert task.asked[-1][-2]["reasoning_content"] == "Does it run?"
    assert "# Tools" in task.asked[0][0]["content"]
    usage = [e.usage for e in task.told(UsageTold) if isinstance(e, UsageTold)]
    assert (usage[0].prompt, usage[0].completion) == (900, 40)
    thought = [e.text for e in task.told(ReasoningGrew) if isinstance(e, ReasoningGrew)]
    assert "".join(thought) == "Does it run?"


def test_agent_goes_on_where_a_connection_broke(tmp_path: Path) -> None:
    text = write("a", "1") + "\nThen I will write the next one."
    whole = answer(text, chunk=5)
    cut = Reply([*whole.pieces[:-4], "reset"])
    task, end = served(tmp_path, cut, answer(DONE))

    assert end.status == "completed"
    assert (tmp_path / "a").exists()
    said = task.asked[-1][2]["content"]
    assert said.startswith(write("a", "1"))
    assert said.endswith(BROKEN_MARK)
    assert len(task.told(Retried)) == 1


def test_agent_runs_nothing_of_a_reply_that_reached_the_token_limit(tmp_path: Path) -> None:
    half = write("a", "1" * 40)[:-30]
    task, end = served(tmp_path, answer(half, finish="length"), answer(DONE))

    assert end.status == "completed"
    assert list(tmp_path.iterdir()) == []
    assert CUT_BY_LIMIT in task.asked[-1][-1]["content"]


def test_agent_runs_a_call_whose_last_mark_the_server_swallowed(tmp_path: Path) -> None:
    swallowed = read("a").removesuffix("\n</read_file>")
    task, end = served(tmp_path, answer(swallowed), answer(DONE))

    assert end.status == "completed"
    assert "a does not exist" in task.asked[-1][-1]["content"]


def test_agent_sends_a_call_that_the_server_took_out_of_the_text(tmp_path: Path) -> None:
    arguments = json.dumps({"path": "a", "content": "1\n"})
    function = {"name": "write_to_file", "arguments": arguments}
    native = stream(
        delta(content="Writing."),
        delta(tool_calls=[{"index": 0, "id": "c1", "function": function}]),
        delta("tool_calls"),
    )
    task, end = served(tmp_path, native, answer(DONE))

    assert end.status == "completed"
    assert (tmp_path / "a").read_text() == "1\n"
    assert [set(message) for message in task.asked[-1]] == [{"role", "content"}] * 4
    assert task.asked[-1][2]["content"] == "Writing.\n\n" + write("a", "1\n")


@pytest.mark.parametrize(
    ("status", "code", "said"), [(401, 1, "key"), (404, 1, "does not know"), (400, 1, "no good")]
)
def test_agent_ends_at_once_when_the_server_refuses(
    tmp_path: Path, status: int, code: int, said: str
) -> None:
    error = {"error": {"message": "no good", "code": "model_not_found" if status == 404 else None}}
    task, end = served(tmp_path, refusal(status, error))

    assert (end.status, end.exit_code) == ("failed", code)
    assert isinstance(end.error, Rejected)
    assert said in end.result
    assert len(task.asked) == 1


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row["id"]))
def test_agent_comes_through_every_odd_stream(tmp_path: Path, row: dict[str, Any]) -> None:
    odd = Reply([row["input"].encode()])
    task, end = served(tmp_path, odd, *([answer(DONE)] * 4))

    error = row["expected"].get("error", {"retryable": True})
    assert end.status == ("completed" if error["retryable"] else "failed")
    assert error["retryable"] or error["mentions"] in end.result
    messages = task.play.agent.messages
    assert well_formed(messages)
    if text := row["expected"].get("text"):
        assert messages[1].text.startswith(text.strip())

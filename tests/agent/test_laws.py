from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from agent.events import (
    BlockClosed,
    CallFinished,
    CallSkipped,
    CallStarted,
    Event,
    TaskFinished,
    TextGrew,
    UseGrew,
)
from agent.loop import Agent
from agent.providers.script import Script
from agent.providers.scripted import Scripted
from agent.sessions.resume import restore
from agent.sessions.store import Row, Session, Sessions
from agent.speech import Speech
from parsing import ToolUse
from tests.agent.play import (
    DONE,
    QUICK,
    Call,
    Fault,
    Part,
    Play,
    Say,
    Think,
    Turn,
    command,
    read,
    well_formed,
    write,
)
from tools import (
    Allow,
    AllowAll,
    Decision,
    Executor,
    Refuse,
    Request,
    Workspace,
    default_tools,
)

SPEECH = Speech("cline", default_tools().specs)
PIECES = (
    *("Hello. ", "a < b and `<read_file>`", "\n\n", "```\n", "<think>\nhm\n</think>\n"),
    *(read("a"), read("missing"), write("a", "x"), write("sub/b", "</content>\n<path>c"), DONE),
    *(command("echo hi"), "<read_file>\n<path>a", "<write_to_file>\n<path>a</path>\n<content>\ny"),
    *("<execute_command>\n</execute_command>", "</read_file>", "<nonsense>", "<read_file >\n"),
)
FINISHES = ("stop", "stop", "length", "tool_calls", "content_filter")


class Whimsical:
    """Consent by the dice."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    async def decide(self, request: Request) -> Decision:
        return Refuse("not now") if self._dice.random() < 0.2 else Allow()


def turn(dice: random.Random) -> Turn:
    parts: list[Part] = [
        Say("\n".join(dice.choices(PIECES, k=dice.randrange(5))), cuts=dice.choice((0, 1, 7)))
    ]
    if dice.random() < 0.2:
        parts.insert(0, Think(dice.choice(("", "hm"))))
    if dice.random() < 0.2:
        arguments = dice.choice(('{"path": "a"}', '{"path": ', "", "[]"))
        parts.append(Call(dice.choice(("read_file", "nothing")), arguments))
    fault = Fault("break", after=dice.randrange(60)) if dice.random() < 0.2 else None
    return Turn(tuple(parts), finish=dice.choice(FINISHES), fault=fault)


class Wild(Play):
    """A play of random replies; it may be interrupted anywhere, and is always recorded."""

    def __init__(self, root: Path, session: Session, seed: int, window: int) -> None:
        dice = random.Random(seed)
        self._left = dice.choice((10**6, dice.randrange(1, 60)))
        super().__init__(
            root,
            [turn(dice) for _ in range(40)],
            consent=Whimsical(dice),
            limits=replace(QUICK, max_turns=8, nudges=5, context_window=window),
            mode=dice.choice(("reparse", "incremental", "both")),
            several=dice.random() < 0.7,
            session=session,
        )

    def _hear(self, event: Event) -> None:
        super()._hear(event)
        self._left -= 1
        if self._left == 0:
            self.agent.interrupt()


def played(tmp_path: Path, seed: int, window: int = 128_000) -> tuple[Wild, list[Row]]:
    root = tmp_path / "work"
    root.mkdir()
    session = Sessions(tmp_path / "state" / "sessions.db").begin(root)
    play = Wild(root, session, seed, window)
    play.run()
    return play, list(session.rows())


@pytest.mark.parametrize("seed", range(30))
def test_agent_ends_every_task_with_each_call_answered_once(tmp_path: Path, seed: int) -> None:
    play, _ = played(tmp_path, seed)

    assert isinstance(play.events[-1], TaskFinished)
    assert all(well_formed(request.messages) for request in play.provider.requests)
    assert well_formed(play.agent.messages)
    uses = [
        event.call_id
        for event in play.events
        if isinstance(event, BlockClosed) and isinstance(event.block, ToolUse)
    ]
    ended = Counter(e.call_id for e in play.events if isinstance(e, CallFinished | CallSkipped))
    started = Counter(e.call_id for e in play.events if isinstance(e, CallStarted))
    assert ended == Counter(uses)
    assert not started or max(started.values()) == 1
    grown = {e.call_id for e in play.events if isinstance(e, UseGrew)}
    assert grown <= set(uses)


@pytest.mark.parametrize("seed", range(30))
def test_restore_is_whole_wherever_the_rows_end(tmp_path: Path, seed: int) -> None:
    play, rows = played(tmp_path, seed)

    for end in range(len(rows) + 1):
        restored = restore(rows[:end], SPEECH)
        messages = restored.history.messages
        assert well_formed(messages)
        told = "\n".join(message.text for message in messages)
        recorded = {r.data["call_id"]: r for r in rows[:end] if r.kind == "call_finished"}
        assert [r for r in recorded.values() if str(r.data["for_model"]) not in told] == []
    assert restore(rows, SPEECH).history.messages == play.agent.messages


@pytest.mark.parametrize("seed", range(20))
def test_restore_leaves_out_what_the_agent_left_out(tmp_path: Path, seed: int) -> None:
    play, rows = played(tmp_path, seed, window=1_000)

    assert restore(rows, SPEECH).history.messages == play.agent.messages
    assert all(well_formed(request.messages) for request in play.provider.requests)


def test_agent_speaks_cline_v2_too(tmp_path: Path) -> None:
    events: list[Event] = []
    agent = Agent(
        Scripted(Script.of("I write.\n" + write("a", "x"), DONE, cuts=3), speed=0),
        Executor(default_tools(), Workspace(tmp_path), AllowAll()),
        dialect="cline-v2",
        mode="both",
        listen=events.append,
    )
    end = asyncio.run(agent.run("Do it."))

    assert end.status == "completed"
    assert (tmp_path / "a").read_text() == "x\n"
    assert "".join(e.text for e in events if isinstance(e, TextGrew)).startswith("I write.")

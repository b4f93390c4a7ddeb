from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from agent.events import (
    BlockClosed,
    CallAsked,
    CallOutput,
    CallSkipped,
    CallStarted,
    End,
    Event,
    Retried,
    TextGrew,
    UseGrew,
)
from agent.providers.base import Request, StreamItem, TextPiece
from agent.providers.script import Pause
from agent.results import (
    INTERRUPTED_CALL,
    INTERRUPTED_MARK,
    INTERRUPTED_WORDS,
    NOT_BEGUN,
)
from agent.sessions.store import Sessions
from parsing import TextBlock
from tests.agent.play import (
    DONE,
    QUICK,
    Fault,
    Play,
    Say,
    Turn,
    command,
    well_formed,
    write,
)

CORPUS = Path(__file__).parent / "corpus" / "faults.jsonl"
ROWS = {row["id"]: row for row in map(json.loads, CORPUS.read_text().splitlines())}


class Interrupting(Play):
    """A play that is interrupted at the first event of a kind."""

    kind: type[Event] = TextGrew
    done = False

    def _hear(self, event: Event) -> None:
        super()._hear(event)
        if isinstance(event, self.kind) and not self.done:
            self.done = True
            self.agent.interrupt()


class Slow:
    """A model that begins to speak and never goes on."""

    name = model = "slow"

    def __init__(self, text: str) -> None:
        self._text = text
        self.closed = False

    async def stream(self, request: Request) -> AsyncGenerator[StreamItem, None]:
        try:
            yield TextPiece(self._text)
            await asyncio.Event().wait()
        finally:
            self.closed = True

    async def aclose(self) -> None:
        return None


def test_interrupt_stops_a_stream_that_stands_still(tmp_path: Path) -> None:
    slow = Slow("Let me think about it")
    play = Interrupting(tmp_path, provider=slow)

    end = play.run("Do it.")

    assert (end.status, end.exit_code) == ("interrupted", 130)
    assert slow.closed
    roles = [message.role for message in play.agent.messages]
    assert roles == ["user", "assistant", "user"]
    assert play.agent.messages[1].text == f"Let me think about it\n\n{INTERRUPTED_MARK}"
    assert play.agent.messages[2].text == INTERRUPTED_WORDS


def test_interrupt_ends_the_command_that_runs(tmp_path: Path) -> None:
    row = ROWS["agent-interrupt-during-tool"]
    calls = write("a", "x") + "\n" + command("echo $$ > pid; echo begun; sleep 600")
    play = Interrupting(tmp_path, [calls + "\n" + write("b", "y"), DONE], cuts=0)
    play.kind = CallOutput

    end = play.run("user")
    again = play.run("go on")

    assert (end.status, again.status) == ("interrupted", "completed")
    pid = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not (tmp_path / "b").exists()
    answer = play.history[2].text
    assert row["expected"]["history"][-2].endswith("interrupted by the user")
    assert "[write_to_file for 'a'] Result:" in answer
    assert INTERRUPTED_CALL in answer
    assert f"[write_to_file for 'b'] Result:\n{NOT_BEGUN}" in answer
    assert answer.index(INTERRUPTED_WORDS) < answer.index("go on")
    assert well_formed(play.history)


@pytest.mark.parametrize("kind", [TextGrew, UseGrew, CallAsked, CallStarted])
def test_interrupt_leaves_a_history_that_can_go_on(tmp_path: Path, kind: type[Event]) -> None:
    play = Interrupting(tmp_path, ["I write.\n" + write("a", "x" * 50), DONE], cuts=3)
    play.kind = kind

    end = play.run()
    again = play.run("go on")

    assert (end.status, again.status) == ("interrupted", "completed")
    assert well_formed(play.history)
    assert "go on" in play.last_words or "go on" in play.history[-2].text


def test_interrupt_ends_the_wait_for_a_retry(tmp_path: Path) -> None:
    limits = QUICK.__class__(backoff_s=(600.0,))
    turn = Turn((Say("Hello there"),), fault=Fault("break", after=5))
    play = Interrupting(tmp_path, [turn, DONE], limits=limits)
    play.kind = Retried

    assert play.run().status == "interrupted"


def test_interrupt_while_nothing_runs_does_not_stop_the_next_task(tmp_path: Path) -> None:
    play = Play(tmp_path, [DONE])
    play.agent.interrupt()

    assert play.run().status == "completed"


def test_cancellation_ends_the_command_and_is_passed_on(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path / "state" / "sessions.db")
    root = tmp_path / "work"
    root.mkdir()
    begun = asyncio.Event()
    play = Play(
        root,
        [command("echo $$ > pid; echo begun; sleep 600")],
        session=sessions.begin(root),
        listen=lambda event: begun.set() if isinstance(event, CallOutput) else None,
    )

    async def cancelled() -> End | None:
        task = asyncio.create_task(play.agent.run("Do it."))
        await begun.wait()
        task.cancel()
        try:
            return await task
        except asyncio.CancelledError:
            return None

    assert asyncio.run(cancelled()) is None
    with pytest.raises(ProcessLookupError):
        os.kill(int((root / "pid").read_text()), 0)
    session = sessions.latest(root)
    assert session is not None
    kinds = [row.kind for row in session.rows()]
    assert kinds[-1] == "call_skipped"
    assert len(play.told(CallSkipped)) == 1


HALF = "I look.\n\n<execu"


def shown(play: Play) -> list[str]:
    grown = "".join(event.text for event in play.events if isinstance(event, TextGrew))
    closed = [event.block for event in play.events if isinstance(event, BlockClosed)]
    return [grown, *(block.content for block in closed if isinstance(block, TextBlock))]


def test_interrupt_never_shows_the_half_tag_that_was_held(tmp_path: Path) -> None:
    play = Interrupting(tmp_path, provider=Slow(HALF))

    assert play.run().status == "interrupted"
    assert shown(play) == ["I look.", "I look."]
    assert play.agent.messages[1].text == f"{HALF}\n\n{INTERRUPTED_MARK}"


def test_message_that_is_stopped_after_its_one_tool_shows_no_half_tag(tmp_path: Path) -> None:
    text = write("a", "x") + "\n\n" + HALF
    turn = Turn((Say(text), Pause(0.0), Say("te_command>")), cuts=0)
    play = Play(tmp_path, [turn, DONE], several=False)

    assert play.run().status == "completed"
    assert "<execu" not in "".join(shown(play))

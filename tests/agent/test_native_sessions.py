from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from agent.dialects import NATIVE
from agent.events import BlockClosed, CallFinished, CallSkipped, CallStarted, Event, TaskFinished
from agent.native_speech import NativeSpeech
from agent.providers.base import Message, SentCall, SentResult
from agent.sessions.resume import BEGUN, HALF_MARK, NOT_BEGUN, restore
from agent.sessions.store import Row, Session, Sessions
from agent.speech import Speech
from parsing import ToolUse
from tests.agent.native_wires import paired
from tests.agent.play import DONE as DONE_TEXT
from tests.agent.play import QUICK, Call, Fault, Part, Play, Say, Think, Turn, read, write
from tests.agent.test_laws import Whimsical
from tools import default_tools

SPECS = default_tools().specs
SPEECH = NativeSpeech(SPECS)
DONE = Turn((Call("attempt_completion", '{"result": "All done."}', "done"),), finish="tool_calls")
ARGUMENTS = ('{"path": "a", "content": "x"}', '{"path": "a"}', '{"path": ', "", "[]", '"{}"', "{}")
NAMES = ("write_to_file", "read_file", "list_files", "nothing", "", "a b", "execute_command")
SAID = ("Hello. ", read("a"), "<think>\nhm\n</think>\n", "\n\n", "```\n", write("a", "z"))


def rooted(tmp_path: Path) -> tuple[Path, Session]:
    root = tmp_path / "work"
    root.mkdir()
    return root, Sessions(tmp_path / "state" / "sessions.db").begin(root)


def turn(dice: random.Random) -> Turn:
    parts: list[Part] = []
    for _ in range(dice.randrange(4)):
        if dice.random() < 0.4:
            parts.append(Say(dice.choice(SAID), cuts=dice.choice((0, 1, 7))))
        else:
            told = None if dice.random() < 0.5 else f"id{dice.randrange(3)}"
            parts.append(Call(dice.choice(NAMES), dice.choice(ARGUMENTS), told))
    if dice.random() < 0.2:
        parts.insert(0, Think(dice.choice(("", "hm"))))
    fault = Fault("break", after=dice.randrange(20)) if dice.random() < 0.2 else None
    finish = dice.choice(("tool_calls", "tool_calls", "stop", "length", "content_filter"))
    return Turn(tuple(parts), finish=finish, fault=fault)


class Wild(Play):
    """A play of random native replies; it may be interrupted anywhere, and is always recorded."""

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
            dialect=NATIVE,
        )

    def _hear(self, event: Event) -> None:
        super()._hear(event)
        self._left -= 1
        if self._left == 0:
            self.agent.interrupt()


def played(tmp_path: Path, seed: int, window: int = 128_000) -> tuple[Wild, list[Row]]:
    root, session = rooted(tmp_path)
    play = Wild(root, session, seed, window)
    play.run()
    return play, list(session.rows())


def whole(messages: tuple[Message, ...]) -> bool:
    roles = [message.role for message in messages]
    alternate = roles == [("user", "assistant")[n % 2] for n in range(len(roles))]
    said = all(m.text.strip() or m.reasoning or m.calls or m.results for m in messages)
    return alternate and said and paired(messages)


@pytest.mark.parametrize("seed", range(40))
def test_native_task_ends_with_each_call_answered_once(tmp_path: Path, seed: int) -> None:
    play, _ = played(tmp_path, seed)

    assert isinstance(play.events[-1], TaskFinished)
    assert all(whole(request.messages) for request in play.provider.requests)
    uses = [
        event.call_id
        for event in play.events
        if isinstance(event, BlockClosed) and isinstance(event.block, ToolUse)
    ]
    ended = Counter(e.call_id for e in play.events if isinstance(e, CallFinished | CallSkipped))
    started = Counter(e.call_id for e in play.events if isinstance(e, CallStarted))
    assert ended == Counter(uses)
    assert not started or max(started.values()) == 1


@pytest.mark.parametrize("seed", range(40))
def test_native_session_is_whole_wherever_the_rows_end(tmp_path: Path, seed: int) -> None:
    play, rows = played(tmp_path, seed)

    for end in range(len(rows) + 1):
        messages = restore(rows[:end], SPEECH).history.messages
        assert whole(messages)
        told = "\n".join(r.text for m in messages for r in m.results)
        recorded = {r.data["call_id"]: r for r in rows[:end] if r.kind == "call_finished"}
        assert [r for r in recorded.values() if str(r.data["for_model"]) not in told] == []
    assert restore(rows, SPEECH).history.messages == play.agent.messages


@pytest.mark.parametrize("seed", range(20))
def test_native_session_leaves_out_what_the_agent_left_out(tmp_path: Path, seed: int) -> None:
    play, rows = played(tmp_path, seed, window=1_000)

    assert restore(rows, SPEECH).history.messages == play.agent.messages
    assert all(whole(request.messages) for request in play.provider.requests)


@pytest.mark.parametrize(
    ("kind", "count", "results"),
    [
        ("call_asked", 1, [("c1", NOT_BEGUN)]),
        ("call_started", 1, [("c1", BEGUN)]),
        ("call_finished", 1, [("c1", "Created a")]),
        ("call_started", 2, [("c1", "Created a"), ("c2", BEGUN)]),
        ("assistant", 1, [("c1", "Created a"), ("c2", NOT_BEGUN)]),
        ("call_finished", 2, [("c1", "Created a"), ("c2", "told")]),
    ],
)
def test_native_session_goes_on_in_mid_task(
    tmp_path: Path, kind: str, count: int, results: list[tuple[str, str]]
) -> None:
    root, session = rooted(tmp_path)
    calls = (
        Say("I write."),
        Call("write_to_file", '{"path": "a", "content": "written"}', "c1"),
        Call("execute_command", '{"command": "echo told"}', "c2"),
    )
    Play(root, [Turn(calls), DONE], dialect=NATIVE, session=session).run()
    rows = list(session.rows())
    ends = [place for place, row in enumerate(rows, 1) if row.kind == kind]
    second = Sessions(tmp_path / "state" / "sessions.db").begin(root)
    for row in rows[: ends[count - 1]]:
        second.record(row.kind, row.data)

    again = Play(root, [DONE], dialect=NATIVE, session=second)
    assert again.resume("Go on.").status == "completed"

    told = again.history[2]
    assert again.history[1].text.startswith("I write.")
    assert [r.call_id for r in told.results][: len(results)] == [call_id for call_id, _ in results]
    for result, (_, text) in zip(told.results, results, strict=False):
        assert text in result.text
    assert told.text.endswith("Go on.")
    assert whole(again.history)


def test_native_call_that_ran_before_the_message_was_recorded_is_kept(tmp_path: Path) -> None:
    _, session = rooted(tmp_path)
    use = {"name": "write_to_file"}
    native = {"id": "c1", "name": "write_to_file", "arguments": '{"path": "a"}'}
    session.record("user", {"text": "Do it."})
    session.record("turn_started", {"number": 1})
    session.record("kept", {"data": {"provider": "anthropic", "block": {"signature": "s"}}})
    session.record("call", {"call_id": "x", "heading": "[w]", "use": use, "native": native})
    session.record("call_started", {"call_id": "x"})

    messages = restore(session.rows(), SPEECH).history.messages

    call = SentCall("c1", "write_to_file", '{"path": "a"}')
    kept = {"provider": "anthropic", "block": {"signature": "s"}}
    assert messages[1:] == (
        Message("assistant", HALF_MARK, None, (kept,), (call,)),
        Message("user", "", results=(SentResult("c1", BEGUN),)),
    )


def test_native_session_goes_on_in_a_dialect(tmp_path: Path) -> None:
    root, session = rooted(tmp_path)
    call = Call("write_to_file", '{"path": "a", "content": "x\\n"}', "c1")
    Play(root, [Turn((Say("I write."), call)), DONE], dialect=NATIVE, session=session).run()

    again = Play(root, [DONE_TEXT], session=session)
    again.run("And now?")

    assert all(not m.calls and not m.results for m in again.history)
    assert again.history[1].text == "I write.\n\n" + write("a", "x\n")
    assert again.history[2].text.startswith("[write_to_file for 'a'] Result:\n")
    assert again.history[3].text == DONE_TEXT
    assert again.last_words.endswith("And now?")


def test_text_session_goes_on_natively(tmp_path: Path) -> None:
    root, session = rooted(tmp_path)
    first = Play(root, [write("a", "x"), DONE_TEXT], session=session)
    first.run()

    again = Play(root, [DONE], dialect=NATIVE, session=session)
    again.run("And now?")

    assert again.history[: len(first.history)] == first.history
    assert whole(again.history)


def test_old_session_is_read_as_it_was(tmp_path: Path) -> None:
    _, session = rooted(tmp_path)
    old: dict[str, object] = {"text": "Hello", "reasoning": None, "attachments": []}
    session.record("user", old)
    session.record("assistant", old | {"text": read("a")})
    session.record("call", {"call_id": "x", "heading": "[r]", "use": {"name": "read_file"}})

    messages = restore(session.rows(), Speech("cline", SPECS)).history.messages

    assert messages[1] == Message("assistant", read("a"))
    assert messages[2] == Message("user", f"[r]\n{NOT_BEGUN}")

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest

from agent.events import (
    BlockClosed,
    CallFinished,
    CallSkipped,
    Event,
    ReasoningGrew,
    TextGrew,
    UseGrew,
)
from agent.presenter import Presenter
from agent.results import (
    AFTER_COMPLETION,
    AFTER_REFUSAL,
    CUT_BY_BREAK,
    CUT_BY_LIMIT,
    INTERRUPTED_CALL,
    NOT_BEGUN,
    ONE_PER_MESSAGE,
    UNCLOSED,
)
from parsing import Block, Finish, ReasoningBlock, TextBlock, ToolUse, Value, reader
from tests.agent.play import read, write
from tools import Outcome, OutcomeKind, default_tools


class Stage:
    """Runs calls as it is told to, and keeps what it is told."""

    def __init__(self, *, several: bool = True) -> None:
        self.events: list[Event] = []
        self.ran: list[str] = []
        self.kinds: dict[str, OutcomeKind] = {}
        self.gate: asyncio.Event | None = None
        self.hear: Callable[[Event], None] = lambda event: None
        self.presenter = Presenter(self.tell, self, several=several)

    def tell(self, event: Event) -> None:
        self.events.append(event)
        self.hear(event)

    def begun(self, call_id: str) -> bool:
        return True

    async def run(self, use: ToolUse, call_id: str) -> Outcome:
        if self.gate is not None:
            await self.gate.wait()
        self.ran.append(use.name)
        kind = self.kinds.get(use.name, OutcomeKind.DONE)
        return Outcome("ok", kind=kind, failed=kind is OutcomeKind.FAILED)

    def present(self, blocks: Sequence[Block], finish: str | None = "stop") -> tuple[str, ...]:
        async def presented() -> None:
            self.presenter.present(blocks, finish)
            await self.presenter.settled()

        asyncio.run(presented())
        return tuple(answer.text for answer in self.presenter.answers)


def use(name: str, **values: str) -> ToolUse:
    return ToolUse(name, tuple(Value(key, text) for key, text in values.items()))


def partial(name: str, **values: str) -> ToolUse:
    return ToolUse(name, use(name, **values).values, partial=True)


A, B, C = use("a"), use("b"), use("c")


def test_presenter_tells_text_in_deltas_and_uses_in_snapshots() -> None:
    stage = Stage()

    async def presented() -> None:
        stage.presenter.present([TextBlock("He", partial=True)])
        stage.presenter.present([TextBlock("He", partial=True)])
        stage.presenter.present([TextBlock("Hello", partial=True)])
        stage.presenter.present([TextBlock("Hello"), partial("a")])
        stage.presenter.present([TextBlock("Hello"), partial("a")])
        stage.presenter.present([TextBlock("Hello"), partial("a", path="x")])
        stage.presenter.present([TextBlock("Hello"), use("a", path="xy")], "stop")
        await stage.presenter.settled()

    asyncio.run(presented())
    call_id = stage.presenter.answers[0].call_id
    assert stage.events[:-1] == [
        TextGrew(0, "He"),
        TextGrew(0, "llo"),
        BlockClosed(0, TextBlock("Hello")),
        UseGrew(1, call_id, partial("a")),
        UseGrew(1, call_id, partial("a", path="x")),
        BlockClosed(1, use("a", path="xy"), call_id),
    ]
    assert isinstance(stage.events[-1], CallFinished)
    assert len(call_id) == 8


def test_presenter_tells_reasoning_in_deltas() -> None:
    stage = Stage()

    stage.present([ReasoningBlock("hm"), TextBlock("so")])

    assert stage.events == [
        ReasoningGrew(0, "hm"),
        BlockClosed(0, ReasoningBlock("hm")),
        TextGrew(1, "so"),
        BlockClosed(1, TextBlock("so")),
    ]


def test_presenter_never_runs_a_partial_use_in_the_stream() -> None:
    stage = Stage()
    specs = default_tools().specs
    text = f"Hi.\n{write('a', 'x = 1')}\n{read('b')}\n"

    async def presented() -> None:
        message = reader("cline", specs)
        for count, character in enumerate(text, 1):
            message.feed(character)
            stage.presenter.present(message.blocks)
            await asyncio.sleep(0)
            closed = text[:count].count("</write_to_file>") + text[:count].count("</read_file>")
            assert len(stage.ran) <= closed
        message.close(Finish.STOP)
        stage.presenter.present(message.blocks, "stop")
        await stage.presenter.settled()

    asyncio.run(presented())
    assert stage.ran == ["write_to_file", "read_file"]
    ids = [e.call_id for e in stage.events if isinstance(e, UseGrew | BlockClosed)]
    assert len({call_id for call_id in ids if call_id}) == 2


def test_presenter_marks_what_comes_while_a_call_runs_as_pending() -> None:
    stage = Stage()
    stage.gate = asyncio.Event()

    async def presented() -> None:
        assert stage.gate is not None
        stage.presenter.present([A])
        await asyncio.sleep(0)
        stage.presenter.present([A, TextBlock("la", partial=True)])
        stage.presenter.present([A, TextBlock("later"), B])
        assert [type(event) for event in stage.events] == [BlockClosed]
        stage.gate.set()
        stage.presenter.present([A, TextBlock("later"), B], "stop")
        await stage.presenter.settled()

    asyncio.run(presented())
    assert stage.ran == ["a", "b"]
    assert [type(e).__name__ for e in stage.events] == [
        "BlockClosed",
        "CallFinished",
        "TextGrew",
        "BlockClosed",
        "BlockClosed",
        "CallFinished",
    ]


def test_presenter_can_be_called_by_whoever_it_tells() -> None:
    stage = Stage()
    later: list[list[Block]] = [[TextBlock("ab", partial=True)], [TextBlock("abc"), A]]
    more = iter(later)

    def hear(event: Event) -> None:
        if isinstance(event, TextGrew) and (blocks := next(more, None)):
            stage.presenter.present(blocks)

    stage.hear = hear

    async def presented() -> None:
        stage.presenter.present([TextBlock("a", partial=True)])
        stage.presenter.present([TextBlock("abc"), A], "stop")
        await stage.presenter.settled()

    asyncio.run(presented())
    assert stage.ran == ["a"]
    assert [e.text for e in stage.events if isinstance(e, TextGrew)] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("finish", "why"),
    [
        ("length", CUT_BY_LIMIT),
        ("broken", CUT_BY_BREAK),
        ("stop", UNCLOSED),
        ("enough", UNCLOSED),
    ],
)
def test_presenter_says_why_an_open_call_was_not_run(finish: str, why: str) -> None:
    stage = Stage()

    assert stage.present([A, partial("b", path="x")], finish) == ("ok", why)
    assert stage.ran == ["a"]


def test_presenter_runs_no_call_with_a_fault() -> None:
    stage = Stage()
    faulty = ToolUse("a", fault="its path is not closed")

    answers = stage.present([faulty, B])

    assert stage.ran == ["b"]
    assert "its path is not closed" in answers[0]
    assert [type(e) for e in stage.events if isinstance(e, CallSkipped)] == [CallSkipped]


@pytest.mark.parametrize(
    ("kind", "several", "answers"),
    [
        (OutcomeKind.DONE, True, ("ok", "ok", "ok")),
        (OutcomeKind.FAILED, True, ("ok", "ok", "ok")),
        (OutcomeKind.REFUSED, True, ("ok", AFTER_REFUSAL, AFTER_REFUSAL)),
        (OutcomeKind.COMPLETED, True, ("ok", AFTER_COMPLETION, AFTER_COMPLETION)),
        (OutcomeKind.DONE, False, ("ok", ONE_PER_MESSAGE, ONE_PER_MESSAGE)),
    ],
)
def test_presenter_skips_what_may_not_follow(
    kind: OutcomeKind, several: bool, answers: tuple[str, ...]
) -> None:
    stage = Stage(several=several)
    stage.kinds["a"] = kind

    assert stage.present([A, B, C]) == answers
    assert stage.presenter.satisfied is (not several or kind in ("refused", "completed"))


def test_presenter_refuses_to_begin_anything_after_an_interrupt() -> None:
    stage = Stage()
    stage.gate = asyncio.Event()

    async def presented() -> None:
        stage.presenter.present([A, B], "stop")
        await asyncio.sleep(0)
        stage.presenter.interrupt()
        await stage.presenter.settled()

    asyncio.run(presented())
    assert [a.text for a in stage.presenter.answers] == [INTERRUPTED_CALL, NOT_BEGUN]
    assert stage.ran == []


def test_presenter_says_that_a_call_interrupted_at_once_was_not_begun() -> None:
    stage = Stage()

    async def presented() -> None:
        stage.presenter.present([A], "stop")
        stage.presenter.interrupt()
        await stage.presenter.settled()

    asyncio.run(presented())
    assert [a.text for a in stage.presenter.answers] == [NOT_BEGUN]


def test_presenter_passes_a_bug_of_a_listener_on() -> None:
    stage = Stage()

    def hear(event: Event) -> None:
        if isinstance(event, CallFinished):
            raise ZeroDivisionError

    stage.hear = hear

    with pytest.raises(ZeroDivisionError):
        stage.present([A, B])


def test_presenter_takes_nothing_back_when_text_shrinks() -> None:
    stage = Stage()

    async def presented() -> None:
        for content in ("ab", "a", "abc"):
            stage.presenter.present([TextBlock(content, partial=True)])
        stage.presenter.present([TextBlock("abc", partial=True)], "stop")
        await stage.presenter.settled()

    asyncio.run(presented())
    assert [e.text for e in stage.events if isinstance(e, TextGrew)] == ["ab", "c"]

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.history import DROPPED, History, Link, boundary
from agent.providers.base import Message

ROWS = {
    row["id"]: row
    for row in map(
        json.loads, (Path(__file__).parent / "corpus" / "faults.jsonl").read_text().splitlines()
    )
}


def user(text: str) -> Message:
    return Message("user", text)


def assistant(text: str, reasoning: str | None = None) -> Message:
    return Message("assistant", text, reasoning)


def link(entry: str) -> Link:
    if "calls=" in entry:
        return Link(opens=tuple(entry.partition("[")[2].rstrip("]").split(",")))
    return Link(answers=(entry.split()[1],)) if entry.startswith("tool ") else Link()


def test_boundary_keeps_calls_with_their_answers() -> None:
    row = ROWS["agent-compaction-keeps-pairs"]
    entries = row["input"]

    cut = boundary([link(entry) for entry in entries], row["expected"]["cut_requested_after"])

    assert ["summary", *entries[cut:]] == row["expected"]["result"]


@pytest.mark.parametrize("wanted", range(8))
def test_boundary_never_cuts_where_a_call_is_open(wanted: int) -> None:
    links = [
        Link(),
        Link(opens=("A", "B")),
        Link(answers=("A",)),
        Link(answers=("B",)),
        Link(opens=("C",)),
        Link(answers=("C",)),
        Link(),
    ]

    cut = boundary(links, wanted)

    opened = {call for item in links[cut:] for call in item.opens}
    answered = {call for item in links[cut:] for call in item.answers}
    assert cut >= min(wanted, len(links))
    assert answered <= opened


def test_history_joins_messages_of_one_role() -> None:
    history = History([user("do it"), assistant("a", "")])
    history.add(user("[result]"))
    history.add(user("go on"))

    assert history.messages == (
        user("do it"),
        assistant("a", ""),
        user("[result]\n\ngo on"),
    )


@pytest.mark.parametrize("empty", [assistant(""), assistant(" \n", ""), user("")])
def test_history_gains_no_empty_message(empty: Message) -> None:
    history = History([user("do it")])
    history.add(empty)

    assert history.messages == (user("do it"),)


def test_history_keeps_reasoning_and_attachments() -> None:
    signed = Message("assistant", "", "thought", ({"type": "thinking", "signature": "s"},))
    history = History([user("do it"), signed])

    assert history.messages[1] == signed


def test_history_does_not_begin_with_an_assistant() -> None:
    with pytest.raises(ValueError, match="expected the user's"):
        History([assistant("hello")])


@pytest.mark.parametrize(("keep", "left"), [(10_000, 7), (250, 5), (130, 3), (0, 3)])
def test_history_drops_the_oldest_middle_in_pairs(keep: int, left: int) -> None:
    history = History([user("task")])
    for number in range(3):
        history.add(assistant(f"call {number}" + "x" * 50))
        history.add(user(f"result {number}" + "y" * 50))

    dropped = history.drop_middle(keep)

    messages = history.messages
    roles = [message.role for message in messages]
    assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"]
    assert (dropped > 0) is (DROPPED in messages[0].text)
    assert messages[-1].text.startswith("result 2")
    assert len(messages) + dropped == 7
    assert len(messages) == left


def test_history_says_once_that_messages_were_left_out() -> None:
    history = History([user("task")])
    for _ in range(6):
        history.add(assistant("call"))
        history.add(user("result"))

    history.drop_middle(30)
    history.drop_middle(0)

    assert history.messages[0].text.count(DROPPED) == 1
    assert len(history.messages) == 3

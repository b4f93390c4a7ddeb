from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import parsing
from agent.events import Diverged
from agent.reading import Reading
from agent.sessions.store import Sessions
from agent.speech import Speech
from parsing import Dialect, Finish, ToolSpec
from parsing.reader import Change, Reader
from tests.agent.play import DONE, Play, read, write
from tools import default_tools

SPECS = default_tools().specs


def wrong_dialect() -> Dialect:
    """Give cline with an incremental reading that knows no tool."""
    right = parsing.dialect("cline")

    def readers(tools: Sequence[ToolSpec]) -> tuple[Reader, Reader]:
        return parsing.reader("cline", tools), parsing.reader("cline", (), "incremental")

    return replace(right, readers=readers)


@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_reading_goes_on_with_the_reparse_after_a_divergence(size: int) -> None:
    text = f"Hello.\n{write('a', 'x')}\nand\n{read('b')}\n"
    reports: list[str] = []
    dialect = wrong_dialect()
    reading = Reading(lambda mode: parsing.reader(dialect, SPECS, mode), "both", reports.append)
    for start in range(0, len(text), size):
        reading.feed(text[start : start + size])
    reading.close(Finish.STOP)

    assert reading.blocks == parsing.parse(text, "cline", SPECS)
    assert len(reports) == 1
    assert re.search("the two modes differ (after chunk|at the close)", reports[0])


def test_reading_takes_a_divergence_at_the_close() -> None:
    reports: list[str] = []
    dialect = replace(
        parsing.dialect("cline"),
        readers=lambda tools: (
            parsing.reader("cline", tools),
            Reopened(parsing.reader("cline", tools, "incremental")),
        ),
    )
    reading = Reading(lambda mode: parsing.reader(dialect, SPECS, mode), "both", reports.append)
    reading.feed("Hello")
    reading.close(Finish.STOP)

    assert reading.blocks == parsing.parse("Hello", "cline", SPECS)
    assert len(reports) == 1


class Reopened:
    """A reading that never closes."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def feed(self, chunk: str) -> Change:
        return self._reader.feed(chunk)

    def close(self, finish: Finish) -> Change:
        return self._reader.feed("")

    @property
    def blocks(self) -> tuple[parsing.Block, ...]:
        return self._reader.blocks

    @property
    def text(self) -> str:
        return self._reader.text


def test_agent_tells_and_saves_a_divergence_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "work"
    root.mkdir()
    session = Sessions(tmp_path / "state" / "sessions.db").begin(root)
    play = Play(root, ["Hi.\n" + write("a", "x"), DONE], mode="both", session=session)
    monkeypatch.setattr(play.agent.speech, "dialect", wrong_dialect())

    end = play.run()

    assert end.status == "completed"
    assert (root / "a").read_text() == "x\n"
    diverged = [e for e in play.events if isinstance(e, Diverged)]
    assert len(diverged) == 2
    place = diverged[0].saved_to
    assert place == tmp_path / "state" / "divergences" / f"{session.id}-1.txt"
    assert place is not None
    assert "the two modes differ" in place.read_text()


def test_speech_reads_what_it_spells() -> None:
    speech = Speech("cline", SPECS)

    assert [type(b).__name__ for b in parsing.parse(speech.example, "cline", SPECS)] == ["ToolUse"]

from __future__ import annotations

from dataclasses import replace

import pytest

from parsing import (
    Block,
    Change,
    Dialect,
    Divergence,
    Finish,
    Mode,
    Reader,
    ToolSpec,
    dialect,
    reader,
)
from tests.parsing.cases import tools

MODES: tuple[Mode, ...] = ("reparse", "incremental")
NO_TOOLS: tuple[ToolSpec, ...] = ()


class Forgetful:
    """A reader with a fault: it loses every chunk that is a full stop."""

    def __init__(self, reading: Reader) -> None:
        self._reading = reading

    def feed(self, chunk: str) -> Change:
        return self._reading.feed("" if chunk == "." else chunk)

    def close(self, finish: Finish) -> Change:
        return self._reading.close(finish)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self._reading.blocks

    @property
    def text(self) -> str:
        return self._reading.text


class Hasty(Forgetful):
    """A reader with a fault at the close: it takes every end for a normal stop."""

    def feed(self, chunk: str) -> Change:
        return self._reading.feed(chunk)

    def close(self, finish: Finish) -> Change:
        return self._reading.close(Finish.STOP)


def wrong(kind: type[Forgetful]) -> Dialect:
    def readers(declared: object) -> tuple[Reader, Reader]:
        one, two = (reader("cline", tools(), mode) for mode in MODES)
        return one, kind(two)

    return replace(dialect("cline"), name="wrong", readers=readers)


def test_crosscheck_stops_at_the_first_difference() -> None:
    message = reader(wrong(Forgetful), NO_TOOLS, "both")
    message.feed("First line\nof 2")

    with pytest.raises(Divergence) as caught:
        message.feed(".")

    found = caught.value
    assert (found.chunk, found.index, found.finish) == (2, 0, None)
    assert found.text == "First line\nof 2."
    assert [block.as_json()["content"] for block in found.reparse] == ["First line\nof 2."]
    assert [block.as_json()["content"] for block in found.incremental] == ["First line\nof 2"]


def test_crosscheck_reports_the_place_both_readings_and_the_text() -> None:
    message = reader(wrong(Forgetful), NO_TOOLS, "both")
    message.feed("First line\nof 2")

    with pytest.raises(Divergence) as caught:
        message.feed(".")

    head, reparse, incremental, text, caret = caught.value.report.splitlines()
    assert "after chunk 2 (16 characters), at block 0" in head
    assert "content='First line\\nof 2.'" in reparse
    assert "content='First line\\nof 2'" in incremental
    assert text.endswith("of 2.")
    assert caret.index("^") == len(text)
    assert str(caught.value) == caught.value.report


def test_crosscheck_tells_the_block_that_is_missing() -> None:
    message = reader(wrong(Forgetful), NO_TOOLS, "both")

    with pytest.raises(Divergence) as caught:
        message.feed(".")

    assert "incremental: no such block" in caught.value.report


def test_crosscheck_compares_the_close() -> None:
    message = reader(wrong(Hasty), NO_TOOLS, "both")
    message.feed("<read_file><path>a</path>")

    with pytest.raises(Divergence) as caught:
        message.close(Finish.LENGTH)

    assert caught.value.finish is Finish.LENGTH
    assert "at the close" in caught.value.report


def test_crosscheck_goes_on_after_a_difference() -> None:
    message = reader(wrong(Forgetful), NO_TOOLS, "both")
    with pytest.raises(Divergence):
        message.feed(".")

    with pytest.raises(Divergence):
        message.feed("a")

    assert message.text == ".a"


def test_crosscheck_is_silent_when_both_agree() -> None:
    message = reader("cline", tools(), "both")
    for character in "Hi\n<read_file>\n<path>a</path>\n</read_file>":
        message.feed(character)
    message.close(Finish.STOP)

    assert [block.as_json()["type"] for block in message.blocks] == ["text", "tool_use"]

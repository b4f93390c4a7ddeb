from __future__ import annotations

import pytest

from tests.ui.command import Tagline
from tests.ui.test_headless import DONE, script


def test_standard_input_joins_the_task(tagline: Tagline) -> None:
    turn = {"expect": r"(?s)go.*<stdin>\nline one\nline two\n</stdin>", "text": DONE}
    path = script(tagline.home, turn)

    assert tagline.run("-p", "go", "--script", path, stdin="line one\nline two\n").code == 0


def test_standard_input_has_an_end(tagline: Tagline) -> None:
    endless = b"y\n" * (1 << 20)

    ran = tagline.run("-p", "go", "--script", script(tagline.home, {"text": DONE}), stdin=endless)

    assert ran.code == 2
    assert "found more than 1 MiB, expected at most that. Send a part of it" in ran.err


@pytest.mark.parametrize("arguments", [("-p",), ("-p", "-"), ()])
def test_standard_input_can_be_the_task(tagline: Tagline, arguments: tuple[str, ...]) -> None:
    path = script(tagline.home, {"expect": "^the whole task$", "text": DONE})

    assert tagline.run(*arguments, "--script", path, stdin="the whole task\n").code == 0


def test_no_task_at_all_is_wrong_usage(tagline: Tagline) -> None:
    ran = tagline.run("-p", "--script", script(tagline.home, {"text": DONE}))

    assert ran.code == 2
    assert "no task" in ran.err

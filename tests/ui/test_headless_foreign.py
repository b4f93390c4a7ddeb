from __future__ import annotations

import pytest

from tests.ui.command import Tagline
from tests.ui.test_headless import DONE, checked, play

CALL = (
    "I write it.\n```json\n"
    '{"name": "write_to_file", "arguments": {"path": "a.py", "content": "x = 1\\n"}}\n```'
)
NOT_RUN = "the dialect here is `cline`. Nothing was run."


@pytest.mark.parametrize("options", [(), ("--foreign-calls", "refuse")])
def test_foreign_call_is_refused_where_nobody_is_there(
    tagline: Tagline, options: tuple[str, ...]
) -> None:
    turns = ({"text": CALL}, {"text": DONE, "expect": NOT_RUN})

    ran = play(tagline, *turns, options=("-y", *options))

    assert ran.code == 0
    assert "A call in the dialect fenced_json (expected: cline): not run" in ran.err
    assert not (tagline.folder / "a.py").exists()


def test_foreign_call_is_run_where_a_flag_accepts_it(tagline: Tagline) -> None:
    turns = ({"text": CALL}, {"text": DONE, "expect": "taken as you wrote it"})

    ran = play(
        tagline,
        *turns,
        options=("-y", "--foreign-calls", "accept", "--output-format", "stream-json"),
    )

    assert ran.code == 0
    assert (tagline.folder / "a.py").read_text() == "x = 1\n"
    told = [line for line in checked(ran.out) if line.get("kind") == "foreign_call"]
    assert [line["text"] for line in told] == [
        "A call in the dialect fenced_json (expected: cline): taken as it stands "
        "(foreign_calls = 'accept')."
    ]


def test_foreign_call_is_run_where_the_environment_accepts_it(tagline: Tagline) -> None:
    told = Tagline(tagline.folder, tagline.home, {"TAGLINE_FOREIGN_CALLS": "accept"})

    ran = play(told, {"text": CALL}, {"text": DONE}, options=("-y",))

    assert ran.code == 0
    assert (tagline.folder / "a.py").exists()


def test_foreign_call_that_is_accepted_needs_approval_as_any_other(tagline: Tagline) -> None:
    ran = play(tagline, {"text": CALL}, options=("--foreign-calls", "accept"))

    assert ran.code == 4
    assert not (tagline.folder / "a.py").exists()

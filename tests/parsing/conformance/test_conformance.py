from __future__ import annotations

import tomllib
from collections import Counter

import pytest
from canitoolcall.fixtures import Fixture, load_fixtures
from canitoolcall.results import Status

from parsing import Mode
from tests.parsing.conformance.replay import HERE, fixtures, judged, model_of, parsed, tokens

BELIEVED_WRONG = {
    row["id"]: row["reason"]
    for row in tomllib.loads((HERE / "believed_wrong.toml").read_text("utf-8"))["fixture"]
}


def by_id(fixture: Fixture) -> str:
    return fixture.id


@pytest.mark.parametrize("mode", ["both", "incremental"])
@pytest.mark.parametrize("fixture", fixtures(), ids=by_id)
def test_conformance_passes_a_fixture_under_every_chunking(fixture: Fixture, mode: Mode) -> None:
    verdict = judged(fixture, mode)

    assert verdict.raised == ()
    assert (verdict.failures != []) == (fixture.id in BELIEVED_WRONG), verdict.failures
    assert verdict.status in {Status.PASS, Status.SOFT_PASS} or fixture.id in BELIEVED_WRONG


@pytest.mark.parametrize(
    "fixture", [one for one in fixtures() if one.expected_error is not None], ids=by_id
)
def test_conformance_gives_no_complete_call_that_was_cut_or_malformed(fixture: Fixture) -> None:
    calls = parsed(fixture, tuple(fixture.raw_output), "both").tool_calls

    assert calls == () or fixture.id in BELIEVED_WRONG


def test_conformance_believes_a_handful_wrong_with_reasons() -> None:
    assert len(BELIEVED_WRONG) <= 5
    assert all(BELIEVED_WRONG.values())
    assert BELIEVED_WRONG.keys() <= {fixture.id for fixture in load_fixtures()}


def test_conformance_knows_a_dialect_for_every_model() -> None:
    known = Counter(fixture.family for fixture in load_fixtures() if model_of(fixture).dialect)

    assert sum(known.values()) >= 469
    assert len(known) >= 9


def test_tokens_keep_markers_whole() -> None:
    assert tokens("I will.<a><ab>ok", ("<a>", "<ab>")) == ["I wi", "ll.", "<a>", "<ab>", "ok"]

from __future__ import annotations

import pytest

from parsing.fuzz import message
from tests.ui.command import Tagline
from tests.ui.test_compare import told
from ui.compare.comparison import Comparison
from ui.compare.fuzz import seeds
from ui.compare.report import words
from ui.compare.run import Results


def test_fuzz_holds_grown_messages_to_the_laws(tagline: Tagline) -> None:
    found = told(tagline, "--fuzz", "8", "--seed", "3", "--dialect", "cline")

    grown = [message("cline", seed) for seed in range(3, 11)]
    assert (found["agree"], found["messages"], found["results"]) == (True, 8, [])
    assert found["chunks"] == sum(len(one.chunks) for one in grown)
    assert found["characters"] == sum(len(one.text) for one in grown)


def test_fuzz_shares_messages_between_dialects() -> None:
    sown = list(seeds(5, 10, ["a", "b"], storied=False))

    assert [(one.order, one.dialect, one.seed) for one in sown] == [
        *((0, "a", 10), (1, "a", 11), (2, "a", 12), (3, "b", 10), (4, "b", 11))
    ]


def test_fuzz_says_how_to_see_a_broken_law_again() -> None:
    found = Comparison("--fuzz", 7, "cline", "x\x1b", "chunks", broken="law 3 is broken: \x1b")

    lines = words(Results(1, [found]), "").splitlines()

    assert lines[0] == "--fuzz, seed 7 (cline): law 3 is broken: \\x1b"
    assert lines[1] == "  again:     tagline compare --fuzz 1 --dialect cline --seed 7"
    assert lines[2] == f"  smallest:  {list(message('cline', 7).chunks)!r}"


@pytest.mark.parametrize("also", [("m.txt",), ("--chunk", "4"), ("--against", "cline-v2")])
def test_fuzz_takes_no_messages_and_no_cuts(tagline: Tagline, also: tuple[str, ...]) -> None:
    ran = tagline.run("compare", "--fuzz", "1", *also)

    assert (ran.code, ran.out) == (2, "")
    assert "found --fuzz with messages, cuts or --against" in ran.err

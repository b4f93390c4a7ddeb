from __future__ import annotations

import json
from typing import Any

import pytest

from tests.source import ROOT
from tests.ui.command import Tagline, write

CORPUS = ROOT / "tests" / "ui" / "corpus" / "compare"
MESSAGE = "One.\n<read_file>\n<path>a.py</path>\n</read_file>\nTwo `<x>`."
AGREE = "The two modes agree after every chunk and at the close."


def told(tagline: Tagline, *arguments: str, stdin: str = "") -> dict[str, Any]:
    ran = tagline.run("compare", "--json", *arguments, stdin=stdin)
    assert (ran.code, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_compare_says_that_the_modes_agree(tagline: Tagline) -> None:
    ran = tagline.run("compare", write(tagline.folder, "m.txt", MESSAGE))

    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert lines[0] == AGREE
    assert lines[1] == f"{len(MESSAGE)} characters in 15 chunks of 4: 3 blocks"
    assert lines[3] == "    1  tool use   read_file(path)"
    head, row = (line.split() for line in lines[-2:])
    assert head == [
        *("messages", "compared", "divergences", "blocks", "faults", "reparse", "incremental")
    ]
    assert row[1:6] == ["1", "16", "0", "3", "0"]
    assert row[7] == row[9] == "MB/s"


@pytest.mark.parametrize("chunk", [1, 7, 5000])
def test_compare_gives_json(tagline: Tagline, chunk: int) -> None:
    found = told(tagline, "--chunk", str(chunk), "-", stdin=MESSAGE)

    (result,) = found["results"]
    chunks = -(-len(MESSAGE) // chunk)
    assert (found["agree"], found["interrupted"], result["divergence"]) == (True, False, None)
    assert (found["messages"], found["chunks"], found["compared"]) == (1, chunks, chunks + 1)
    assert [block["type"] for block in result["blocks"]] == ["text", "tool_use", "text"]
    assert found["reparse_mb_s"] > 0
    assert found["incremental_mb_s"] > 0


def test_compare_cuts_at_random_by_the_seed(tagline: Tagline) -> None:
    cut = [told(tagline, "--chunk", "random", "--seed", seed, stdin=MESSAGE * 9) for seed in "112"]

    assert cut[0]["chunks"] == cut[1]["chunks"]
    assert cut[0]["chunks"] != cut[2]["chunks"]
    assert cut[2]["results"][0]["cut"] == "random chunks (seed 2)"


def test_compare_cuts_in_two_at_every_place(tagline: Tagline) -> None:
    found = told(tagline, "--every-cut", stdin=MESSAGE)

    assert found["chunks"] == 2 * (len(MESSAGE) - 1)
    assert found["compared"] == 3 * (len(MESSAGE) - 1)
    assert found["blocks"] == 3


def test_compare_feeds_recorded_chunks_as_they_are(tagline: Tagline) -> None:
    path = str(CORPUS / "recorded.jsonl")

    recorded, fixed = told(tagline, path), told(tagline, path, "--chunk", "1")

    assert [result["cut"] for result in recorded["results"]] == ["chunks of 4", "recorded chunks"]
    assert recorded["results"][1]["chunks"] == 10
    assert fixed["results"][1]["chunks"] == fixed["results"][1]["characters"]
    assert fixed["faults"] == recorded["faults"] == 1


def test_compare_reads_in_every_dialect(tagline: Tagline) -> None:
    found = told(tagline, "--dialect", "all", "--chunk", "16", stdin=MESSAGE)

    dialects = [result["dialect"] for result in found["results"]]
    assert dialects[:2] == ["cline", "cline-v2"]
    assert len(dialects) == len(set(dialects))


def test_compare_shows_what_cline_decides_otherwise(tagline: Tagline) -> None:
    path = str(CORPUS / "api_conversation_history.json")

    ran = tagline.run("compare", "--against", "cline-v2", path)
    found = told(tagline, "--against", "cline-v2", path)

    assert ran.code == 0
    assert "Against cline-v2: 1 of 2 messages read differently" in ran.out
    assert f"{path}, message 1, block 1: other values" in ran.out
    assert 'cline-v2:  write_to_file {"path": "b",' in ran.out
    assert found["against"]["messages"] == 1


def test_compare_of_nothing_agrees(tagline: Tagline) -> None:
    assert told(tagline)["agree"] is True


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--dialect", "klingon"), "klingon"),
        (("--against", "klingon"), "klingon"),
        (("--chunk", "0"), "expected a number from 1, `random` or `recorded`"),
        (("--chunk", "2", "--every-cut"), "found both --every-cut and --chunk"),
        (("--seed", "1"), "which goes with --chunk random and --fuzz only"),
        (("--chunk", "recorded"), "found no recorded chunks"),
        (("none.txt",), "cannot read none.txt"),
        (("--as", "json"), "not JSON"),
        (("--session", "nobody"), "no session with the id 'nobody'"),
        (("--html", "no/such/place.html"), "cannot write no/such/place.html"),
    ],
)
def test_compare_refuses_in_words(tagline: Tagline, arguments: tuple[str, ...], words: str) -> None:
    ran = tagline.run("compare", *arguments, stdin=MESSAGE)

    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_compare_shares_the_work_between_processes(tagline: Tagline) -> None:
    lines = "".join(json.dumps({"text": MESSAGE * 4 + str(n)}) + "\n" for n in range(6))
    path = write(tagline.folder, "many.jsonl", lines)

    alone, shared = (told(tagline, "--every-cut", "--jobs", jobs, path) for jobs in ("1", "3"))

    for found in (alone, shared):
        assert (found["messages"], found["divergences"]) == (6, 0)
    assert [r["number"] for r in shared["results"]] == list(range(1, 7))
    assert (
        alone["compared"]
        == shared["compared"]
        == sum(3 * (r["characters"] - 1) for r in shared["results"])
    )
    assert [r["blocks"] for r in shared["results"]] == [r["blocks"] for r in alone["results"]]

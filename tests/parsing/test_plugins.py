from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.command import ROOT, Tagline, write

PLUGIN = Path(__file__).with_name("plugin")
MESSAGE = "I look.\n[call:read_file]\n[arg:path]a.py[/arg]\n[/call]"
TURNS = (
    {"script": {"model": "fake", "cuts": 3}},
    {"text": MESSAGE},
    {"text": "[call:attempt_completion]\n[arg:result]It says 漢字.[/arg]\n[/call]"},
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("plugin")
    source = shutil.copytree(PLUGIN, place / "source")  # what is built is left beside the sources
    flags = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target")
    install = [sys.executable, "-m", "pip", "install", *flags, str(place / "site"), str(source)]
    subprocess.run(install, check=True, capture_output=True)
    return place / "site"


@pytest.fixture
def tagline(tmp_path: Path, site: Path) -> Tagline:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    return Tagline(folder, home, {"PYTHONPATH": str(site)})


@pytest.mark.parametrize("mode", ["reparse", "incremental", "both"])
def test_a_packages_dialect_is_read_in_blocks(tagline: Tagline, mode: str) -> None:
    ran = tagline.run("blocks", "--dialect", "Square", "--mode", mode, stdin=MESSAGE)

    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    assert found["dialect"] == "square"
    assert [block["type"] for block in found["blocks"]] == ["text", "tool_use"]
    assert found["blocks"][1]["params"] == {"path": "a.py"}


def test_a_packages_dialect_is_compared(tagline: Tagline) -> None:
    ran = tagline.run("compare", "--dialect", "square", "--chunk", "1", stdin=MESSAGE)

    assert ran.code == 0
    assert "The two modes agree" in ran.out


def test_a_packages_dialect_is_spoken_by_the_agent(tagline: Tagline) -> None:
    write(tagline.folder, "a.py", "漢字")
    script = write(tagline.home, "s.jsonl", "".join(json.dumps(turn) + "\n" for turn in TURNS))
    told = ("--script", script, "--dialect", "square", "--output-format", "stream-json")

    ran = tagline.run("-p", "go", *told)

    events = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.code, ran.err) == (0, "")
    assert [event["dialect"] for event in events if "dialect" in event] == ["square"]
    assert any(event.get("result") == "It says 漢字." for event in events)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("round", "has no attribute 'no_such_thing'"),
        ("absent", "No module named 'no_such_module'"),
        ("number", "is of type str, expected a parsing.Dialect"),
        ("renamed", "calls itself 'square'"),
        ("squares", "did you mean square"),
    ],
)
def test_a_broken_package_is_named_when_it_is_asked_for(
    tagline: Tagline, name: str, words: str
) -> None:
    for command in (("blocks",), ("compare",), ("-p", "go", "--script", "none.jsonl")):
        ran = tagline.run(*command, "--dialect", name, stdin=MESSAGE)

        assert (ran.code, ran.out) == (2, "")
        assert words in ran.err


def test_a_name_of_ours_is_not_taken_over(tagline: Tagline) -> None:
    ran = tagline.run("blocks", "--dialect", "cline-v2", stdin=MESSAGE)

    assert json.loads(ran.out)["dialect"] == "cline-v2"
    assert json.loads(ran.out)["blocks"][0]["content"] == MESSAGE
    assert ran.err == (
        "tagline: the dialect 'Cline_V2' of the package tagline-square 1.0 is not used: "
        "Tagline has one of that name\n"
    )


def test_two_packages_cannot_bring_one_name(tagline: Tagline, tmp_path: Path) -> None:
    other = tmp_path / "other" / "circle-2.0.dist-info"
    other.mkdir(parents=True)
    write(other, "METADATA", "Metadata-Version: 2.1\nName: circle\nVersion: 2.0\n")
    write(other, "entry_points.txt", "[tagline.dialects]\nsquare = circle:CIRCLE\n")
    both = {"PYTHONPATH": os.pathsep.join((tagline.more["PYTHONPATH"], str(other.parent)))}

    ran = Tagline(tagline.folder, tagline.home, both).run("compare", "--dialect", "square")

    assert ran.code == 2
    for package in ("circle 2.0", "tagline-square 1.0"):
        assert (
            f"the dialect 'square' of the package {package} is not used: "
            "another package brings one of that name"
        ) in ran.err


def test_names_are_listed(tagline: Tagline) -> None:
    lines = tagline.run("blocks", "--help").out.splitlines()

    assert {"square", "round", "absent", "cline"} <= {line.split()[0] for line in lines if line}


@pytest.mark.parametrize(
    ("use", "module"),
    [
        ("dialect_names()", "square_brackets"),  # listing imports no package's dialect
        ("dialect('Cline')", "importlib.metadata"),  # our own names need no look at packages
    ],
)
def test_nothing_is_imported_too_early(site: Path, use: str, module: str) -> None:
    code = f"import sys, parsing; parsing.{use}; print({module!r} in sys.modules)"
    path = os.pathsep.join((str(ROOT), str(site)))
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env={"PYTHONPATH": path}, capture_output=True, check=True)

    assert done.stdout == b"False\n"

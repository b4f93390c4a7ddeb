from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.command import ROOT, Tagline, argv, environment, write
from ui import VERSION
from ui.cli_doors import DOORS
from ui.cli_task import command
from ui.exits import MEANINGS


@pytest.mark.parametrize("flag", ["--version", "-V", "-v"])
def test_version_is_told_alone(tagline: Tagline, flag: str) -> None:
    ran = tagline.run(flag)

    assert (ran.code, ran.out, ran.err) == (0, f"tagline {VERSION}\n", "")


def test_version_is_that_of_the_distribution() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert project.get("version", VERSION) == VERSION


def test_help_names_every_option_command_and_exit_code(tagline: Tagline) -> None:
    ran = tagline.run("--help")

    assert (ran.code, ran.err) == (0, "")
    for param in command.params:
        for name in param.opts if param.param_type_name == "option" else ():
            assert name in ran.out
    for door in DOORS:
        assert f"\n  {door} " in ran.out
    for code, meaning in MEANINGS:
        assert f"\n  {int(code):<3}  {meaning}\n" in ran.out


@pytest.mark.parametrize("door", DOORS)
def test_help_of_a_door_begins_with_what_it_does(tagline: Tagline, door: str) -> None:
    ran = tagline.run(door, "--help")

    assert (ran.code, ran.err) == (0, "")
    assert f"\n  tagline {door}" in ran.out
    assert tagline.run("help", door).out == ran.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bogus"], "No such option"),
        (["-p", "--output-format", "xml", "x"], "'xml' is not one of"),
        (["-p", "--max-turns", "0", "x"], "--max-turns"),
        (["-p", "--timeout", "-1", "x"], "--timeout"),
        (["sesions"], "did you mean `tagline sessions`?"),
        (["--continue", "--resume", "x"], "exclude each other"),
        (["-p", "--local", "--script", "x", "y"], "exclude each other"),
        (["-p", "--script", "missing.toml", "x"], "missing.toml"),
        (["--output-format", "json", "x"], "goes with -p"),
        (["-p", "-C", "missing", "x"], "no such folder"),
        (["-p", "--base-url", "http://127.0.0.1:9", "-m", "m", "--dialect", "nope", "x"], "nope"),
        (["-p", "--provider", "nope", "x"], "nope"),
        (["--resume", "nope"], "no session"),
        (["demo", "extra"], "unexpected extra argument"),
        (["blocks", "missing.txt"], "cannot read missing.txt: No such file"),
        (["blocks", "."], "Is a directory"),
        (["compare", "missing.txt"], "cannot read missing.txt"),
        (["exec", "missing.txt"], "cannot read missing.txt"),
        (["sessions", "show", "nope"], "no session"),
        (["sessions", "a", "b", "c"], "expected nothing"),
    ],
)
def test_wrong_usage_is_said_in_words_and_ends_with_2(
    tagline: Tagline, arguments: list[str], words: str
) -> None:
    ran = tagline.run(*arguments)

    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
    assert len(ran.err.splitlines()) <= 3


def test_config_that_does_not_fit_is_said_in_words(tagline: Tagline) -> None:
    place = tagline.home / "config.toml"
    for text in ("[", "bogus = 1", "max_turns = 'x'", "mode = 'fast'"):
        place.write_text(text)
        told = Tagline(tagline.folder, tagline.home, {"TAGLINE_CONFIG": str(place)})
        ran = told.run("-p", "x")

        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("tagline: ")


def test_nothing_configured_says_four_lines_and_offers_the_demo(tagline: Tagline) -> None:
    ran = tagline.run("-p", "x")

    first = ran.err.splitlines()
    assert (ran.code, ran.out) == (2, "")
    assert first[0].startswith("No model is set.")
    assert [line.split()[0] for line in first[1:4]] == ["a", "OpenAI-compatible", "Anthropic"]
    assert first[-1].endswith("tagline demo")
    assert tagline.run().err == ran.err


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_closed_standard_stream_is_no_crash(tagline: Tagline, closed: int) -> None:
    line = " ".join(f"'{part}'" for part in ("blocks", "-"))
    shell = f'exec "$@" {line} {closed}>&-'
    ended = subprocess.run(
        ["sh", "-c", shell, "sh", *argv()],
        input=b"hello",
        env=environment(tagline.home),
        capture_output=True,
        check=False,
    )

    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", [["--help"], ["blocks", "--help"], ["blocks", "big.txt"]])
def test_a_reader_that_goes_away_is_met_quietly(tagline: Tagline, arguments: list[str]) -> None:
    (tagline.folder / "big.txt").write_text("word " * 100_000)
    shell = '"$@" | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}"'
    ended = subprocess.run(
        ["bash", "-c", shell, "bash", *argv(*arguments)],
        cwd=tagline.folder,
        env=environment(tagline.home),
        capture_output=True,
        check=False,
    )

    assert ended.stderr == b""
    assert ended.stdout.strip() in (b"0", b"1")


@pytest.mark.parametrize("floor", ["agent", "parsing", "tools"])
def test_guard_refuses_a_floor_that_lies_elsewhere(tmp_path: Path, floor: str) -> None:
    stranger = tmp_path / floor
    stranger.mkdir()
    (stranger / "__init__.py").write_text("raise SystemExit('the stranger ran')\n")
    paths = f"sys.path[0:1] = [{str(tmp_path)!r}, {str(ROOT)!r}]"
    start = f"import sys; {paths}; from ui.cli import main; sys.exit(main())"
    ended = subprocess.run(
        [sys.executable, "-c", start, "--version"], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"the package `{floor}` was found in" in ended.stderr
    assert str(stranger) in ended.stderr


def test_guard_lets_a_mere_folder_of_that_name_be(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    start = f"import sys; sys.path[0:1] = [{str(tmp_path)!r}, {str(ROOT)!r}]"
    ended = subprocess.run(
        [sys.executable, "-c", f"{start}; from ui.cli import main; sys.exit(main())", "-V"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ended.returncode, ended.stdout) == (0, f"tagline {VERSION}\n")


def test_arguments_that_are_no_unicode_are_met_with_words(tagline: Tagline) -> None:
    odd = tagline.folder / b"odd\xff".decode("utf-8", "surrogateescape")
    odd.mkdir()
    script = write(tagline.home, "s.jsonl", '{"text": "hello"}\n')

    task = tagline.run("-p", "caf\udce9", "--script", script)
    folder = Tagline(odd, tagline.home).run("-p", "hi", "--script", script)

    assert "Traceback" not in task.err + folder.err
    assert 0 not in (task.code, folder.code)  # the script's only turn calls no tool

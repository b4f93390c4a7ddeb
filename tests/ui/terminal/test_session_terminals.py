import re
from pathlib import Path

import pytest

from tests.ui.terminal.tty import QUESTION, script, tagline

DONE = "<attempt_completion>\n<result>\nAll ✓ done, 漢字.\n</result>\n</attempt_completion>\n"
WRITE = "<write_to_file>\n<path>b.py</path>\n<content>\nb = 1\n</content>\n</write_to_file>\n"
EVIL = "\x1b]52;c;ZXZpbA==\x07name\x1b[2J\x1b[10A\x9b31m\x1b]0;t\x07 [red]ok[/red] [/"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (tmp_path / "home").mkdir()
    return place


def test_no_color_means_no_colour(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", "# Head\n" + WRITE, DONE)
    with tagline(folder, "--script", str(scripted), variables={"NO_COLOR": "1"}) as tty:
        tty.until("❯")
        tty.type("go\r")
        tty.until(QUESTION)
        tty.type("y")
        tty.until("✓ Done")
        tty.type("\x04")
        assert tty.ended() == 0
        codes = re.findall(rb"\x1b\[([0-9;]*)m", tty.raw)
        assert set(codes) <= {b"", b"0"}


def test_colour_is_used_where_it_is_wanted(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", WRITE, DONE)
    with tagline(folder, "--script", str(scripted), variables={"NO_COLOR": ""}) as tty:
        tty.until("❯")
        tty.type("go\r")
        tty.until(QUESTION)
        assert re.search(rb"\x1b\[[0-9;]*32m\+ b = 1", tty.raw)


def test_dumb_terminal_gets_no_code_at_all(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", "Hello.\n" + WRITE, WRITE, WRITE, DONE)
    with tagline(folder, "--script", str(scripted), variables={"TERM": "dumb"}) as tty:
        tty.until("tagline 0.1.0", "❯")
        tty.type("go\n")
        tty.until("Hello.", "+ b = 1", QUESTION, "words for a no:")
        tty.type("s\n")
        tty.wait(lambda: tty.page.count("words for a no:") == 2, "asked again")
        tty.type("4\n")
        tty.until("tell the model:")
        tty.type("another name\n")
        tty.wait(lambda: tty.page.count(QUESTION) == 2, "the second question")
        tty.type("please use another name\n")
        tty.wait(lambda: tty.page.count(QUESTION) == 3, "the third question")
        tty.type("y\n")
        tty.until("All ✓ done, 漢字.")
        assert (folder / "b.py").exists()
        tty.type("/quit\n")
        assert tty.ended() == 0
        assert b"\x1b" not in tty.raw


def test_dumb_terminal_can_interrupt_and_leave(folder: Path) -> None:
    stream = {"steps": [{"text": "Here it comes.\nAnd more"}, {"pause": 600.0}]}
    scripted = script(folder.parent / "s.jsonl", stream)
    with tagline(folder, "--script", str(scripted), variables={"TERM": "dumb"}) as tty:
        tty.until("tagline 0.1.0", "❯")
        tty.type("go\n")
        tty.until("Here it comes.")
        tty.type("\x03")
        tty.until("Interrupted; what came is kept.")
        tty.wait(lambda: tty.screen.endswith("❯"), "the prompt")
        tty.type("\x04")
        assert tty.ended() == 0
        assert "To go on: tagline --resume" in tty.page
        assert b"\x1b" not in tty.raw


def test_dumb_terminal_interrupts_at_a_question(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", WRITE, {"text": DONE, "expect": "not run"})
    with tagline(folder, "--script", str(scripted), variables={"TERM": "dumb"}) as tty:
        tty.until("tagline 0.1.0", "❯")
        tty.type("go\n")
        tty.until(QUESTION, "words for a no:")
        tty.type("\x03")
        tty.until("– Write b.py  · not run: interrupted", "Interrupted; what came is kept.")
        tty.wait(lambda: tty.screen.endswith("❯"), "the prompt")
        assert not (folder / "b.py").exists()
        tty.type("go on\n")
        tty.until("✓ Done")


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_locale_that_cannot_show_everything_is_no_crash(folder: Path, locale: str) -> None:
    scripted = script(folder.parent / "s.jsonl", "A heart: ♥.\n" + DONE)
    variables = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    if "8859" in locale:
        variables["PYTHONIOENCODING"] = "latin-1"
    with tagline(folder, "--script", str(scripted), variables=variables) as tty:
        tty.until("\n>")
        tty.type("go\r")
        tty.until("A heart: ", "+ Done", "done, ")
        tty.type("\x04")
        assert tty.ended() == 0


def test_nothing_from_the_model_acts_on_the_terminal(folder: Path) -> None:
    (folder / "evil.txt").write_text(EVIL)
    turns = [
        f"{EVIL}\n\n<read_file>\n<path>{EVIL}</path>\n</read_file>\n",
        f"<write_to_file>\n<path>b.py</path>\n<content>\n{EVIL}\n</content>\n</write_to_file>\n",
        "<execute_command>\n<command>cat evil.txt</command>\n</execute_command>\n",
        f"<attempt_completion>\n<result>\n{EVIL}\n</result>\n</attempt_completion>\n",
    ]
    scripted = script(folder.parent / "s.jsonl", *turns)
    with tagline(folder, "--script", str(scripted), "--yes", columns=200) as tty:
        tty.until("❯")
        tty.type("go\r")
        tty.until("✓ Done")
        tty.type("\x04")
        assert tty.ended() == 0
        for code in (b"\x1b]", b"\x1b[2J", b"\x1b[10A", b"\xc2\x9b", b"\x07"):
            assert code not in tty.raw
        assert tty.page.count("[red]ok[/red] [/") >= 4

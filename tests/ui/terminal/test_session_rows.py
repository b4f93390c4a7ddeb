import re
from pathlib import Path

import pytest

from tests.ui.terminal.tty import QUESTION, script, tagline

DONE = "<attempt_completion>\n<result>\nAll done here.\n</result>\n</attempt_completion>\n"
LONG = "for n in 1 2 3; do echo out-$n; done; : " + "a long comment " * 10


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (tmp_path / "home").mkdir()
    return place


def run(command: str, timeout: str = "") -> str:
    limit = f"<timeout>{timeout}</timeout>\n" if timeout else ""
    return f"<execute_command>\n<command>{command}</command>\n{limit}</execute_command>\n"


@pytest.mark.parametrize("columns", [40, 80])
def test_interrupted_command_keeps_its_output_and_says_so(folder: Path, columns: int) -> None:
    scripted = script(folder.parent / "s.jsonl", run(f"{LONG}; sleep 300"), DONE)
    with tagline(folder, "--script", str(scripted), "--yes", columns=columns) as tty:
        tty.until("❯")
        tty.type("go\r")
        tty.until("  │ out-3")
        tty.type("\x03")
        page = tty.until("· interrupted\n  │ out-1\n  │ out-2\n  │ out-3\n", "Interrupted;")
        row = next(line for line in page.split("\n") if line.endswith("· interrupted"))
        assert row.startswith("– Run for n in 1 2 3")


@pytest.mark.parametrize("columns", [40, 80])
def test_command_that_timed_out_keeps_its_output_and_says_so(folder: Path, columns: int) -> None:
    scripted = script(folder.parent / "s.jsonl", run(f"{LONG}; sleep 300", "1"), DONE)
    with tagline(folder, "--script", str(scripted), "--yes", columns=columns) as tty:
        tty.until("❯")
        tty.type("go\r")
        page = tty.until("✓ Done")
        assert "· timed out\n  │ out-1\n  │ out-2\n  │ out-3\n  │ Timed out: the" in page


@pytest.mark.parametrize(
    "text", ["The beginning", "The beginning.\n", "<read_file>\n<path>a.py</path>\n<"]
)
def test_stream_that_stalls_is_seen_to_be_waited_for(folder: Path, text: str) -> None:
    steps = [{"text": text}, {"pause": 600.0}]
    scripted = script(folder.parent / "s.jsonl", {"steps": steps})
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("go\r")
        tty.until(" waiting for more · 2.", "Ctrl-C interrupts")
        tty.until(" waiting for more · 3.")
        tty.type("\x03")
        tty.until("Interrupted;", gone=["waiting for more"])


def test_failed_edit_shows_the_lines_it_announces(folder: Path) -> None:
    (folder / "a.py").write_text("def one():\n    return 1\n")
    edit = (
        "<replace_in_file>\n<path>a.py</path>\n<diff>\n------- SEARCH\ndef one(x):\n"
        "    return 2\n=======\ny\n+++++++ REPLACE\n</diff>\n</replace_in_file>\n"
    )
    scripted = script(folder.parent / "s.jsonl", edit, DONE)
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("go\r")
        page = tty.until("✗ Edit a.py", "✓ Done")
        assert re.search(r"The closest lines there:\n  │ 1 \| def one\(\):\n", page)


def test_narrow_screen_breaks_between_words(folder: Path) -> None:
    text = "# A heading that is longer than the screen\n\n"
    write = "<write_to_file>\n<path>b.py</path>\n<content>\nb = 1\n</content>\n</write_to_file>\n"
    scripted = script(folder.parent / "s.jsonl", text + write, DONE)
    with tagline(folder, "--script", str(scripted), columns=40, rows=60) as tty:
        tty.until("❯")
        tty.type("/help\r", "/status\r", "go\r")
        page = tty.until(QUESTION)
        for rows in (
            "  /approvals  what is granted for this\n              session; `forget` takes\n",
            "  Ctrl-C             interrupt the\n                     agent, also while\n",
            "  asks     before every edit and every\n           command; reading is free\n",
            "# A heading that is longer than the\n  screen\n",
            "  2    yes, and every edit in this\n       session\n",
            "  4    no, and tell the model what to\n       do instead\n",
        ):
            assert rows in page

import re
import subprocess
from pathlib import Path

import pytest

from tests.ui.terminal.tty import script, tagline

DONE = "<attempt_completion>\n<result>\nAll done here.\n</result>\n</attempt_completion>\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (tmp_path / "home").mkdir()
    return place


def test_first_screen_says_who_where_and_what_is_asked(folder: Path) -> None:
    subprocess.run(["git", "init", "-q", "-b", "topic", "."], cwd=folder, check=True)
    scripted = script(folder.parent / "s.jsonl", DONE)
    with tagline(folder, "--script", str(scripted), columns=200) as tty:
        screen = tty.until("❯", "/help").split("\n")
        assert len(screen) <= 8
        assert screen[0].startswith("tagline 0.1.0")
        assert f"model  a script @ {scripted}" in screen[1]
        assert str(folder) in screen[2]
        assert screen[2].endswith("(topic)")
        assert screen[3] == "  asks   before every edit and every command; reading is free"
        assert screen[4] == "  reads  dialect cline · mode reparse"
        assert screen[-1] == "a script · cline · reparse · ask · topic"
        tty.type("\x04")
        assert tty.ended() == 0


def test_nothing_configured_says_what_to_set_and_offers_the_demo(folder: Path) -> None:
    with tagline(folder, columns=200) as tty:
        assert tty.ended() == 2
        assert "tagline --base-url" in tty.page
        assert "tagline demo" in tty.page


def test_answer_streams_and_the_reasoning_before_it(folder: Path) -> None:
    steps = [
        {"reasoning": "First I think.\n"},
        {"text": "Here is the beg"},
        {"pause": 600.0},
        {"text": "inning."},
    ]
    scripted = script(folder.parent / "s.jsonl", {"steps": steps}, cuts=3)
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("go\r")
        page = tty.until("❯ go", "  First I think.", "Here is the beg")
        assert page.index("First I think.") < page.index("Here is the beg")
        tty.type("\x03")
        tty.until("Interrupted; what came is kept.")
        assert "Here is the beg" in tty.page


def test_task_of_the_command_line_runs_and_ends_with_a_hint(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", "Looking.\n" + DONE)
    with tagline(folder, "--script", str(scripted), "do", "it") as tty:
        tty.until("❯ do it", "Looking.", "✓ Done", "All done here.")
        tty.type("\x04")
        assert tty.ended() == 0
        assert "To go on: tagline --resume " in tty.page


def test_lines_are_written_with_ctrl_j_and_sent_with_enter(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", {"text": DONE, "expect": "(?s)one.two.three"})
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("one", "\n", "two", "\x1b\r", "three")
        tty.until("❯ one\n  two\n  three")
        tty.type("\r")
        tty.until("❯ one\n  two\n  three", "✓ Done")


def test_paste_of_many_lines_is_one_message_and_is_not_sent(folder: Path) -> None:
    lines = [f"pasted line {number}" for number in range(1, 201)]
    expect = "(?s)pasted line 1.*pasted line 200"
    scripted = script(folder.parent / "s.jsonl", {"text": DONE, "expect": expect})
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("\x1b[200~" + "\n".join(lines) + "\n\x1b[201~")
        tty.until("pasted line 200")
        assert "waiting" not in tty.page
        tty.type("\r")
        tty.until("✓ Done", *lines)


def test_message_typed_while_the_agent_works_waits_its_turn(folder: Path) -> None:
    steps = [{"text": "Working on it.\n"}, {"pause": 1.0}, {"text": DONE}]
    then = {"text": "Then this.\n" + DONE, "expect": "and then this"}
    scripted = script(folder.parent / "s.jsonl", {"steps": steps}, then)
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("go\r")
        tty.until("Working on it")
        tty.type("and then this\r", "a draft")
        tty.until("queued: and then this", "❯ a draft")
        page = tty.until("❯ and then this", "Then this.", gone=["queued:"])
        assert page.index("✓ Done") < page.index("❯ and then this")
        tty.until("❯ a draft")


def test_message_that_waits_comes_back_to_the_prompt_after_an_interrupt(folder: Path) -> None:
    steps = [{"text": "Working on it.\n"}, {"pause": 600.0}]
    scripted = script(folder.parent / "s.jsonl", {"steps": steps})
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("go\r")
        tty.until("Working on it")
        tty.type("and then this\r", "a draft")
        tty.until("queued: and then this", "❯ a draft")
        tty.type("\x03")
        tty.until("Interrupted", "❯ and then this\n  a draft", gone=["queued:"])


def test_history_is_kept_between_sessions_and_can_be_searched(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", DONE)
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("mend the parser\r")
        tty.until("✓ Done")
        tty.type("\x04")
        assert tty.ended() == 0
    assert (folder.parent / "state" / "history").stat().st_mode & 0o077 == 0
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("\x12", "pars")
        tty.until("mend the parser")
        tty.type("\r")
        tty.until("❯ mend the parser")


def test_commands_are_completed_and_run(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", DONE)
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("/")
        tty.until("/help", "/approvals", "commands and keys")
        tty.type("he", "\t")
        tty.until("❯ /help")
        tty.type("\r")
        tty.until("/quit", "Ctrl-R", "search it")
        tty.type("/quit\r")
        assert tty.ended() == 0


@pytest.mark.parametrize("columns", [40, 200])
def test_page_fits_narrow_and_wide_screens(folder: Path, columns: int) -> None:
    (folder / "a.py").write_text("x = 1\n")
    text = (
        "Some prose that is a good deal longer than forty cells are, 漢字も含む。\n\n"
        "<read_file>\n<path>a.py</path>\n</read_file>\n"
    )
    scripted = script(folder.parent / "s.jsonl", text, DONE)
    with tagline(folder, "--script", str(scripted), columns=columns) as tty:
        tty.until("❯")
        tty.type("go\r")
        tty.until("✓ Read a.py", "✓ Done", "漢字も含む。" if columns == 200 else "forty cells")
        assert all(len(line) < columns for line in tty.screen.split("\n")[6:])


BEGUN = r"The beg\n(. waiting for more · [0-9.]+ s.*\n)?\n❯ x"


def test_resize_in_mid_stream_does_not_garble_the_page(folder: Path) -> None:
    steps = [{"text": "The first line.\nThe beg"}, {"pause": 600.0}]
    scripted = script(folder.parent / "s.jsonl", {"steps": steps})
    with tagline(folder, "--script", str(scripted), columns=100) as tty:
        tty.until("❯")
        tty.type("go\r")
        tty.until("The first line.", "The beg")
        for rows, columns in ((24, 60), (40, 120), (12, 50)):
            tty.resize(rows, columns)
            tty.type("x")
            tty.wait(lambda: re.search(BEGUN, tty.screen) is not None, "the prompt below")
            tty.type("\x7f")
            tty.until("❯", gone=["❯ x"])
        assert tty.screen.count("The beg") == 1
        assert tty.screen.count("❯ go") <= 1
        assert tty.screen.split("\n")[-1].startswith("a script")

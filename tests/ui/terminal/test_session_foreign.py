from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.terminal.tty import Tty, script, tagline

DONE = "<attempt_completion>\n<result>\nAll done here.\n</result>\n</attempt_completion>\n"
CALL = (
    "I write it.\n<tool_call>\n"
    '{"name": "write_to_file", "arguments": {"path": "a.py", "content": "x = 1\\n\\ty\\n"}}\n'
    "</tool_call>"
)
OFFER = (
    "! written in the dialect hermes, not in cline\n• Write\n  path: a.py\n"
    "  content: x = 1\n        y\n"
)
TITLE = "? Take this as a call?"
ANSWERS = "  1 y  yes, once\n  2 n  no\n  3    no, and tell the model what to do instead\n"
SAID = "the dialect here is `cline`. Nothing was run."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    place = tmp_path / "work"
    place.mkdir()
    return place


def offered(tty: Tty) -> str:
    tty.until("❯")
    tty.type("write it\r")
    return tty.until(TITLE, "1 y  yes, once")


def test_offer_shows_the_call_and_a_yes_leads_to_the_usual_question(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", CALL, {"text": DONE, "expect": "was taken as"})
    with tagline(folder, "--script", str(scripted)) as tty:
        page = offered(tty)
        assert OFFER in page
        assert ANSWERS in page
        tty.type("\r")
        tty.type("y")
        tty.until("Make this change?", "every edit in this session", gone=[TITLE])
        assert not (folder / "a.py").exists()
        tty.type("y")
        tty.until("✓ Write a.py", "✓ Done")
        assert (folder / "a.py").read_text() == "x = 1\n\ty\n"


@pytest.mark.parametrize("key", ["n", "2", "\x1b"])
def test_offer_that_is_not_taken_runs_nothing(folder: Path, key: str) -> None:
    scripted = script(folder.parent / "s.jsonl", CALL, {"text": DONE, "expect": SAID})
    with tagline(folder, "--script", str(scripted)) as tty:
        offered(tty)
        tty.type(key)
        page = tty.until("you did not take it", "✓ Done")
        assert "Make this change?" not in page
        assert not (folder / "a.py").exists()


def test_offer_is_asked_also_where_all_is_allowed(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", CALL, DONE)
    with tagline(folder, "--script", str(scripted), "--yes") as tty:
        offered(tty)
        assert not (folder / "a.py").exists()
        tty.type("y")
        tty.until("✓ Write a.py", "✓ Done")


def test_words_go_to_the_model_instead_of_the_call(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", CALL, {"text": DONE, "expect": "write b.py"})
    with tagline(folder, "--script", str(scripted)) as tty:
        offered(tty)
        tty.type("3")
        tty.until("tell the model ❯")
        tty.type("write b.py\r")
        tty.until("✓ Done")
        assert not (folder / "a.py").exists()


def test_keys_typed_ahead_do_not_take_an_offer(folder: Path) -> None:
    steps = [{"text": CALL[:20]}, {"pause": 0.3}, {"text": CALL[20:]}]
    scripted = script(folder.parent / "s.jsonl", {"steps": steps}, DONE)
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("write it\r")
        tty.until("I write it.")
        tty.wait(lambda: typed_ahead(tty), "the question")
        tty.type("y", "1", "\r")
        tty.until("1 y  yes, once")
        assert "Make this change?" not in tty.page
        tty.type("n")
        tty.until("you did not take it", gone=[TITLE])
        assert not (folder / "a.py").exists()


def typed_ahead(tty: Tty) -> bool:
    """Claim that the question is there; until then, write on."""
    if TITLE in tty.page:
        return True
    tty.type("y")
    return False


def test_interrupt_at_an_offer_is_a_no(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", CALL, DONE)
    with tagline(folder, "--script", str(scripted)) as tty:
        offered(tty)
        tty.type("\x03")
        tty.until("nterrupted", gone=[TITLE])
        assert not (folder / "a.py").exists()


@pytest.mark.parametrize(("policy", "there"), [("accept", True), ("refuse", False)])
def test_setting_answers_instead_of_the_person(folder: Path, policy: str, *, there: bool) -> None:
    scripted = script(folder.parent / "s.jsonl", CALL, DONE)
    with tagline(folder, "--script", str(scripted), "--yes", "--foreign-calls", policy) as tty:
        tty.until("❯")
        tty.type("write it\r")
        page = tty.until("✓ Done")
        assert TITLE not in page
        assert (folder / "a.py").exists() is there


def test_dumb_terminal_asks_the_same(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", CALL, DONE)
    with tagline(folder, "--script", str(scripted), "--yes", variables={"TERM": "dumb"}) as tty:
        tty.until("❯")
        tty.type("write it\r")
        page = tty.until(TITLE, "words for a no:")
        assert OFFER in page
        tty.type("y\r")
        tty.until("✓ Write a.py")
        assert (folder / "a.py").exists()

from pathlib import Path

import pytest

from tests.ui.terminal.tty import QUESTION, Tty, Turn, script, tagline

DONE = "<attempt_completion>\n<result>\nAll done here.\n</result>\n</attempt_completion>\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (tmp_path / "home").mkdir()
    return place


def write(name: str) -> str:
    return f"<write_to_file>\n<path>{name}</path>\n<content>\nx = 1\n</content>\n</write_to_file>\n"


def asked(tty: Tty, name: str = "a.py") -> None:
    tty.until("❯")
    tty.type("write\r")
    tty.until(f"• Write {name}", QUESTION)


@pytest.mark.parametrize(
    "words", ["please", "yes please", "s", "stop", "you should not", "2 is wrong", "no, use b.py"]
)
def test_words_are_no_consent_and_go_to_the_model(folder: Path, words: str) -> None:
    turns: list[Turn] = [write("a.py"), {"text": write("b.py"), "expect": words}, DONE]
    scripted = script(folder.parent / "s.jsonl", *turns)
    with tagline(folder, "--script", str(scripted)) as tty:
        asked(tty)
        tty.type(*words)
        tty.until(f"tell the model ❯ {words}", "Enter: no, with these words")
        assert not (folder / "a.py").exists()
        tty.type("\r")
        tty.until(f"tell the model ❯ {words}", "– Write a.py  · refused", "• Write b.py", QUESTION)
        assert not (folder / "a.py").exists()
        assert not (folder / "b.py").exists()


def test_words_that_came_in_one_go_with_enter_are_sent_as_a_no(folder: Path) -> None:
    turns: list[Turn] = [write("a.py"), {"text": DONE, "expect": "please do"}]
    with tagline(folder, "--script", str(script(folder.parent / "s.jsonl", *turns))) as tty:
        asked(tty)
        tty.type("please do\r")
        tty.until("tell the model ❯ please do", "– Write a.py  · refused", "✓ Done")
        assert not (folder / "a.py").exists()


@pytest.mark.parametrize(
    ("words", "sends", "done"), [("yes", "yes, once", True), ("No", "no ·", False)]
)
def test_yes_or_no_in_full_is_what_it_says(
    folder: Path, words: str, sends: str, *, done: bool
) -> None:
    turns: list[Turn] = [write("a.py"), write("b.py"), DONE]
    with tagline(folder, "--script", str(script(folder.parent / "s.jsonl", *turns))) as tty:
        asked(tty)
        tty.type(*words)
        tty.until(f"tell the model ❯ {words}", f"Enter: {sends}")
        assert not (folder / "a.py").exists()
        tty.type("\r")
        tty.until("• Write b.py", QUESTION)
        assert (folder / "a.py").exists() is done


def test_words_can_be_cleared_and_then_letters_do_not_answer(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", write("a.py"), DONE)
    with tagline(folder, "--script", str(scripted)) as tty:
        asked(tty)
        tty.type("pleas", "e")
        tty.until("tell the model ❯ please")
        tty.type("\x1b")
        tty.until("  1    yes, once", gone=["tell the model ❯", QUESTION])
        tty.type("y")
        tty.until("tell the model ❯ y")
        tty.type("\x1b")
        tty.until("  1    yes, once", gone=["tell the model ❯"])
        assert not (folder / "a.py").exists()
        tty.type("1")
        tty.until("✓ Write a.py", "✓ Done")
        assert (folder / "a.py").exists()


def test_pasted_words_are_shown_and_sent_as_a_no(folder: Path) -> None:
    turns: list[Turn] = [write("a.py"), {"text": DONE, "expect": "(?s)yes.*one"}]
    with tagline(folder, "--script", str(script(folder.parent / "s.jsonl", *turns))) as tty:
        asked(tty)
        tty.type("\x1b[200~yes\none\x1b[201~")
        tty.until("tell the model ❯ yes")
        assert not (folder / "a.py").exists()
        tty.type("\r")
        tty.until("– Write a.py  · refused", "✓ Done")


def test_draft_comes_back_after_words(folder: Path) -> None:
    steps = [{"text": "Wait.\n"}, {"pause": 1.0}, {"text": write("a.py")}]
    scripted = script(folder.parent / "s.jsonl", {"steps": steps}, {"text": DONE})
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("write\r")
        tty.until("Wait.")
        tty.type("a draft")
        tty.until("❯ a draft")
        tty.until(QUESTION)
        tty.type("xx")
        tty.until("tell the model ❯ xx")
        tty.type("\r")
        tty.until("✓ Done", "❯ a draft", gone=["tell the model ❯ a"])


@pytest.mark.parametrize("before", ["", "please"])
def test_ctrl_c_at_a_question_interrupts_the_agent(folder: Path, before: str) -> None:
    turns: list[Turn] = [
        write("a.py") + write("b.py"),
        {"text": DONE, "expect": "(?s)not run.*go on"},
    ]
    with tagline(folder, "--script", str(script(folder.parent / "s.jsonl", *turns))) as tty:
        asked(tty)
        assert "Esc: no · Ctrl-C: interrupt" in tty.page
        if before:
            tty.type(before)
            tty.until(f"tell the model ❯ {before}")
        tty.type("\x03")
        tty.until(
            "– Write a.py  · not run: interrupted",
            "Interrupted; what came is kept. Say what to do next.",
            gone=["Make this change?", "tell the model ❯"],
        )
        assert "✓ Done" not in tty.page
        assert not (folder / "a.py").exists()
        tty.type("go on\r")
        tty.until("✓ Done")


def test_escape_at_a_question_is_a_no_and_the_agent_goes_on(folder: Path) -> None:
    turns: list[Turn] = [write("a.py"), {"text": DONE, "expect": "refused"}]
    with tagline(folder, "--script", str(script(folder.parent / "s.jsonl", *turns))) as tty:
        asked(tty)
        tty.type("\x1b")
        tty.until("– Write a.py  · refused", "✓ Done")


def test_secret_file_is_asked_about_each_time(folder: Path) -> None:
    (folder / ".env").write_text("KEY=1\n")
    read = "<read_file>\n<path>.env</path>\n</read_file>\n"
    scripted = script(folder.parent / "s.jsonl", read, DONE)
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("go\r")
        page = tty.until("Allow read_file?", QUESTION)
        assert "in this session" not in page
        assert "  2 n  no\n  3    no, and tell the model what to do instead" in page
        tty.type("1")
        tty.until("✓ Read .env", "✓ Done")

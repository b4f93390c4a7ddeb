import os
from pathlib import Path

import pytest

from tests.ui.terminal.tty import QUESTION, Tty, Turn, script, tagline

DONE = "<attempt_completion>\n<result>\nAll done here.\n</result>\n</attempt_completion>\n"
EDIT = """I mend it.

<replace_in_file>
<path>calc.py</path>
<diff>
------- SEARCH
    return a - b
=======
    return a + b
+++++++ REPLACE
</diff>
</replace_in_file>
"""
BEFORE, AFTER = "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (tmp_path / "home").mkdir()
    (place / "calc.py").write_text(BEFORE)
    return place


def read_then_edit(expect: str = ".") -> list[Turn]:
    look = "<read_file>\n<path>calc.py</path>\n</read_file>\n"
    return [look, EDIT, {"text": DONE, "expect": expect}]


def run(command: str) -> str:
    return (
        f"<execute_command>\n<command>{command}</command>\n"
        "<requires_approval>false</requires_approval>\n</execute_command>\n"
    )


def asked(tty: Tty) -> str:
    tty.until("❯")
    tty.type("mend it\r")
    return tty.until("Make this change?", QUESTION)


def test_diff_is_shown_before_an_edit_is_approved(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", *read_then_edit())
    with tagline(folder, "--script", str(scripted)) as tty:
        page = asked(tty)
        for line in (
            "• Edit calc.py",
            "      1   def add(a, b):",
            "      2 -     return a - b",
            "      2 +     return a + b",
            "  1 y  yes, once",
            "  2 s  yes, and all edits in this folder for the rest of this session",
            "  3 n  no",
            "  4 t  no, and tell the model what to do instead",
        ):
            assert line in page.split("\n")
        assert (folder / "calc.py").read_text() == BEFORE


@pytest.mark.parametrize("keys", ["y", "1", "s", "2", "\x1b[B\r"])
def test_edit_is_made_after_a_yes(folder: Path, keys: str) -> None:
    scripted = script(folder.parent / "s.jsonl", *read_then_edit("(?s)replace_in_file"))
    with tagline(folder, "--script", str(scripted)) as tty:
        asked(tty)
        tty.type(keys)
        tty.until("✓ Edit  · +1 −1", "✓ Done", gone=[QUESTION])
        assert (folder / "calc.py").read_text() == AFTER


@pytest.mark.parametrize("keys", ["n", "3", "\x03", "\x04", "\x1b"])
def test_edit_is_not_made_after_a_no(folder: Path, keys: str) -> None:
    scripted = script(folder.parent / "s.jsonl", *read_then_edit())
    with tagline(folder, "--script", str(scripted)) as tty:
        asked(tty)
        tty.type(keys)
        tty.until("– Edit  · refused", gone=[QUESTION])
        assert (folder / "calc.py").read_text() == BEFORE


@pytest.mark.parametrize("keys", ["x", "\r", " ", "\x1b[200~y\x1b[201~"])
def test_edit_waits_when_the_key_is_no_answer(folder: Path, keys: str) -> None:
    scripted = script(folder.parent / "s.jsonl", *read_then_edit())
    with tagline(folder, "--script", str(scripted)) as tty:
        asked(tty)
        tty.type(keys, "n")
        tty.until("– Edit  · refused", gone=[QUESTION])
        assert (folder / "calc.py").read_text() == BEFORE


def test_words_of_a_refusal_go_to_the_model(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", *read_then_edit("use math.fsum, 漢字"))
    with tagline(folder, "--script", str(scripted)) as tty:
        asked(tty)
        tty.type("t")
        tty.until("tell the model ❯")
        tty.type("use math.fsum, 漢字\r")
        tty.until("– Edit  · refused", "✓ Done")
        assert (folder / "calc.py").read_text() == BEFORE


def test_keys_typed_ahead_do_not_answer(folder: Path) -> None:
    steps = [{"text": EDIT[:20]}, {"pause": 0.3}, {"text": EDIT[20:]}]
    turns = read_then_edit()
    turns[1] = {"steps": steps}
    scripted = script(folder.parent / "s.jsonl", *turns)
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("mend it\r")
        tty.until("✓ Read calc.py")
        while "Make this change?" not in tty.page:
            tty.type("y")
            tty.wait(lambda: True, "")
            tty.until("❯")
        tty.type("y", "1", "\r")
        tty.until(QUESTION)
        assert (folder / "calc.py").read_text() == BEFORE
        tty.type("n")
        tty.until("– Edit  · refused", gone=[QUESTION])


def test_session_grant_covers_the_next_edit(folder: Path) -> None:
    write = "<write_to_file>\n<path>b.py</path>\n<content>\nb = 1\n</content>\n</write_to_file>\n"
    turns = [*read_then_edit()[:2], write, DONE]
    scripted = script(folder.parent / "s.jsonl", *turns)
    with tagline(folder, "--script", str(scripted)) as tty:
        asked(tty)
        tty.type("s")
        page = tty.until("✓ Done", "✓ Write b.py")
        assert page.count("Make this change?") == 0
        assert "      1 + b = 1" in page
        assert (folder / "b.py").read_text().strip() == "b = 1"


def test_whole_command_is_shown_and_its_output_while_it_runs(folder: Path) -> None:
    lines = "for n in 1 2 3 4 5 6 7; do echo out-$n; done"
    command = f"{lines}\nread -r x < gate\necho the end {'long ' * 40}"
    os.mkfifo(folder / "gate")
    scripted = script(folder.parent / "s.jsonl", run(command), DONE)
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("run it\r")
        page = tty.until("Run this command?", QUESTION)
        assert f"  $ {lines}" in page
        assert "  > read -r x < gate" in page
        assert page.replace("\n", "").count("long ") == 40
        assert "out-1" not in page.split("\n")
        tty.type("y")
        page = tty.until("  │ out-3", "  │ out-7")
        assert "  │ out-2" not in page
        (folder / "gate").write_text("go\n")
        tty.until("✓ Run", "  │ the end", "✓ Done")


def test_question_of_the_model_is_answered_by_number_or_words(folder: Path) -> None:
    ask = (
        "<ask_followup_question>\n<question>Which [one]?</question>\n"
        '<options>["the first", "the second"]</options>\n</ask_followup_question>\n'
    )
    turns: list[Turn] = [
        ask,
        {"text": ask, "expect": "the second"},
        {"text": DONE, "expect": "neither of"},
    ]
    scripted = script(folder.parent / "s.jsonl", *turns)
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("ask me\r")
        tty.until("? Which [one]?", "  1 the first", "  2 the second", "answer ❯")
        tty.type("2\r")
        tty.wait(lambda: tty.page.count("? Which") == 2, "the second question")
        tty.wait(lambda: tty.screen.split("\n")[-2].startswith("answer ❯"), "the prompt")
        tty.type("neither of them\r")
        tty.until("answer ❯ 2", "answer ❯ neither of them", "✓ Done")

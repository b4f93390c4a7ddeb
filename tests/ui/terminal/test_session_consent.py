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
            "  2    yes, and every edit in this session",
            "  3 n  no",
            "  4    no, and tell the model what to do instead",
            "  other words: no, with them · Esc: no · Ctrl-C: interrupt",
        ):
            assert line in page.split("\n")
        assert (folder / "calc.py").read_text() == BEFORE


def write(name: str) -> str:
    return f"<write_to_file>\n<path>{name}</path>\n<content>\nx = 1\n</content>\n</write_to_file>\n"


def test_each_yes_is_a_yes_and_the_session_is_not_asked_again(folder: Path) -> None:
    names = [f"n{number}.py" for number in range(6)]
    scripted = script(folder.parent / "s.jsonl", *map(write, names), DONE)
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("write\r")
        for name, keys in zip(names, ("y", "1", "Y", "\x1b[B\r", "2"), strict=False):
            tty.until(f"• Write {name}", QUESTION)
            assert not (folder / name).exists()
            tty.type(keys)
            tty.until(gone=[QUESTION])
            tty.wait((folder / name).exists, f"{name} is written")
        page = tty.until("✓ Done")
        assert "• Write n5.py" not in page
        assert "✓ Write n5.py  · +1 −0\n      1 + x = 1" in page


def test_each_no_is_a_no_and_other_keys_are_no_answer(folder: Path) -> None:
    names = [f"n{number}.py" for number in range(4)]
    scripted = script(folder.parent / "s.jsonl", *map(write, names), DONE)
    with tagline(folder, "--script", str(scripted)) as tty:
        tty.until("❯")
        tty.type("write\r")
        for name, keys in zip(names, ("n", "3", "\x04", "\x1b"), strict=True):
            tty.until(f"• Write {name}", QUESTION)
            tty.type(*("\r" if keys == "n" else "\r \t"), keys)
            tty.until(f"{name}\n      1 + x = 1\n– Write {name}  · refused")
        tty.until("✓ Done")
        assert not any((folder / name).exists() for name in names)


def test_words_of_a_refusal_go_to_the_model(folder: Path) -> None:
    scripted = script(folder.parent / "s.jsonl", *read_then_edit("use math.fsum, 漢字"))
    with tagline(folder, "--script", str(scripted)) as tty:
        asked(tty)
        tty.type("4")
        tty.until("tell the model ❯")
        tty.type("use math.fsum, 漢字\r")
        tty.until("– Edit calc.py  · refused", "✓ Done")
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
        tty.wait(lambda: typed_ahead(tty), "the question")
        tty.type("y", "1", "\r")
        tty.until(QUESTION)
        assert (folder / "calc.py").read_text() == BEFORE
        tty.type("n")
        tty.until("– Edit calc.py  · refused", gone=[QUESTION])


def typed_ahead(tty: Tty) -> bool:
    """Claim that the question is there; until then, write on."""
    if "Make this change?" in tty.page:
        return True
    tty.type("y")
    return False


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
        assert page.replace("\n", "").count("long ") >= 39
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

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest

import parsing
from agent.environment import environment_text
from agent.prompt import COMPACT_BYTES, FULL_BYTES, system_prompt
from agent.results import COMPLETION, FENCED, FOREIGN, NO_TOOL, fenced_texts, nudge
from agent.speech import Speech
from parsing import TextBlock, ToolUse
from tools import default_tools

SPECS = default_tools().specs


def crowded(root: Path) -> Path:
    for number in range(60):
        folder = root / f"folder-with-a-long-name-{number:03}"
        folder.mkdir()
        (folder / ("file-" + "x" * 180)).touch()
    return root


@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize(("compact", "most"), [(False, FULL_BYTES), (True, COMPACT_BYTES)])
def test_prompt_stays_small_with_all_tools(
    tmp_path: Path, compact: bool, most: int, several: bool
) -> None:
    dialect = parsing.dialect("cline").shape
    told = system_prompt(dialect, SPECS, crowded(tmp_path), several=several, compact=compact)

    assert len(SPECS) == 9
    assert len(told.encode()) <= most
    assert (most, compact) in ((12_288, False), (6_144, True))
    assert [spec.name for spec in SPECS if f"<{spec.name}>" not in told] == []
    assert ("one call per message" in told) is not several


@pytest.mark.parametrize("compact", [False, True])
def test_prompt_shows_calls_that_parse(tmp_path: Path, compact: bool) -> None:
    told = Speech("cline", SPECS).prompt(tmp_path, several=True, compact=compact)

    uses = [b for b in parsing.parse(told, "cline", SPECS) if isinstance(b, ToolUse)]
    for text in fenced_texts([TextBlock(told)]):
        uses += [b for b in parsing.parse(text, "cline", SPECS) if isinstance(b, ToolUse)]
    assert {use.name for use in uses} == {spec.name for spec in SPECS}
    assert [use for use in uses if use.partial or use.fault or use.repaired] == []
    required = {s.name: {p.name for p in s.params.values() if p.required} for s in SPECS}
    assert [use.name for use in uses if not required[use.name] <= set(use.params)] == []


def test_prompt_names_the_tool_that_ends_a_task() -> None:
    assert COMPLETION in {spec.name for spec in SPECS}


def test_environment_tells_folder_day_and_top_names_first(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "deep.py").touch()
    (tmp_path / "zebra.py").touch()
    (tmp_path / ".git").mkdir()
    (tmp_path / "node_modules").mkdir()

    told = environment_text(tmp_path, today=date(2031, 2, 3))

    assert f"Workspace: {tmp_path} " in told
    assert "Date: 2031-02-03" in told
    assert told.endswith("src/\nzebra.py\nsrc/deep.py")


def test_environment_says_that_there_is_more(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"f{number}").touch()

    assert environment_text(tmp_path, most=3).endswith("f2\n(more; use list_files)")
    assert environment_text(tmp_path, most=5).endswith("f4")
    (tmp_path / "none").mkdir()
    assert "(empty)" in environment_text(tmp_path / "none")


def test_nudge_shows_a_call_that_parses() -> None:
    speech = Speech("cline", SPECS)

    found = parsing.parse(nudge(speech.example), "cline", SPECS)

    assert [b.params for b in found if isinstance(b, ToolUse)] == [{"path": "src/main.py"}]


@pytest.mark.parametrize(
    ("text", "fenced"),
    [
        ("a\n```\nx\n```\nb", ("x\n",)),
        ("~~~~xml\n```\n~~~~", ("```\n",)),
        ("```\nopen", ()),
        ("no fence `x`", ()),
    ],
)
def test_fenced_texts_gives_what_stands_in_fences(text: str, fenced: tuple[str, ...]) -> None:
    assert fenced_texts([TextBlock(text)]) == fenced


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("I will read the file next.", NO_TOOL),
        ("The <read_file> tool would help, and write_to_file too.", NO_TOOL),
        ("```xml\n<read_file>\n<path>a</path>\n</read_file>\n```", FENCED),
        ('{"name": "read_file", "arguments": {"path": "a"}}', FOREIGN),
        ('```json\n{"tool": "read_file", "path": "a"}\n```', FOREIGN),
        ('<tool_call>\n{"name": "read_file"}', FOREIGN),
        ('<invoke name="read_file"><parameter name="path">a</parameter></invoke>', FOREIGN),
        ("[TOOL_CALL] read a", FOREIGN),
        ("read_file(path='a')", FOREIGN),
        ("Now:\n<Read_File>\n<path>a</path>", FOREIGN),
    ],
)
def test_speech_says_what_is_wrong_with_a_message_without_a_call(text: str, slip: str) -> None:
    assert Speech("cline", SPECS).slip([TextBlock(text)]) == slip


def test_environment_shows_names_that_no_text_can_hold(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.txt")).touch()
    (tmp_path / "two\nlines").touch()
    (tmp_path / "naïve　名.py").touch()

    told = environment_text(tmp_path)

    assert told.splitlines()[-3:] == ["caf\ufffd.txt", "naïve　名.py", "two\ufffdlines"]
    assert told.encode()

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest

import parsing
from agent.events import BlockClosed, CallFinished, Diverged
from agent.prompt import COMPACT_BYTES, FULL_BYTES
from agent.speech import Speech
from parsing import Mode, Options, TextBlock, ToolUse
from tests.agent.play import Play, well_formed
from tools import default_tools

SPECS = default_tools().specs
FIRST = (
    *("cline", "cline-v2", "claude_xml", "hermes", "qwen3", "qwen3_coder", "harmony", "glm45"),
    *("glm47", "deepseek_v3", "deepseek_v31", "deepseek_r1", "deepseek_v32", "deepseek_v4"),
    *("deepseek_v41", "kimi_k2", "minimax_m2", "llama3_json", "pythonic", "mistral"),
    *("mistral_v11", "gemma4", "gemma", "internlm", "fenced_json"),
)
BEFORE = "def add(a, b):\n    return a - b  # \"wrong\" & 'odd'\n"
AFTER = "def add(a, b):\n    return a + b  # right: <b>\n"
DIFF = (
    "------- SEARCH\n    return a - b  # \"wrong\" & 'odd'\n=======\n"
    "    return a + b  # right: <b>\n+++++++ REPLACE"
)
STEPS: tuple[tuple[str, tuple[tuple[str, dict[str, Any]], ...]], ...] = (
    ("I look.", (("read_file", {"path": "calc.py", "start_line": 1, "end_line": 2}),)),
    ("I mend it.", (("replace_in_file", {"path": "calc.py", "diff": DIFF}),)),
    (
        "I write a check and run it.",
        (
            ("write_to_file", {"path": "check.py", "content": "import calc\n\nprint('ok')\n"}),
            ("execute_command", {"command": "python3 -B check.py"}),
        ),
    ),
    ("Done.", (("attempt_completion", {"result": "It adds."}),)),
)


def turns(name: str) -> list[str]:
    shape = parsing.dialect(name).shape
    closed = "</think>\n" if name == "deepseek_r1" else ""
    return [f"{closed}{text}\n{shape.spell_all(calls)}" for text, calls in STEPS]


@pytest.mark.parametrize("mode", get_args(Mode))
@pytest.mark.parametrize("name", FIRST)
def test_agent_does_the_same_task_in_every_dialect(tmp_path: Path, name: str, mode: Mode) -> None:
    (tmp_path / "calc.py").write_text(BEFORE)
    play = Play(tmp_path, turns(name), dialect=name, mode=mode, cuts=5)

    end = play.run("Mend add.")

    assert (end.status, end.result) == ("completed", "It adds.")
    assert (tmp_path / "calc.py").read_text() == AFTER
    assert (tmp_path / "check.py").read_text() == "import calc\n\nprint('ok')\n"
    finished = [e for e in play.told(CallFinished) if isinstance(e, CallFinished)]
    assert [e.use.name for e in finished] == [call for _, calls in STEPS for call, _ in calls]
    assert [e.use.repaired for e in finished if e.use.repaired] == []
    assert "ok" in play.last_words
    closed = [e.block for e in play.told(BlockClosed) if isinstance(e, BlockClosed)]
    said = [block.content for block in closed if isinstance(block, TextBlock)]
    assert said == [text for text, _ in STEPS]
    assert play.told(Diverged) == []
    assert well_formed(play.history)


def test_agent_writes_json_content_to_the_byte(tmp_path: Path) -> None:
    shape = parsing.dialect("hermes").shape
    call = shape.spell("write_to_file", {"path": "a", "content": "x"})
    done = shape.spell("attempt_completion", {"result": "ok"})
    play = Play(tmp_path, [call, done], dialect="hermes")

    play.run()

    assert (tmp_path / "a").read_text() == "x"


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("name", FIRST)
def test_prompt_fits_every_dialect(tmp_path: Path, name: str, compact: bool) -> None:
    speech = Speech(name, SPECS)
    told = speech.prompt(tmp_path, several=True, compact=compact)

    assert len(told.encode()) <= (COMPACT_BYTES if compact else FULL_BYTES)
    assert [spec.name for spec in SPECS if spec.name not in told] == []
    found = parsing.parse(speech.example, name, SPECS, options=Options(starts_in_reasoning=False))
    assert [(b.name, b.params) for b in found if isinstance(b, ToolUse)] == [
        ("read_file", {"path": "src/main.py"})
    ]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cline", "without escapes"),
        ("qwen3_coder", "without escapes"),
        ("hermes", "as one JSON string with its escapes"),
        ("harmony", "as one JSON string with its escapes"),
        ("kimi_k2", "as one JSON string with its escapes"),
        ("pythonic", "as one Python string with its escapes"),
    ],
)
def test_prompt_says_how_contents_are_written(tmp_path: Path, name: str, words: str) -> None:
    told = Speech(name, SPECS).prompt(tmp_path, several=True, compact=False)

    assert f"without a code fence around them, {words}," in told


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cline", "A call inside a Markdown code fence is an example and is not run."),
        ("hermes", "Whatever has the form of a call is run, in a fence too"),
        ("fenced_json", "Whatever has the form of a call is run, in a fence too"),
    ],
)
def test_prompt_says_what_a_fence_means(tmp_path: Path, name: str, words: str) -> None:
    assert words in Speech(name, SPECS).prompt(tmp_path, several=True, compact=False)


@pytest.mark.parametrize(
    ("name", "result"),
    [
        ("cline", "[read_file for 'a'] Result:\nx"),
        ("pythonic", "[read_file for 'a'] Result:\nx"),
        ("hermes", "<tool_response>\n[read_file for 'a'] Result:\nx\n</tool_response>"),
        (
            "harmony",
            "<|start|>functions.read_file to=assistant<|channel|>commentary<|message|>x<|end|>",
        ),
        ("kimi_k2", "## Return of read_file\nx"),
    ],
)
def test_speech_spells_a_result_in_its_dialect(name: str, result: str) -> None:
    assert Speech(name, SPECS).spell_result("read_file", "[read_file for 'a'] Result:", "x") == (
        result
    )


def test_speech_spells_native_calls_with_their_types() -> None:
    use = parsing.parse(
        '{"name": "read_file", "arguments": {"path": "a", "start_line": 3}}', "fenced_json", SPECS
    )[0]
    assert isinstance(use, ToolUse)

    assert Speech("hermes", SPECS).spell(use) == (
        '<tool_call>\n{"name": "read_file", "arguments": {"path": "a", "start_line": 3}}\n'
        "</tool_call>"
    )

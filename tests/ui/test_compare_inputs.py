from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent import Sessions
from tests.ui.command import Tagline, write
from tests.ui.test_compare import CORPUS, MESSAGE, told
from ui.compare.logs import Unfit, messages_of
from ui.compare.sources import gather, messages_in
from ui.exits import Complaint


def texts(name: str) -> list[str]:
    return [message.text for message in messages_in(str(CORPUS / name), "auto")]


def test_openai_logs_give_what_the_assistant_said() -> None:
    assert texts("openai.jsonl") == [
        "I read it.\n<read_file>\n<path>a.py</path>\n</read_file>",
        "It sets x.",
        "Done.",
    ]


def test_anthropic_logs_give_text_and_no_native_parts() -> None:
    assert texts("anthropic.json") == ["I list them.\n<list_files>\n<path>.</path>\n</list_files>"]


def test_clines_history_is_read() -> None:
    first, last = texts("api_conversation_history.json")

    assert first.startswith("<thinking>\nA tag in a body.")
    assert last == "<attempt_completion>\n<result>\nSaved.\n</result>\n</attempt_completion>"


def test_recorded_times_are_counted_from_the_first_chunk() -> None:
    _, message = messages_in(str(CORPUS / "recorded.jsonl"), "auto")

    assert message.chunks is not None
    assert len(message.times) == len(message.chunks) == 10
    assert [round(time, 2) for time in message.times[:3]] == [0, 0.2, 0.25]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[1]", "found 1, expected"),
        ('{"a": 1, "b": 2}', "found an object with `a`, `b`, expected"),
        ('{"text": "x"}\n{"text": ', "line 2: not JSON"),
        ('{"text": "x"}\n\n{"a": 1}', "line 3: found an object with `a`"),
        ('{"chunks": ["a", "b"], "times": [1]}', "one number for each of `chunks`"),
        ('{"chunks": ["a", "b"], "times": [2, 1]}', "never go back"),
        ("[[[[[[[[0]]]]]]]]", "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        ("hello", "not JSON"),
    ],
)
def test_json_that_holds_no_message_is_refused(text: str, words: str) -> None:
    with pytest.raises(Unfit, match="(?s)" + words.replace("[", r"\[")):
        messages_of("m.json", text)


def test_a_message_that_is_json_itself_is_one_text(tagline: Tagline) -> None:
    call = '{"name": "read_file", "parameters": {"path": "a.py"}}'

    assert told(tagline, stdin=call)["characters"] == len(call)
    assert told(tagline, stdin=json.dumps([{"role": "assistant", "content": "x"}]))["messages"] == 1


def test_standard_input_is_a_text_or_a_text_per_line(tagline: Tagline) -> None:
    assert told(tagline, stdin=MESSAGE)["messages"] == 1
    assert told(tagline, "--as", "lines", stdin="one\n\ntwo `<x>`\nthree\n")["messages"] == 3
    assert told(tagline, stdin='"one"\n{"text": "two"}\n')["messages"] == 2


def test_a_folder_leaves_out_what_holds_no_message(tagline: Tagline) -> None:
    inner, hidden = tagline.folder / "logs" / "deep", tagline.folder / "logs" / ".git"
    inner.mkdir(parents=True)
    hidden.mkdir()
    write(inner, "a.txt", MESSAGE)
    write(inner, "b.json", '{"version": 1}')
    write(inner, "c.png", "no text")
    write(hidden, "d.txt", MESSAGE)

    ran = tagline.run("compare", "logs", "logs/deep/a.txt")

    assert ran.code == 0
    assert ran.err.startswith("tagline: left out: logs/deep/b.json: found an object with `version`")
    assert [line.split()[:2] for line in ran.out.splitlines()[3:]] == [
        ["logs/deep/a.txt", "2"],
    ]


def test_a_folder_without_messages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Complaint, match="found no file to compare"):
        gather([str(tmp_path)], "auto")


def test_a_log_without_an_assistant_is_refused(tagline: Tagline) -> None:
    ran = tagline.run("compare", stdin='[{"role": "user", "content": "hello"}]')

    assert (ran.code, ran.out) == (2, "")
    assert "found no message of an assistant" in ran.err


def test_sessions_are_compared_as_they_came(tagline: Tagline) -> None:
    script = write(tagline.home, "s.jsonl", json.dumps({"text": MESSAGE}) + "\n")
    tagline.run("-p", "go", "--script", script)
    half = Sessions(tagline.home / "state" / "sessions.db")
    session = half.begin(tagline.folder)
    session.record("task_started", {"task": "x", "dialect": "cline-v2", "mode": "reparse"})
    session.record("turn_started", {"number": 1})
    for piece in ("<read_file><pa", "th>a"):
        session.record("piece", {"text": piece})
    half.close()

    found = told(tagline, "--session", "all")
    one = told(tagline, "--session", session.id[:8])

    whole = [result for result in found["results"] if result["dialect"] == "cline"]
    assert whole[0]["cut"] == "recorded chunks"
    assert whole[0]["characters"] == len(MESSAGE)
    assert [(r["dialect"], r["chunks"], r["compared"]) for r in one["results"]] == [
        ("cline-v2", 2, 2)
    ]
    assert one["results"][0]["blocks"][0]["partial"] is True

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.ui.command import ROOT, Ran, Tagline, write

SCHEMA = json.loads((ROOT / "ui" / "headless" / "schema.json").read_text())
DONE = "<attempt_completion>\n<result>\nWritten ✓ 漢字 [/dim]\n</result>\n</attempt_completion>"
WRITE = "<write_to_file>\n<path>a.txt</path>\n<content>\nhi\n</content>\n</write_to_file>"
RUN = "<execute_command>\n<command>{}</command>\n</execute_command>"


def script(folder: Path, *turns: dict[str, Any]) -> str:
    head = {"script": {"model": "fake", "cuts": 3}}
    text = "".join(json.dumps(line) + "\n" for line in (head, *turns))
    return write(folder, "script.jsonl", text)


def play(tagline: Tagline, *turns: dict[str, Any], options: tuple[str, ...] = ()) -> Ran:
    return tagline.run("-p", "go", "--script", script(tagline.home, *turns), *options)


def checked(out: str) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
    for line in lines:
        jsonschema.validate(line, SCHEMA)
    return lines


def test_schema_is_that_of_the_models() -> None:
    from ui.headless.wire import schema_text

    made = json.loads(schema_text())
    names = {name: sorted(part["properties"]) for name, part in SCHEMA["$defs"].items()}

    assert {name: sorted(part["properties"]) for name, part in made["$defs"].items()} == names


def test_text_is_the_answer_alone(tagline: Tagline) -> None:
    ran = play(tagline, {"text": f"I write.\n{WRITE}"}, {"text": DONE}, options=("-y",))

    assert (ran.code, ran.out) == (0, "Written ✓ 漢字 [/dim]\n")
    assert "✓ Write a.txt" in ran.err
    assert "I write." in ran.err
    assert "\x1b" not in ran.err
    assert (tagline.folder / "a.txt").read_text() == "hi\n"


def test_text_comes_through_a_charset_that_cannot_hold_it(tagline: Tagline) -> None:
    poor = Tagline(tagline.folder, tagline.home, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})

    ran = play(poor, {"text": DONE})

    assert (ran.code, ran.out) == (0, "Written \\u2713 \\u6f22\\u5b57 [/dim]\n")


def test_text_of_the_model_never_acts_on_the_terminal(tagline: Tagline) -> None:
    ran = play(
        tagline, {"text": "\x1b]0;t\x07see\x1b[2J" + DONE.replace("Written", "\x1b[31mWritten")}
    )

    assert ran.out.startswith("\\x1b[31mWritten")
    assert "\x1b" not in ran.out + ran.err
    assert "\\x1b]0;t\\x07see\\x1b[2J" in ran.err


def test_json_is_one_object(tagline: Tagline) -> None:
    usage = {"prompt": 10, "completion": 2}
    turns = ({"text": WRITE, "usage": usage}, {"text": DONE, "usage": usage})

    ran = play(tagline, *turns, options=("-y", "--output-format", "json"))

    (result,) = checked(ran.out)
    assert ran.code == result["exit_code"] == 0
    assert (result["subtype"], result["is_error"], result["error"]) == ("success", False, None)
    assert (result["result"], result["num_turns"]) == ("Written ✓ 漢字 [/dim]", 2)
    assert (result["usage"]["input_tokens"], result["usage"]["output_tokens"]) == (20, 4)
    assert result["usage"]["cached_tokens"] is None


def test_stream_json_tells_what_happens_in_order(tagline: Tagline) -> None:
    text = f"Two calls.\n{WRITE}\n{RUN.format('exit 3')}"
    turns = ({"reasoning": "Hm.", "text": text}, {"text": DONE})

    ran = play(tagline, *turns, options=("-y", "--output-format", "stream-json", "--mode", "both"))

    lines = checked(ran.out)
    assert lines[0]["subtype"] == "init"
    assert (lines[0]["mode"], lines[0]["permission_mode"]) == ("both", "allow_all")
    assert lines[0]["cwd"] == str(tagline.folder.resolve())
    parts = [part for line in lines[1:-1] for part in line["message"]["content"]]
    kinds = [part["type"] for part in parts]
    assert kinds == ["thinking", "text", *["tool_use", "tool_result"] * 3]
    assert parts[2]["input"] == {"path": "a.txt", "content": "hi"}
    assert parts[3]["tool_use_id"] == parts[2]["id"]
    assert "+hi" in parts[3]["diff"]
    assert (parts[5]["exit_code"], parts[5]["status"]) == (3, "done")
    assert lines[-1]["type"] == "result"
    assert lines[-1]["exit_code"] == ran.code == 0


def test_stream_json_tells_of_the_parser(tagline: Tagline) -> None:
    near_miss = "<read-file>\n<path>a</path>\n</read-file>"
    cut_off = WRITE.partition("</content>")[0]
    turns = ({"text": near_miss}, {"text": cut_off, "finish": "length"}, {"text": DONE})

    ran = play(tagline, *turns, options=("-y", "--output-format", "stream-json"))

    kinds = [line["kind"] for line in checked(ran.out) if line.get("subtype") == "diagnostic"]
    assert "parser_repaired" in kinds
    assert "parser_partial" in kinds


def test_call_that_needs_approval_is_refused_and_ends_with_4(tagline: Tagline) -> None:
    ran = play(tagline, {"text": WRITE}, {"text": DONE})

    assert (ran.code, ran.out) == (4, "")
    assert "--yes" in ran.err
    assert not (tagline.folder / "a.txt").exists()


def test_denials_are_in_the_result(tagline: Tagline) -> None:
    ran = play(tagline, {"text": WRITE}, {"text": DONE}, options=("--output-format", "json"))

    (result,) = checked(ran.out)
    assert ran.code == result["exit_code"] == 4
    assert result["subtype"] == "error_needs_approval"
    assert [denial["tool_name"] for denial in result["permission_denials"]] == ["write_to_file"]
    assert result["error"]["retryable"] is False


def test_kinds_may_be_allowed_by_the_environment(tagline: Tagline) -> None:
    trusting = Tagline(tagline.folder, tagline.home, {"TAGLINE_ALLOW": "read,edit"})

    ran = play(trusting, {"text": WRITE}, {"text": RUN.format("true")}, {"text": DONE})

    assert ran.code == 4
    assert (tagline.folder / "a.txt").read_text() == "hi\n"


def test_model_that_never_uses_a_tool_ends_with_4_and_its_words(tagline: Tagline) -> None:
    ran = play(tagline, {"text": "It is 4, surely."}, *[{"text": "It is 4."}] * 4)

    assert (ran.code, ran.out) == (4, "It is 4, surely.\n")
    assert "It is 4" not in ran.err
    assert ran.err.splitlines()[-1].startswith("tagline: exit code 4: the model answered without")


def test_prose_before_a_late_call_is_progress(tagline: Tagline) -> None:
    ran = play(tagline, {"text": "I begin."}, {"text": f"Now.\n{DONE}"})

    assert ran.code == 0
    assert ran.out.startswith("Written")
    assert "I begin." in ran.err
    assert "Now." in ran.err


def test_limit_of_turns_ends_with_3(tagline: Tagline) -> None:
    turns = [{"text": RUN.format(f"echo {number}")} for number in range(5)]

    ran = play(tagline, *turns, options=("-y", "--max-turns", "2", "--output-format", "json"))

    (result,) = checked(ran.out)
    assert ran.code == result["exit_code"] == 3
    assert result["num_turns"] == 2


def test_time_limit_ends_the_command_and_gives_3(tagline: Tagline) -> None:
    options = ("-y", "--timeout", "1.5", "--output-format", "json")

    ran = play(tagline, {"text": RUN.format("sleep 600")}, {"text": DONE}, options=options)

    (result,) = checked(ran.out)
    assert ran.code == result["exit_code"] == 3
    assert result["result"] == "The time limit of 1.5 s was reached."


def test_time_limit_is_not_told_as_the_users_doing(tagline: Tagline) -> None:
    options = ("-y", "--timeout", "1.5")

    ran = play(tagline, {"text": RUN.format("sleep 600")}, {"text": DONE}, options=options)

    assert ran.code == 3
    assert "The time limit of 1.5 s was reached." in ran.err
    assert "the user" not in ran.err
    assert "Say what to do next" not in ran.err


@pytest.mark.parametrize(
    ("fault", "code", "retryable"),
    [
        ({"kind": "refused", "status": 401, "message": "bad key"}, 1, False),
        ({"kind": "unreachable", "times": 50}, 75, True),
    ],
)
def test_fault_of_the_provider_ends_with_its_code(
    tagline: Tagline, fault: dict[str, Any], code: int, *, retryable: bool
) -> None:
    quick = Tagline(tagline.folder, tagline.home, {"TAGLINE_SPEED": "0"})

    ran = play(quick, {"text": DONE, "fault": fault}, options=("--output-format", "json"))

    (result,) = checked(ran.out)
    assert ran.code == result["exit_code"] == code
    assert result["error"]["retryable"] is retryable
    assert result["is_error"] is True


def test_retries_are_counted_in_a_line_each(tagline: Tagline) -> None:
    fault = {"kind": "unreachable", "times": 50}

    ran = play(tagline, {"text": DONE, "fault": fault})

    again = [line for line in ran.err.splitlines() if line.startswith("trying again")]
    assert [line.partition(": ")[0].partition("(")[2] for line in again] == [
        "attempt 1 of 2)",
        "attempt 2 of 2)",
    ]
    assert " 0.0 s" not in ran.err


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_signal_ends_the_command_and_the_run_with_its_code(
    tagline: Tagline, number: signal.Signals, code: int
) -> None:
    path = script(tagline.home, {"text": f"Wait.\n{RUN.format('sleep 600')}"})
    form = ("--output-format", "stream-json")
    with tagline.start("-p", "go", "-y", "--script", path, *form) as process:
        assert process.stdout is not None
        assert any(b"tool_use" in line for line in process.stdout)
        process.send_signal(number)
        last = process.stdout.read().splitlines()[-1]

    assert process.returncode == code
    result = json.loads(last)
    assert result["exit_code"] == code
    assert number.name in result["result"]
    assert "the user" not in result["result"]


def test_reader_that_goes_away_stops_the_run_quietly(tagline: Tagline) -> None:
    path = script(tagline.home, {"text": RUN.format("sleep 600")})
    form = ("--output-format", "stream-json")
    with tagline.start("-p", "go", "-y", "--script", path, *form) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()

    assert (process.returncode, err) == (1, b"")


def test_session_goes_on_where_it_ended(tagline: Tagline) -> None:
    first = play(tagline, {"text": WRITE}, {"text": DONE}, options=("-y",))
    path = script(
        tagline.home, {"text": ""}, {"text": ""}, {"expect": "and now more", "text": DONE}
    )

    ran = tagline.run("-p", "-c", "and now more", "--script", path)

    assert (first.code, ran.code) == (0, 0)


def test_resume_without_an_id_says_what_is_missing(tagline: Tagline) -> None:
    for arguments in (["--resume"], ["-p", "go on", "-r"]):
        ran = tagline.run("--base-url", "http://127.0.0.1:9/v1", *arguments)

        assert (ran.code, ran.out) == (2, "")
        assert "--resume needs the ID of a session here; `tagline sessions` lists" in ran.err


def test_resumed_run_keeps_its_dialect_and_its_mode(tagline: Tagline) -> None:
    done = "<attempt_completion>\n<result>Done.</result>\n</attempt_completion>"
    path = write(tagline.folder.parent, "s.jsonl", "".join(f"{json.dumps({'text': done})}\n" * 3))
    json_lines = ("--script", path, "--output-format", "stream-json", "-p")
    tagline.run(*json_lines, "one", "--dialect", "cline-v2", "--mode", "both")
    kept = tagline.run(*json_lines, "two", "--continue")
    other = tagline.run(*json_lines, "three", "--continue", "--dialect", "cline")

    began = [json.loads(ran.out.splitlines()[0]) for ran in (kept, other)]
    assert [(line["dialect"], line["mode"]) for line in began] == [
        ("cline-v2", "both"),
        ("cline", "both"),
    ]

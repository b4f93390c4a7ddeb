from __future__ import annotations

import json
from typing import Any

import pytest

from tests.ui.command import Ran, Tagline, write

MESSAGE = "I will read it.\n<read_file>\n<path>a.py</path>\n</read_file>"
READ = {
    "type": "function",
    "function": {
        "name": "fetch_page",
        "parameters": {
            "type": "object",
            "properties": {"url": {"type": "string"}, "depth": {"type": "integer"}},
            "required": ["url"],
        },
    },
}


def result(ran: Ran) -> dict[str, Any]:
    assert (ran.code, ran.err) == (0, "")
    (line,) = ran.out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_blocks_are_as_the_contract_shows_them(tagline: Tagline) -> None:
    assert result(tagline.run("blocks", write(tagline.folder, "m.txt", MESSAGE))) == {
        "dialect": "cline",
        "mode": "reparse",
        "blocks": [
            {
                "type": "text",
                "content": "I will read it.",
                "partial": False,
                "start": 0,
                "end": 16,
            },
            {
                "type": "tool_use",
                "name": "read_file",
                "params": {"path": "a.py"},
                "arguments": '{"path": "a.py"}',
                "partial": False,
                "fault": None,
                "repaired": [],
                "start": 16,
                "end": 58,
            },
        ],
    }


@pytest.mark.parametrize("mode", ["reparse", "incremental", "both"])
@pytest.mark.parametrize("chunk", ["1", "4", "1000"])
def test_modes_and_chunks_give_the_same_blocks(tagline: Tagline, mode: str, chunk: str) -> None:
    found = result(tagline.run("blocks", "--mode", mode, "--chunk", chunk, "-", stdin=MESSAGE))

    assert found["mode"] == mode
    assert [block["type"] for block in found["blocks"]] == ["text", "tool_use"]


def test_a_message_that_has_not_ended_has_partial_blocks(tagline: Tagline) -> None:
    found = result(tagline.run("blocks", "--finish-reason", "none", stdin=MESSAGE[:38]))

    assert found["blocks"][-1]["partial"] is True
    assert found["blocks"][-1]["end"] is None


def test_faulty_text_is_no_failure(tagline: Tagline) -> None:
    cut = "<write_to_file>\n<path>a</path>\n<content>\nhalf"

    found = result(tagline.run("blocks", "--finish-reason", "length", stdin=cut))

    assert found["blocks"][0]["partial"] is True


def test_tools_of_a_file_take_the_place_of_our_own(tagline: Tagline) -> None:
    tools = write(tagline.folder, "tools.json", json.dumps([READ]))
    text = (
        "<fetch_page>\n<url>u</url>\n<depth>2</depth>\n</fetch_page>\n"
        "<read_file>\n<path>a</path>\n</read_file>"
    )

    blocks = result(tagline.run("blocks", "--tools", tools, stdin=text))["blocks"]

    assert blocks[0]["params"] == {"url": "u", "depth": 2}
    assert blocks[1]["type"] == "text"


def test_line_feeds_and_lone_surrogates_come_through(tagline: Tagline) -> None:
    data = "a\r\nb\x0cc\ud800d".encode("utf-8", "surrogatepass")

    assert result(tagline.run("blocks", stdin=data))["blocks"][0]["content"] == "a\r\nb\x0cc\ud800d"


@pytest.mark.parametrize("mode", ["reparse", "incremental", "both"])
def test_a_template_may_have_opened_the_reasoning(tagline: Tagline, mode: str) -> None:
    told = ("blocks", "--starts-in-reasoning", "--mode", mode)
    reasoning, text = result(tagline.run(*told, stdin="It is a.</think>\nA."))["blocks"]

    assert (reasoning["type"], reasoning["reasoning"]) == ("reasoning", "It is a.")
    assert (text["type"], text["content"]) == ("text", "A.")


def test_none_is_one_text_block(tagline: Tagline) -> None:
    (block,) = result(tagline.run("blocks", "--dialect", "none", stdin=MESSAGE))["blocks"]

    assert block["content"] == MESSAGE


def test_nothing_is_no_block(tagline: Tagline) -> None:
    assert result(tagline.run("blocks"))["blocks"] == []
    assert result(tagline.run("blocks", "--dialect", "none", stdin=" \n"))["blocks"] == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--dialect", "clyne"], "did you mean cline"),
        (["--dialect", "zzzz"], "there are: cline, cline-v2, "),
        (["--profile", "fast"], "--profile"),
        (["--tool-choice", "fetch_page"], "no tool of the request; it has: read_file, "),
        (["--reasoning", "nope"], "no reasoning parser is called 'nope'"),
        (["--thinking", "maybe"], "--thinking"),
        (["--chunk", "0"], "--chunk"),
        (["--mode", "fast"], "--mode"),
        (["--finish-reason", "bored"], "--finish-reason"),
        (["--tools", "missing.json"], "cannot read missing.json"),
    ],
)
def test_bad_options_are_said_and_end_with_2(
    tagline: Tagline, options: list[str], words: str
) -> None:
    ran = tagline.run("blocks", *options, stdin=MESSAGE)

    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        ("{", "tools.json"),
        ("[" * 100_000, "nested too deeply"),
        ("{}", "JSON array"),
        ("[1]", "tool 0"),
        ('[{"type": "function", "function": {}}]', "tool 0"),
        ('[{"function": {"name": "a", "parameters": 5}}]', "tool a"),
        ('[{"function": {"name": "a", "parameters": {"properties": 5}}}]', "`properties`"),
        ('[{"function": {"name": "a", "parameters": {"required": 5}}}]', "`required`"),
    ],
)
def test_bad_tools_are_said(tagline: Tagline, tools: str, words: str) -> None:
    path = write(tagline.folder, "tools.json", tools)

    ran = tagline.run("blocks", "--tools", path, stdin=MESSAGE)

    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err


def test_input_that_is_not_utf8_is_unreadable(tagline: Tagline) -> None:
    ran = tagline.run("blocks", "-", stdin=b"abc\xff\xfe")

    assert (ran.code, ran.out) == (2, "")
    assert "byte 0xff at offset 3" in ran.err


def test_jsonl_answers_each_line_in_order_and_goes_on_after_a_bad_one(tagline: Tagline) -> None:
    lines = [
        json.dumps({"text": MESSAGE}),
        json.dumps({"chunks": ["I ", "will <read_", "file>\n<path>b"], "finish_reason": "none"}),
        "not json",
        json.dumps(["no", "object"]),
        json.dumps({"text": 5}),
        json.dumps({}),
        json.dumps({"text": "x", "dialect": "nope"}),
        json.dumps({"text": "x", "profile": "fast"}),
        json.dumps({"text": "x", "tools": [5]}),
        json.dumps({"text": "x", "mode": ["both"]}),
        json.dumps({"text": "x", "chunks": [1]}),
        json.dumps({"text": "<fetch_page>\n<url>u</url>\n</fetch_page>", "tools": [READ]}),
        json.dumps({"text": "\ud800", "mode": "both", "dialect": None}),
    ]
    ran = tagline.run("blocks", "--jsonl", "-", stdin="\n".join(lines).encode() + b"\n\xff\n")

    found = [json.loads(line) for line in ran.out.splitlines()]
    assert (ran.code, len(found)) == (0, len(lines) + 1)
    assert ["error" in item for item in found] == [False, False, *[True] * 9, False, False, True]
    assert found[0]["blocks"][1]["params"] == {"path": "a.py"}
    assert found[1]["blocks"][1]["params"] == {"path": "b"}
    assert found[11]["blocks"][0]["params"] == {"url": "u"}
    assert found[12]["blocks"][0]["content"] == "\ud800"
    assert found[12]["mode"] == "both"
    assert found[2]["error"].startswith("line 3: ")


def test_jsonl_skips_empty_lines_and_counts_them(tagline: Tagline) -> None:
    ran = tagline.run("blocks", "--jsonl", "-", stdin='\n{"text": "a"}\n \n{}\n\n')

    first, second = map(json.loads, ran.out.splitlines())
    assert first["blocks"][0]["content"] == "a"
    assert second["error"] == "line 4: `text` must be a string"


def test_jsonl_prints_each_result_as_it_is_done(tagline: Tagline) -> None:
    import subprocess

    from tests.ui.command import argv, environment

    with subprocess.Popen(
        argv("blocks", "--jsonl", "-"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(tagline.home),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps({"text": str(number)}).encode() + b"\n")
            process.stdin.flush()
            line = json.loads(process.stdout.readline())
            assert line["blocks"][0]["content"] == str(number)
        process.stdin.close()
    assert process.returncode == 0

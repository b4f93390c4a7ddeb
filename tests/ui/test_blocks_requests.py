from __future__ import annotations

import json

import pytest

from tests.ui.command import Tagline
from tests.ui.test_blocks import MESSAGE, result

HERMES = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.py"}}\n</tool_call>'


def test_auto_goes_by_the_models_name_then_by_the_text(tagline: Tagline) -> None:
    plain = json.dumps({"text": "Hello.", "dialect": "auto", "model": "nobody/knows-1b"})
    named = json.dumps({"text": MESSAGE, "dialect": "auto", "model": "Qwen/Qwen3-Coder-30B"})
    marked = json.dumps({"text": HERMES, "dialect": "auto"})
    ran = tagline.run("blocks", "--jsonl", stdin=f"{plain}\n{named}\n{marked}\n")

    assert [json.loads(line)["dialect"] for line in ran.out.splitlines()] == [
        *("cline", "qwen3_coder", "hermes")
    ]


@pytest.mark.parametrize("name", ["Cline_V2", "CLINE-V2", "clinev2"])
def test_result_tells_the_dialects_own_name(tagline: Tagline, name: str) -> None:
    found = result(tagline.run("blocks", "--dialect", name, stdin=MESSAGE))

    assert found["dialect"] == "cline-v2"


def test_serving_leaves_text_as_it_is(tagline: Tagline) -> None:
    line = {"text": " <think>a</think> b \n", "dialect": "none"}
    lines = [line, {**line, "profile": "serving"}]
    stdin = "\n".join(map(json.dumps, lines))
    ran = tagline.run("blocks", "--jsonl", stdin=stdin)

    trimmed, exact = map(json.loads, ran.out.splitlines())
    assert trimmed["blocks"][0]["content"] == "<think>a</think> b"
    assert exact["blocks"][0]["content"] == line["text"]


def test_request_says_how_reasoning_is_read(tagline: Tagline) -> None:
    text = {"text": "a</think>b", "dialect": "qwen3", "profile": "serving"}
    told: list[tuple[dict[str, object], list[str]]] = [
        ({}, ["text"]),
        ({"reasoning": False}, ["text"]),
        ({"reasoning": True}, ["reasoning", "text"]),
        ({"reasoning": "deepseek_r1"}, ["reasoning", "text"]),
        ({"reasoning": "deepseek-v3", "thinking": "on"}, ["reasoning", "text"]),
        ({"reasoning": True, "thinking": False}, ["text"]),
        ({"starts_in_reasoning": True}, ["reasoning", "text"]),
        ({"reasoning": True, "starts_in_reasoning": False}, ["text"]),
    ]
    stdin = "\n".join(json.dumps(text | more) for more, _ in told)
    ran = tagline.run("blocks", "--jsonl", stdin=stdin)

    found = [json.loads(line) for line in ran.out.splitlines()]
    assert [[block["type"] for block in one["blocks"]] for one in found] == [
        kinds for _, kinds in told
    ]


def test_tool_choice_leaves_one_tool_or_none(tagline: Tagline) -> None:
    text = {"text": HERMES, "dialect": "hermes", "profile": "serving"}
    choices = ["auto", "required", "read_file", "execute_command", "none"]
    stdin = "\n".join(json.dumps(text | {"tool_choice": choice}) for choice in choices)
    ran = tagline.run("blocks", "--jsonl", stdin=stdin)

    found = [json.loads(line)["blocks"] for line in ran.out.splitlines()]
    assert [[block["type"] for block in blocks] for blocks in found] == [
        *([["tool_use"]] * 3),
        [],
        ["text"],
    ]


@pytest.mark.parametrize(
    "member",
    [
        {"dialect": 5},
        {"profile": ["agent"]},
        {"reasoning": 5},
        {"thinking": "maybe"},
        {"starts_in_reasoning": "yes"},
        {"tool_choice": {"type": "function"}},
        {"model": ["m"]},
    ],
)
def test_bad_members_are_said_by_name(tagline: Tagline, member: dict[str, object]) -> None:
    ran = tagline.run("blocks", "--jsonl", stdin=json.dumps({"text": "a"} | member))

    assert next(iter(member)) in json.loads(ran.out)["error"]


def test_help_lists_the_dialects_and_their_other_names(tagline: Tagline) -> None:
    lines = tagline.run("blocks", "--help").out.splitlines()

    assert "Dialects, and their other names:" in lines
    assert any(line.split()[:1] == ["none"] and "passthrough" in line for line in lines)

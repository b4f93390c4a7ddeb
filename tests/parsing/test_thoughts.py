from __future__ import annotations

from collections.abc import Iterator

import pytest

from parsing import Finish, Options, ToolSpec, dialect, dialect_names, reader, reasoned, spell_call
from tests.parsing.ways import WAYS

TOOLS = (ToolSpec("look", "", {"properties": {"at": {"type": "string"}}}),)
SERVING = Options("serving", starts_in_reasoning=False)
STARTED = Options("serving", starts_in_reasoning=True)
HERMES = '<tool_call>\n{"name": "look", "arguments": {"at": "a"}}\n</tool_call>'
DEEPSEEK = spell_call("deepseek_v31", TOOLS, "look", {"at": "a"})

ROWS = [
    ("qwen3", SERVING, "<think>hm</think>ok", ["hm"]),
    ("qwen3", SERVING, "a<think>b</think>c<think>d</think>e", ["b", "d"]),
    ("qwen3", SERVING, f"<think>one{HERMES}two</think>ok", [f"one{HERMES}two"]),
    ("qwen3", STARTED, f"one{HERMES}\n{HERMES}two</think>ok", [f"one{HERMES}\n{HERMES}two"]),
    ("qwen3", STARTED, "<think>hm</think>ok", ["hm"]),
    ("qwen3", STARTED, "hm</think>ok", ["hm"]),
    ("qwen3", STARTED, "hm", ["hm"]),
    ("qwen3", STARTED, f"hm{HERMES}", [f"hm{HERMES}"]),
    ("qwen3", SERVING, "<think></think>ok", []),
    ("qwen3", SERVING, f"ok{HERMES}", []),
    ("qwen3", Options("serving", reasoning=False), "<think>hm</think>ok", []),
    ("qwen3", Options("serving", reasoning_as_text=True), "<think>hm</think>ok", []),
    ("deepseek_v31", STARTED, f"one{DEEPSEEK}two</think>ok", [f"one{DEEPSEEK}two"]),
    ("cline", Options(), "<think>hm <look><at>a</at></look></think>ok", None),
    (
        "harmony",
        SERVING,
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>analysis<|message|>so"
        "<|channel|>commentary to=functions.look <|constrain|>json<|message|>{}<|call|>",
        ["hm", "so"],
    ),
    (
        "harmony",
        SERVING,
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>ok",
        ["hm"],
    ),
    ("none", SERVING, "<think>hm</think>ok", None),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("name", "options", "text", "expected"), ROWS)
def test_raw_reasoning_is_found_however_the_text_is_cut(
    way: str, name: str, options: Options, text: str, expected: list[str] | None
) -> None:
    for chunks in WAYS[way](text):
        one, two = (reader(name, TOOLS, mode, options=options) for mode in ("reparse", "both"))
        incremental = reader(name, TOOLS, "incremental", options=options)
        for chunk in chunks:
            for message in (one, two, incremental):
                message.feed(chunk)
            assert reasoned(one) == reasoned(two) == reasoned(incremental)
        for message in (one, two, incremental):
            message.close(Finish.STOP)
        assert reasoned(one) == reasoned(two) == reasoned(incremental)
        if expected is not None:
            assert [text[start:end] for start, end in reasoned(one)] == expected


def calls_in_reasoning() -> Iterator[tuple[str, str]]:
    for name in dialect_names():
        if name in ("cline-v2", "none"):
            continue
        call = dialect(name).shape.spell("look", {"at": "a"})
        yield name, f"hm {call} so"


@pytest.mark.parametrize(("name", "text"), list(calls_in_reasoning()))
def test_both_modes_find_the_same_reasoning_around_a_call_in_every_dialect(
    name: str, text: str
) -> None:
    for options in (STARTED, Options("agent", starts_in_reasoning=True)):
        for chunks in WAYS["every-cut-in-two"](text):
            one = reader(name, TOOLS, "reparse", options=options)
            two = reader(name, TOOLS, "incremental", options=options)
            for chunk in chunks:
                one.feed(chunk)
                two.feed(chunk)
                assert reasoned(one) == reasoned(two), chunks

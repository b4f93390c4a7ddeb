from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from parsing import ReasoningBlock, parse
from tests.ui.gateway.preparing import ask, preparer
from ui.gateway.asked import Call, Said

TEMPLATE = """\
{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{{ tools | length }}
<assistant>
{% if enable_thinking is defined and enable_thinking %}<think>
{% endif %}"""


@pytest.fixture
def raw(tmp_path: Path) -> dict[str, Any]:
    place = tmp_path / "chat_template.jinja"
    place.write_text(TEMPLATE)
    (tmp_path / "tokenizer_config.json").write_text('{"bos_token": "<s>"}')
    return {"raw": True, "chat_template": tmp_path}


def test_a_template_tells_the_dialect_of_an_unknown_model(tmp_path: Path) -> None:
    place = tmp_path / "t.jinja"
    place.write_text("{{ tools }}<|tool_calls_section_begin|>{{ tool_calls }}")
    server = preparer(dialect="auto", raw=True, chat_template=place)
    assert server.prepare(ask(model="my-own")).dialect == "kimi_k2"


def test_a_prompt_is_written_for_a_text_completion(raw: dict[str, Any]) -> None:
    found = preparer("plain", **raw).prepare(ask()).body
    assert found == {
        "model": "m",
        "prompt": "<user>Hi1\n<assistant>\n",
        "max_tokens": 4096,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_a_server_that_adds_no_first_token_gets_it(raw: dict[str, Any]) -> None:
    body = preparer("vllm", **raw).prepare(ask()).body
    assert body["prompt"].startswith("<s><user>")
    assert body["add_special_tokens"] is False
    assert body["max_tokens"] is None


def test_the_words_of_a_chat_become_those_of_a_completion(raw: dict[str, Any]) -> None:
    sampling = {"max_completion_tokens": 7, "logprobs": True, "top_logprobs": 3, "seed": 1}
    body = preparer("plain", **raw).prepare(ask(sampling=sampling)).body
    assert (body["max_tokens"], body["logprobs"], body["seed"]) == (7, 3, 1)
    assert not body.keys() & {"max_completion_tokens", "top_logprobs"}
    body = preparer("plain", **raw).prepare(ask(sampling={"max_tokens": 9, "logprobs": False})).body
    assert body["max_tokens"] == 9
    assert "logprobs" not in body


def test_llamacpp_is_told_the_marks_to_keep_in_a_completion(raw: dict[str, Any]) -> None:
    body = preparer("llamacpp", dialect="kimi_k2", **raw).prepare(ask()).body
    assert "<|tool_call_begin|>" in body["preserved_tokens"]
    assert "reasoning_format" not in body
    assert "max_tokens" not in body
    cline = preparer("llamacpp", dialect="cline", **raw).prepare(ask()).body
    assert "preserved_tokens" not in cline


@pytest.mark.parametrize("told", [None, True, False])
def test_the_prompts_end_says_whether_the_answer_begins_in_reasoning(
    raw: dict[str, Any], told: bool | None
) -> None:
    server = preparer(dialect="qwen3", reasoning=told, **raw)
    opened = server.prepare(ask(thinking=True))
    assert opened.body["prompt"].endswith("<assistant>\n<think>\n")
    assert opened.options.starts_in_reasoning is True
    assert server.prepare(ask()).options.starts_in_reasoning is False
    (block,) = parse("hm", "qwen3", (), finish=None, options=opened.options)
    assert isinstance(block, ReasoningBlock)


@pytest.mark.parametrize("written_here", [True, False])
def test_results_come_in_the_order_of_their_calls(raw: dict[str, Any], written_here: bool) -> None:
    first, second = (tuple(Call(id_, "get_weather", {}) for id_ in ids) for ids in ("abc", "ba"))
    history = (
        *(Said("user", "Hi"), Said("assistant", "", calls=first)),
        *(Said("tool", f"of {id_}", answers=id_, name="get_weather") for id_ in "cab"),
        Said("assistant", "", calls=second),
        *(Said("tool", f"again {id_}", answers=id_, name="get_weather") for id_ in "ab"),
    )
    body = preparer(**(raw if written_here else {})).prepare(ask(said=history)).body
    told = str(body.get("prompt") or body["messages"])
    assert re.findall(r"(?:of|again) [abc]", told) == [
        *("of a", "of b", "of c"),
        *("again b", "again a"),
    ]

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.errors import ConfigError
from parsing import Options, TextBlock, ToolSpec, ToolUse, dialect, parse
from tests.ui.gateway.preparing import ask, preparer, tool
from ui.gateway.asked import BadRequest, Call, Said
from ui.gateway.servers import SERVERS

FIRST_GROUP = (
    *("claude_xml", "cline", "cline-v2", "deepseek_r1", "deepseek_v3", "deepseek_v31"),
    *("deepseek_v32", "deepseek_v4", "deepseek_v41", "dsml", "fenced_json", "gemma", "gemma4"),
    *("glm45", "glm47", "harmony", "hermes", "internlm", "kimi_k2", "llama3_json", "minimax_m2"),
    *("mistral", "mistral_v11", "pythonic", "qwen3", "qwen3_coder"),
)
BY_TAGS_OF_TOOLS = {"cline", "cline-v2", "fenced_json", "gemma"}


def test_a_chat_is_prepared() -> None:
    sampling = {"temperature": 0, "max_tokens": 5, "stop": ["x"], "logprobs": True}
    found = preparer("plain").prepare(ask(sampling=sampling))
    assert found.body == {
        "model": "m",
        "messages": found.body["messages"],
        "stream": True,
        "stream_options": {"include_usage": True},
        **sampling,
    }
    assert [row["role"] for row in found.body["messages"]] == ["system", "user"]
    assert found.dialect == "hermes"
    assert found.tools == (tool(),)
    assert found.options == Options("serving", starts_in_reasoning=False)
    assert found.parallel is True
    assert preparer().prepare(ask(parallel=False)).parallel is False


def test_the_clients_words_never_stand_in_for_ours() -> None:
    sampling = {"stream": False, "messages": [], "model": "x", "stream_options": {}, "tools": []}
    found = preparer("plain").prepare(ask(sampling=sampling)).body
    assert "tools" not in found
    assert (found["model"], found["stream"]) == ("m", True)
    assert found["stream_options"] == {"include_usage": True}
    assert found["messages"][-1]["content"] == "Hi"


def test_the_gateways_model_stands_in_for_the_clients() -> None:
    assert preparer(model="served").prepare(ask()).body["model"] == "served"


@pytest.mark.parametrize("name", FIRST_GROUP)
def test_what_the_prompt_shows_reads_as_a_call_in_every_dialect(name: str) -> None:
    said = (
        Said("user", "Hi"),
        Said("assistant", "Well.", calls=(Call("a", "get_weather", {"city": "Paris"}),)),
        Said("tool", "rain", answers="a", name="get_weather"),
    )
    found = preparer(dialect=name).prepare(ask(said=said))
    assert found.dialect == {"cline-v2": "cline"}.get(name, name)  # the same text, better read
    text = found.body["messages"][2]["content"]
    options = Options("serving", starts_in_reasoning=False)
    blocks = parse(text, name, found.tools, options=options)
    assert [type(block) for block in blocks] == [TextBlock, ToolUse]
    assert found.options.calls is True


@pytest.mark.parametrize("kind", ["vllm", "sglang", "lmdeploy"])
@pytest.mark.parametrize("name", FIRST_GROUP)
def test_special_tokens_are_kept_where_marks_may_be_such(name: str, kind: str) -> None:
    body = preparer(kind, dialect=name).prepare(ask()).body
    members = ("skip_special_tokens", "spaces_between_special_tokens")
    wanted = [] if name in BY_TAGS_OF_TOOLS else [False, False]
    assert [body[member] for member in members if member in body] == wanted


def test_reasoning_and_calls_are_left_in_the_text() -> None:
    llama = preparer("llamacpp").prepare(ask()).body
    assert (llama["reasoning_format"], llama["parse_tool_calls"]) == ("none", False)
    assert preparer("sglang").prepare(ask()).body["separate_reasoning"] is False


@pytest.mark.parametrize(
    ("kind", "more", "asked"),
    [
        ("vllm", {"token_ids": True}, True),
        ("sglang", {"token_ids": True}, True),
        ("lmdeploy", {"token_ids": True}, True),
        ("vllm", {}, False),
        ("vllm", {"thinking": True}, True),
        ("plain", {"token_ids": True}, False),
    ],
)
def test_token_ids_are_asked_for_when_they_are_wanted_or_counted(
    kind: str, more: dict[str, Any], asked: bool
) -> None:
    assert preparer(kind).prepare(ask(**more)).body.get("return_token_ids", False) is asked


def test_tokens_of_reasoning_are_counted_where_the_model_reasons() -> None:
    body = preparer(dialect="qwen3").prepare(ask()).body
    assert body["return_token_ids"] is True
    assert "return_token_ids" not in preparer(dialect="qwen3").prepare(ask(thinking=False)).body


def test_llamacpp_tells_ids_with_logprobs_only_to_whom_asks() -> None:
    server = preparer("llamacpp", dialect="qwen3")
    assert "logprobs" not in server.prepare(ask()).body
    body = server.prepare(ask(token_ids=True, sampling={"top_logprobs": 5})).body
    assert (body["logprobs"], body["top_logprobs"]) == (True, 5)


@pytest.mark.parametrize(
    ("settings", "models", "model", "found"),
    [
        ("kimi-k2", (), "qwen3-8b", "kimi_k2"),
        ("auto", (), "Qwen/Qwen3-8B", "qwen3"),
        ("auto", (), "gpt-oss-20b", "harmony"),
        ("auto", ("Qwen/Qwen3-8B",), "gpt-4o", "qwen3"),
        ("auto", ("Qwen/Qwen3-8B",), "claude-sonnet-4", "qwen3"),
        ("auto", ("Qwen3-8B", "Kimi-K2"), "Kimi-K2", "kimi_k2"),
        ("auto", ("Qwen3-8B", "Kimi-K2"), "gpt-oss", "harmony"),
        ("auto", ("my-own",), "claude-sonnet-4", "claude_xml"),
        ("auto", (), "my-own", "hermes"),
    ],
)
def test_the_dialect_is_that_of_the_model(
    settings: str, models: tuple[str, ...], model: str, found: str
) -> None:
    server = preparer(models=models, dialect=settings)
    assert server.prepare(ask(model=model)).dialect == found


def test_the_gateways_model_tells_the_dialect_first() -> None:
    server = preparer(models=("Kimi-K2",), dialect="auto", model="Qwen3-8B")
    assert server.prepare(ask(model="Kimi-K2")).dialect == "qwen3"


@pytest.mark.parametrize("more", [{"choice": "none"}, {"tools": ()}])
def test_without_calls_their_marks_are_text(more: dict[str, Any]) -> None:
    found = preparer().prepare(ask(**more))
    assert found.tools == ()
    assert found.options.calls is False
    text = dialect("hermes").shape.spell("get_weather", {"city": "Paris"})
    (block,) = parse(text, "hermes", found.tools, options=found.options)
    assert isinstance(block, TextBlock)
    assert block.content == text
    assert [row["role"] for row in found.body["messages"]] == ["user"]


def test_a_dialect_without_calls_reads_none() -> None:
    found = preparer(dialect="none").prepare(ask())
    assert (found.tools, found.options.calls) == ((), False)
    with pytest.raises(BadRequest, match="cannot be required of this model"):
        preparer(dialect="none").prepare(ask(choice="required"))


@pytest.mark.parametrize(
    ("name", "told", "more", "begins"),
    [
        ("deepseek_r1", None, {}, True),
        ("deepseek_r1", None, {"thinking": False}, False),
        ("deepseek_r1", False, {}, False),
        ("qwen3", None, {}, False),
        ("qwen3", True, {}, True),
        ("qwen3", True, {"thinking": False}, False),
        ("qwen3", True, {"template": {"enable_thinking": False}}, False),
        ("deepseek_v31", None, {}, False),
        ("deepseek_v31", None, {"thinking": True}, True),
        ("deepseek_v31", None, {"template": {"thinking": True}}, True),
        ("hermes", None, {"thinking": True}, False),
    ],
)
def test_an_answer_begins_in_reasoning_as_dialect_request_and_settings_say(
    name: str, told: bool | None, more: dict[str, Any], begins: bool
) -> None:
    found = preparer(dialect=name, reasoning=told).prepare(ask(**more))
    assert found.options.starts_in_reasoning is begins


@pytest.mark.parametrize(
    ("model", "begins"),
    [
        ("Qwen/QwQ-32B", True),
        ("qwen3-4b-thinking-2507-q4_k_m.gguf", True),
        ("MiniMax-M2.1", True),
        ("deepseek-ai/DeepSeek-R1-0528", True),
        ("Qwen3-8B", False),
        ("my-thinking-model", False),
    ],
)
def test_the_models_name_says_whether_its_template_opens_reasoning(
    model: str, begins: bool
) -> None:
    named = preparer(models=(model,), dialect="auto").prepare(ask(model="gpt-4o"))
    assert named.options.starts_in_reasoning is begins
    off = preparer(dialect="qwen3", reasoning=False).prepare(ask(model=model))
    assert off.options.starts_in_reasoning is False


def test_reasoning_is_told_as_text_when_it_is_turned_off() -> None:
    found = preparer(dialect="qwen3").prepare(ask(thinking=False)).options
    assert found.reasoning_as_text is True
    assert preparer(dialect="qwen3").prepare(ask()).options.reasoning_as_text is False


@pytest.mark.parametrize("kind", ["vllm", "sglang", "lmdeploy", "llamacpp"])
def test_thinking_is_told_to_the_template(kind: str) -> None:
    asked = ask(thinking=False, template={"extra": 1})
    assert preparer(kind).prepare(asked).body["chat_template_kwargs"] == {
        "enable_thinking": False,
        "thinking": False,
        "extra": 1,
    }
    assert "chat_template_kwargs" not in preparer(kind).prepare(ask()).body


def test_a_server_without_template_variables_gets_the_clients_own_alone() -> None:
    server = preparer("plain")
    assert "chat_template_kwargs" not in server.prepare(ask(thinking=True)).body
    body = server.prepare(ask(template={"thinking": True})).body
    assert body["chat_template_kwargs"] == {"thinking": True}


def test_a_required_call_is_enforced() -> None:
    body = preparer("llamacpp").prepare(ask(choice="required")).body
    assert body["grammar"].startswith("root ::= ")
    assert "think" not in body["grammar"]
    reasoning = preparer("llamacpp", dialect="qwen3").prepare(ask(choice="required")).body
    assert "</think" in reasoning["grammar"]
    with pytest.raises(BadRequest, match="takes no grammar"):
        preparer("ollama").prepare(ask(choice="required"))


def test_the_same_tools_are_the_same_objects() -> None:
    server = preparer()
    first, second = (server.prepare(ask(tools=(tool(), tool("b")))).tools for _ in range(2))
    assert first is second
    assert server.prepare(ask(tools=(tool("b"), tool()))).tools == first[::-1]


def test_only_the_last_tools_are_kept() -> None:
    server = preparer()
    first = server.prepare(ask()).tools
    for place in range(64):
        server.prepare(ask(tools=(ToolSpec(f"tool_{place}"),)))
    again = server.prepare(ask()).tools
    assert again == first
    assert again is not first


@pytest.mark.parametrize(
    ("name", "tools", "found"),
    [
        ("hermes", (tool("a"), tool("a")), "tool 'a' is declared twice"),
        ("cline", (tool("read file"),), "'read file' of tool 'read file' cannot be a tag"),
        ("cline", (tool("thinking"),), "rename the tool"),
    ],
)
def test_tools_that_the_dialect_cannot_tell_are_a_bad_request(
    name: str, tools: tuple[ToolSpec, ...], found: str
) -> None:
    with pytest.raises(BadRequest, match=found) as fault:
        preparer(dialect=name).prepare(ask(tools=tools))
    assert fault.value.param == "tools"


def test_the_clients_request_is_not_changed() -> None:
    asked = ask(thinking=True, token_ids=True, template={"x": 1}, sampling={"stop": ["a"]})
    before = repr(asked)
    for kind in SERVERS:
        preparer(kind).prepare(asked)
    assert repr(asked) == before


@pytest.mark.parametrize(
    ("kind", "more", "found"),
    [
        ("plain", {"raw": True}, "add --chat-template"),
        ("ollama", {"raw": True, "chat_template": Path("x")}, "does not work with ollama"),
        ("plain", {"raw": True, "chat_template": Path("/nowhere/x")}, "no chat template can be"),
        ("plain", {"dialect": "hermez"}, "did you mean hermes"),
    ],
)
def test_settings_that_do_not_fit_are_refused(kind: str, more: dict[str, Any], found: str) -> None:
    with pytest.raises(ConfigError, match=found):
        preparer(kind, **more)

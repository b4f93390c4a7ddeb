from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from parsing import Options, ReasoningBlock, ToolSpec, ToolUse, dialect, parse
from ui.gateway.asked import Ask, BadRequest
from ui.gateway.enforce import Enforcer, Reasoning, grammar
from ui.gateway.servers import SERVERS

WEATHER = ToolSpec(
    "get_weather",
    "",
    {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    },
)
NOW = ToolSpec("now", "", {"type": "object", "properties": {}})
TOOLS = (WEATHER, NOW)
CALL = ("get_weather", {"city": "Paris", "days": 3})
QUIET = Reasoning(possible=False, begun=False)
FREE = Reasoning(possible=True, begun=False)
BEGUN = Reasoning(possible=True, begun=True)

# The first group's, with how their models reason before a call.
REASONED = {
    "claude_xml": "<think>hm</think>\n",
    "cline": "<thinking>hm</thinking>\n",
    "deepseek_v3": "<think>hm</think>\n\n",
    "deepseek_v31": "<think>hm</think>\n",
    "deepseek_v32": "<think>hm</think>\n\n",
    "deepseek_v4": "<think>hm</think>\n\n",
    "deepseek_v41": "<think>hm</think>\n\n",
    "deepseek_r1": "<think>hm</think>\n",
    "dsml": "<think>hm</think>\n\n",
    "fenced_json": "<think>hm</think>\n",
    "gemma": "<thought>hm</thought>\n",
    "glm45": "<think>hm</think>\n",
    "glm47": "<think>hm</think>\n",
    "harmony": "<|channel|>analysis<|message|>hm, 1 < 2<|end|>",
    "hermes": "<think>hm</think>\n",
    "internlm": "<think>hm</think>\n",
    "kimi_k2": "<think>hm</think>\n",
    "llama3_json": "<think>hm</think>\n",
    "minimax_m2": "<think>hm</think>\n\n",
    "mistral": "<think>hm</think>\n",
    "mistral_v11": "[THINK]hm[/THINK]\n",
    "pythonic": "<think>hm</think>\n",
    "qwen3": "<think>\nhm\n</think>\n\n",
    "qwen3_coder": "<think>\nhm\n</think>\n\n",
}
FIRST_GROUP = sorted(REASONED)


@cache
def compiled(rules: str) -> Any:
    xgrammar = pytest.importorskip("xgrammar", reason="the extra `xgrammar` is not installed")
    compiler = xgrammar.GrammarCompiler(xgrammar.TokenizerInfo([]))
    return compiler.compile_grammar(xgrammar.Grammar.from_ebnf(rules))


def takes(rules: str, text: str) -> bool:
    xgrammar = pytest.importorskip("xgrammar", reason="the extra `xgrammar` is not installed")
    matcher = xgrammar.GrammarMatcher(compiled(rules), terminate_without_stop_token=True)
    return bool(matcher.accept_string(text)) and bool(matcher.is_completed())


def rules_of(name: str, reasoning: Reasoning, *, one: bool = False) -> str:
    return grammar(dialect(name), TOOLS, reasoning, one=one)


def required(**more: Any) -> Ask:
    return Ask("m", (), **{"tools": TOOLS, "choice": "required", **more})


def members(ask: Ask, name: str = "hermes", kind: str = "llamacpp", **more: Any) -> Any:
    return Enforcer(SERVERS[kind], **more).members(ask, dialect(name), ask.tools, QUIET)


@pytest.mark.parametrize("name", FIRST_GROUP)
def test_a_call_is_let_through_and_nothing_else(name: str) -> None:
    rules = rules_of(name, QUIET)
    assert takes(rules, dialect(name).shape.spell(*CALL))
    for text in ("", "Hi.", f"Hi.\n{dialect(name).shape.spell(*CALL)}"):
        assert not takes(rules, text)
    assert not takes(rules, dialect(name).shape.spell("other", {}))


@pytest.mark.parametrize("name", FIRST_GROUP)
def test_reasoning_may_come_before_the_call(name: str) -> None:
    call = dialect(name).shape.spell(*CALL)
    text = REASONED[name] + call
    assert takes(rules_of(name, FREE), text)
    assert takes(rules_of(name, FREE), call)
    assert not takes(rules_of(name, QUIET), text)
    read = parse(text, name, TOOLS, options=Options(profile="serving", starts_in_reasoning=False))
    assert [type(block) for block in read if isinstance(block, (ReasoningBlock, ToolUse))] == [
        ReasoningBlock,
        ToolUse,
    ]


@pytest.mark.parametrize("name", sorted(set(FIRST_GROUP) - {"harmony"}))
def test_reasoning_that_the_prompt_began_is_ended_before_the_call(name: str) -> None:
    call = dialect(name).shape.spell(*CALL)
    rest = REASONED[name].partition("hm")[2]
    assert takes(rules_of(name, BEGUN), f"hm{rest}{call}")
    assert not takes(rules_of(name, BEGUN), call)


def test_a_frame_of_reasoning_that_the_prompt_began_is_ended_before_the_call() -> None:
    call = dialect("harmony").shape.spell(*CALL)
    assert takes(rules_of("harmony", BEGUN), f"hm<|end|>{call}")
    assert not takes(rules_of("harmony", BEGUN), call)


def test_harmonys_call_may_go_on_from_the_prompt_and_end_as_the_servers_stop_token() -> None:
    start, end, thought = "<|start|>assistant", "<|call|>", REASONED["harmony"]
    call, now = (dialect("harmony").shape.spell(*one) for one in (CALL, ("now", {})))
    assert call.startswith(start)
    assert call.endswith(end)
    bare = call.removeprefix(start).removesuffix(end)
    for text in (bare, f"{bare}{end}", f"{bare}{end}{now}", f"{thought}{start}{bare}"):
        assert takes(rules_of("harmony", FREE), text)
        read = parse(text, "harmony", TOOLS, options=Options(profile="serving"))
        assert not any(block.fault for block in read if isinstance(block, ToolUse))
    assert takes(rules_of("harmony", QUIET, one=True), bare)
    assert not takes(rules_of("harmony", QUIET, one=True), f"{bare}{end}{now}")


@pytest.mark.parametrize("name", ["hermes", "qwen3_coder", "kimi_k2", "deepseek_v32", "cline"])
def test_one_call_is_let_through_where_several_are_not_allowed(name: str) -> None:
    two = dialect(name).shape.spell_all([CALL, ("now", {})])
    assert takes(rules_of(name, QUIET), two)
    assert not takes(rules_of(name, QUIET, one=True), two)
    assert takes(rules_of(name, QUIET, one=True), dialect(name).shape.spell(*CALL))


def test_nothing_is_enforced_unless_it_is_required() -> None:
    for choice in ("auto", "none"):
        assert members(required(choice=choice)) == {}
        assert members(required(choice=choice), kind="plain") == {}


def test_the_server_gets_the_dialects_grammar() -> None:
    assert members(required()) == {"grammar": rules_of("hermes", QUIET)}
    assert members(required(parallel=False), kind="sglang") == {
        "ebnf": rules_of("hermes", QUIET, one=True)
    }


def test_the_same_tools_get_the_same_grammar() -> None:
    enforcer = Enforcer(SERVERS["llamacpp"])
    asked = required()
    first, second = (
        enforcer.members(asked, dialect("hermes"), TOOLS, QUIET)["grammar"] for _ in range(2)
    )
    assert first is second
    other = enforcer.members(asked, dialect("hermes"), (NOW,), QUIET)["grammar"]
    assert other == grammar(dialect("hermes"), (NOW,), QUIET, one=False) != first


def test_only_the_last_grammars_are_kept() -> None:
    enforcer = Enforcer(SERVERS["llamacpp"])
    asked = required()
    first = enforcer.members(asked, dialect("hermes"), TOOLS, QUIET)["grammar"]
    for place in range(64):
        tools = (ToolSpec(f"tool_{place}"),)
        enforcer.members(asked, dialect("hermes"), tools, QUIET)
    again = enforcer.members(asked, dialect("hermes"), TOOLS, QUIET)["grammar"]
    assert again == first
    assert again is not first


@pytest.mark.parametrize("kind", ["ollama", "lmstudio", "tgi", "plain"])
def test_a_server_that_takes_no_grammar_is_a_bad_request(kind: str) -> None:
    with pytest.raises(BadRequest, match="takes no grammar"):
        members(required(), kind=kind)


@pytest.mark.parametrize("name", ["none", "cline-v2", "minimax_m3"])
def test_a_dialect_without_a_grammar_is_a_bad_request(name: str) -> None:
    with pytest.raises(BadRequest, match="cannot be required of this model") as fault:
        members(required(), name)
    assert 'tool_choice "auto"' in str(fault.value)
    assert fault.value.param == "tool_choice"


def test_a_call_required_without_tools_is_a_bad_request() -> None:
    with pytest.raises(BadRequest, match="needs a tool to call") as fault:
        members(required(tools=()))
    assert fault.value.param == "tools"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("response_format", {"type": "json_object"}),
        ("response_format", {"type": "json_schema", "json_schema": {"name": "x"}}),
        ("grammar", "root ::= [a-z]"),
        ("json_schema", {"type": "object"}),
        ("structured_outputs", {"regex": "x"}),
    ],
)
def test_a_form_of_the_clients_own_is_a_bad_request(name: str, value: Any) -> None:
    with pytest.raises(BadRequest, match=f"and so does {name}") as fault:
        members(required(sampling={name: value}))
    assert fault.value.param == name
    assert members(required(choice="auto", sampling={name: value})) == {}


def test_a_form_that_is_text_or_null_is_none() -> None:
    sampling = {"response_format": {"type": "text"}, "grammar": None}
    assert list(members(required(sampling=sampling))) == ["grammar"]


@pytest.mark.parametrize(
    "properties",
    [
        {"a": {"$ref": "#/nowhere"}},
        {"a": {"type": "array", "items": {"$ref": "#"}}},
        {"a": {"enum": []}},
        {"a": {"type": 5}},
        {"a": {"anyOf": []}},
        {"a": 5},
        {"a": {"type": "object", "properties": []}},
        {"a": {"type": "string", "minLength": "x"}},
    ],
)
@pytest.mark.parametrize("name", ["hermes", "qwen3_coder", "pythonic", "gemma4"])
def test_odd_schemas_give_a_grammar_or_a_bad_request(name: str, properties: Any) -> None:
    tool = ToolSpec("odd", "", {"type": "object", "properties": properties, "required": ["a"]})
    try:
        found = str(members(required(tools=(tool,)), name)["grammar"])
    except BadRequest as fault:
        found = f"root ::= {fault.param}"
    assert found.startswith("root ::=")

from __future__ import annotations

from typing import Any

import pytest

from parsing import ToolSpec
from ui.gateway.asked import Ask, BadRequest, Call, Said
from ui.gateway.messages import MESSAGES

HI: list[Any] = [{"role": "user", "content": "Hi"}]
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
F = {"name": "f", "description": "It is f.", "input_schema": SCHEMA}
G = {"name": "g", "input_schema": {"type": "object"}, "type": "custom"}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": "x"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}
PNG = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}}


def asked(**more: Any) -> Ask:
    told = {"model": "m", "max_tokens": 9, "messages": HI, **more}
    return MESSAGES.asked({name: value for name, value in told.items() if value is not ...})


def conversation(*messages: Any) -> Ask:
    return asked(
        messages=[
            {"role": "assistant" if place % 2 else "user", "content": content}
            for place, content in enumerate(messages)
        ]
    )


def test_asked_reads_the_least_request() -> None:
    assert asked() == Ask("m", (Said("user", "Hi"),), usage_wanted=True, sampling={"max_tokens": 9})


def test_asked_reads_what_steers_the_answer() -> None:
    ask = asked(
        system=[
            {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}},
            {"type": "text", "text": " Be kind."},
        ],
        stream=True,
        temperature=0.5,
        top_p=1,
        top_k=40,
        stop_sequences=["END"],
        metadata={"user_id": "u"},
        service_tier="auto",
        output_config={"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}},
        a_member_of_tomorrow=True,
    )

    assert ask.said == (Said("system", "Be brief. Be kind."), Said("user", "Hi"))
    assert ask.stream is True
    assert ask.sampling == {
        "max_tokens": 9,
        "temperature": 0.5,
        "top_p": 1,
        "top_k": 40,
        "stop": ["END"],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "output", "schema": SCHEMA, "strict": True},
        },
    }


@pytest.mark.parametrize(
    ("told", "thinking", "echo"),
    [
        (..., None, {}),
        (None, None, {}),
        ({"type": "enabled", "budget_tokens": 2000}, True, {}),
        ({"type": "adaptive", "display": "omitted"}, True, {"veiled": True}),
        ({"type": "adaptive", "display": "summarized"}, True, {}),
        ({"type": "disabled"}, False, {}),
    ],
)
def test_asked_reads_thinking(told: Any, thinking: bool | None, echo: Any) -> None:
    ask = asked(thinking=told)

    assert (ask.thinking, ask.echo) == (thinking, echo)


@pytest.mark.parametrize(
    ("choice", "names", "said", "parallel"),
    [
        (..., ["f", "g"], "auto", True),
        ({"type": "auto", "disable_parallel_tool_use": True}, ["f", "g"], "auto", False),
        ({"type": "any"}, ["f", "g"], "required", True),
        ({"type": "tool", "name": "g"}, ["g"], "required", True),
        ({"type": "none"}, ["f", "g"], "none", True),
    ],
)
def test_asked_reads_tools_and_their_choice(
    choice: Any, names: list[str], said: str, parallel: bool
) -> None:
    ask = asked(tools=[F, G], tool_choice=choice)

    assert [spec.name for spec in ask.tools] == names
    assert (ask.choice, ask.parallel) == (said, parallel)


def test_asked_reads_a_tool() -> None:
    assert asked(tools=[F]).tools == (ToolSpec("f", "It is f.", SCHEMA),)


def test_asked_reads_a_conversation() -> None:
    thinking = {"type": "thinking", "thinking": "Use f.", "signature": "tagline"}
    redacted = {"type": "redacted_thinking", "data": "x"}
    second = {"type": "tool_use", "id": "toolu_2", "name": "g", "input": {}}
    failed = {
        "type": "tool_result",
        "tool_use_id": "toolu_2",
        "content": [{"type": "text", "text": "no such file"}, PNG],
        "is_error": True,
    }
    url = {"type": "image", "source": {"type": "url", "url": "https://a.example/b.png"}}

    ask = conversation(
        [{"type": "text", "text": "Look: "}, url],
        [thinking, redacted, {"type": "text", "text": "I call."}, CALL, second],
        [{"type": "text", "text": "Go on."}, failed, RESULT],
    )

    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}}
    far = {"type": "image_url", "image_url": {"url": "https://a.example/b.png"}}
    calls = (Call("toolu_1", "f", {"a": "x"}), Call("toolu_2", "g", {}))
    assert ask.said == (
        Said("user", "Look: ", media=(far,)),
        Said("assistant", "I call.", "Use f.", calls),
        Said("tool", "Error: no such file", answers="toolu_2", name="g", media=(picture,)),
        Said("tool", "done", answers="toolu_1", name="f"),
        Said("user", "Go on."),
    )


def test_asked_reads_results_without_words() -> None:
    silent = {"type": "tool_result", "tool_use_id": "toolu_1"}

    assert conversation("Hi", [CALL], [silent]).said[2:] == (
        Said("tool", "", answers="toolu_1", name="f"),
    )
    assert conversation("Hi", [CALL], [{**silent, "is_error": True}]).said[2].text == "Error"


def test_asked_reads_a_system_message_within_the_conversation() -> None:
    ask = asked(messages=[*HI, {"role": "system", "content": "It is night."}, *HI])

    assert [said.role for said in ask.said] == ["user", "system", "user"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"model": ...}, "model: found nothing, expected a string"),
        ({"max_tokens": ...}, "max_tokens: found nothing, expected a whole number from 1"),
        ({"max_tokens": 0}, "max_tokens: found 0, expected a whole number from 1"),
        ({"max_tokens": "9"}, "max_tokens: found a string, expected a whole number"),
        ({"max_tokens": True}, "max_tokens: found true or false, expected a whole number"),
        ({"messages": ...}, "messages: found none, expected at least one"),
        ({"messages": "Hi"}, "messages: found a string, expected an array"),
        ({"messages": []}, "messages: found none, expected at least one"),
        ({"messages": [{"role": "user"}]}, "messages[0].content: found nothing"),
        ({"messages": [{"role": "tool", "content": "x"}]}, "messages[0].role: found 'tool'"),
        ({"messages": [*HI, {"role": "assistant", "content": "A"}]}, "end with a user message"),
        ({"temperature": "hot"}, "temperature: found a string, expected a number"),
        ({"stop_sequences": [""]}, "stop_sequences[0]: found ''"),
        ({"stop_sequences": "END"}, "stop_sequences: found a string, expected an array"),
        ({"thinking": {"type": "much"}}, "thinking.type: found 'much'"),
        ({"output_config": {"format": {"type": "xml"}}}, "output_config.format.type: found 'xml'"),
        ({"container": {"skills": []}}, "container: there are no containers here"),
        ({"mcp_servers": [{"url": "x"}]}, "mcp_servers: no MCP server is called from here"),
        ({"system": [PNG]}, "system[0]: a block of type 'image' cannot stand here"),
        ({"tools": [{"type": "web_search_20250305", "name": "w"}]}, "'web_search_20250305'"),
        ({"tools": [{"name": "f"}]}, "tools[0].input_schema: found null, expected an object"),
        ({"tools": [F, F]}, "tools: two tools are called 'f'"),
        ({"tool_choice": {"type": "any"}}, "found 'any', but the request has no tools"),
        ({"tool_choice": {"type": "some"}}, "tool_choice.type: found 'some'"),
        (
            {"tools": [F], "tool_choice": {"type": "tool", "name": "x"}},
            "tool_choice.name: 'x' is no tool of the request; it has f",
        ),
    ],
)
def test_asked_refuses(more: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRequest) as refused:
        asked(**more)

    assert words in str(refused.value)
    assert refused.value.param


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        (["Hi", [CALL], "And?"], "the call 'toolu_1' of f has no result before"),
        (["Hi", [CALL, CALL], [RESULT]], "another call has the id 'toolu_1' too"),
        ([[RESULT]], "found a result of 'toolu_1', but no such call before it"),
        (["Hi", [CALL], [RESULT, RESULT]], "the call 'toolu_1' was answered before"),
        (
            ["Hi", [{**CALL, "input": "{}"}], [RESULT]],
            "messages[1].content[0].input: found a string",
        ),
        ([[CALL]], "messages[0].content[0]: a block of type 'tool_use' cannot stand here"),
        ([[{"type": "document", "source": {}}]], "put the document's text into a text block"),
        (
            ["Hi", [CALL], [{**RESULT, "content": [{"type": "tool_reference"}]}]],
            "messages[2].content[0].content[0]: a block of type 'tool_reference'",
        ),
        ([[{"type": "image", "source": {"type": "file", "file_id": "x"}}]], "found 'file'"),
        ([[{"text": "x"}]], "messages[0].content[0].type: found nothing"),
    ],
)
def test_asked_refuses_a_broken_conversation(messages: list[Any], words: str) -> None:
    with pytest.raises(BadRequest) as refused:
        conversation(*messages)

    assert words in str(refused.value)

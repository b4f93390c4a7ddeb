from __future__ import annotations

from typing import Any

import pytest

from ui.gateway.asked import Ask, BadRequest, Call, Said
from ui.gateway.chat import CHAT

USER = {"role": "user", "content": "hi"}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}


def function(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}


def call(id_: str, name: str = "f", arguments: Any = "{}") -> dict[str, Any]:
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}}


def asked(**more: Any) -> Ask:
    return CHAT.asked({"model": "m", "messages": [USER], **more})


def history(*messages: dict[str, Any]) -> tuple[Said, ...]:
    return asked(messages=list(messages)).said


def test_chat_reads_every_role() -> None:
    read = history(
        {"role": "system", "content": "s"},
        {"role": "developer", "content": [{"type": "text", "text": "d"}]},
        {"role": "user", "content": [{"type": "text", "text": "look"}, PICTURE]},
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "hm",
            "tool_calls": [call("1", "f", '{"a": 1}'), call("2", "g", "")],
        },
        {"role": "tool", "tool_call_id": "2", "content": "two"},
        {"role": "tool", "tool_call_id": "1", "content": [{"type": "text", "text": "one"}]},
        {"role": "assistant", "function_call": {"name": "h", "arguments": "{}"}},
        {"role": "function", "name": "h", "content": "old"},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
    )

    assert read == (
        Said("system", "s"),
        Said("system", "d"),
        Said("user", "look", media=(PICTURE,)),
        Said("assistant", "", reasoning="hm", calls=(Call("1", "f", {"a": 1}), Call("2", "g", {}))),
        Said("tool", "two", answers="2", name="g"),
        Said("tool", "one", answers="1", name="f"),
        Said("assistant", "", calls=(Call("function_1", "h", {}),)),
        Said("tool", "old", answers="function_1", name="h"),
        Said("assistant", "no"),
    )


def test_chat_reads_how_to_sample_and_passes_on_what_it_does_not_know() -> None:
    ask = asked(
        stream=True,
        stream_options={"include_usage": True},
        max_completion_tokens=5,
        temperature=0.5,
        stop=["x"],
        logprobs=True,
        top_logprobs=2,
        response_format={"type": "json_object"},
        min_p=0.1,
        user=None,
        store=True,
        return_token_ids=True,
        parallel_tool_calls=False,
    )

    assert ask.sampling == {
        "temperature": 0.5,
        "stop": ["x"],
        "logprobs": True,
        "top_logprobs": 2,
        "response_format": {"type": "json_object"},
        "min_p": 0.1,
        "max_tokens": 5,
    }
    assert (ask.stream, ask.usage_wanted, ask.token_ids, ask.parallel) == (True, True, True, False)
    plain = asked()
    assert (plain.stream, plain.usage_wanted, plain.token_ids, plain.parallel) == (
        *(False, False, False),
        True,
    )
    assert (plain.sampling, plain.template, plain.thinking) == ({}, {}, None)


@pytest.mark.parametrize(
    ("said", "template", "thinking"),
    [
        ({"enable_thinking": False}, {"enable_thinking": False}, False),
        ({"chat_template_kwargs": {"thinking": True}}, {"thinking": True}, True),
        (
            {"enable_thinking": True, "chat_template_kwargs": {"enable_thinking": False}},
            {"enable_thinking": False},
            False,
        ),
        ({"reasoning_effort": "high"}, {"reasoning_effort": "high"}, None),
        ({"reasoning_effort": "none"}, {"reasoning_effort": "none"}, False),
    ],
)
def test_chat_reads_what_is_said_of_thinking(
    said: dict[str, Any], template: dict[str, Any], thinking: bool | None
) -> None:
    ask = asked(**said)

    assert (ask.template, ask.thinking) == (template, thinking)


NAMED = {"type": "function", "function": {"name": "g"}}


@pytest.mark.parametrize(
    ("choice", "names", "meant"),
    [
        (None, ["f", "g"], "auto"),
        ("none", ["f", "g"], "none"),
        ("required", ["f", "g"], "required"),
        (NAMED, ["g"], "required"),
        ({"type": "function", "name": "f"}, ["f"], "required"),
        ({"type": "allowed_tools", "allowed_tools": {"tools": [NAMED]}}, ["g"], "auto"),
        (
            {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [NAMED]}},
            ["g"],
            "required",
        ),
    ],
)
def test_chat_exposes_the_tools_that_are_chosen(choice: Any, names: list[str], meant: str) -> None:
    ask = asked(tools=[function("f"), function("g")], tool_choice=choice)

    assert ([tool.name for tool in ask.tools], ask.choice) == (names, meant)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"model": None}, "model: found nothing"),
        ({"messages": None}, "messages: found nothing"),
        ({"messages": []}, "messages: found none"),
        ({"messages": "hi"}, "messages: found a string, expected an array"),
        ({"messages": ["hi"]}, "messages[0]: found a string, expected an object"),
        ({"messages": [{"role": "bot"}]}, "messages[0].role: found 'bot', expected system"),
        (
            {"messages": [{"role": "user", "content": [{}]}]},
            "messages[0].content[0].type: found nothing",
        ),
        (
            {"messages": [{"role": "system", "content": [PICTURE]}]},
            "messages[0].content: found image_url, expected text alone",
        ),
        (
            {"messages": [USER, {"role": "assistant", "tool_calls": [call("1", "f", "{")]}]},
            "messages[1].tool_calls[0].function.arguments is no JSON object: ",
        ),
        (
            {"messages": [{"role": "tool", "tool_call_id": "7", "content": ""}]},
            "messages[0].tool_call_id: found a result of '7', but no such call",
        ),
        (
            {"messages": [{"role": "function", "name": "f", "content": ""}]},
            "messages[0].name: found a result of 'f', but no such call",
        ),
        (
            {"messages": [{"role": "assistant", "tool_calls": [call("1")]}, USER]},
            "messages[0].tool_calls[0]: the call '1' of f has no result before messages[1]",
        ),
        ({"n": 2}, "n: found 2, expected 1"),
        ({"functions": [{"name": "f"}]}, "functions: this older form"),
        ({"temperature": "hot"}, "temperature: found a string, expected a number"),
        ({"stop": [1]}, "stop[0]: found a number, expected a string"),
        ({"stream": "yes"}, "stream: found a string, expected true or false"),
        ({"response_format": "json"}, "response_format: found a string, expected an object"),
        ({"tools": {}}, "tools: found an object, expected an array"),
        ({"tools": [{"type": "custom"}]}, "tools[0].type: found 'custom', expected 'function'"),
        ({"tools": [function("f"), function("f")]}, "tools: two tools are called 'f'"),
        ({"tools": [{"function": {}}]}, "tools[0].function.name: found nothing"),
        ({"tool_choice": "any"}, "tool_choice: found 'any', expected 'none', 'auto'"),
        ({"tool_choice": "required"}, "tool_choice: a call is required, but there are no tools"),
        ({"tool_choice": NAMED}, "tool_choice: 'g' is no tool of the request; it has none"),
        ({"tool_choice": {"type": "custom"}}, "tool_choice.type: found 'custom'"),
        ({"modalities": ["audio"]}, "modalities: expected"),
    ],
)
def test_chat_refuses_in_words(more: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRequest) as error:
        asked(**more)

    assert str(error.value).startswith(words)
    assert words.startswith(error.value.param)
    assert error.value.param

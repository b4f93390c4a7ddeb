from __future__ import annotations

from typing import Any

import pytest

from parsing import ToolSpec
from ui.gateway.asked import Ask, BadRequest, Call, Said
from ui.gateway.responses import RESPONSES

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
F = {"type": "function", "name": "f", "description": "It is f.", "parameters": SCHEMA}
G = {"type": "function", "name": "g", "parameters": None, "strict": False}
SPECS = (ToolSpec("f", "It is f.", SCHEMA), ToolSpec("g", "", {}))
CALL = {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": '{"a": "x"}'}
RESULT = {"type": "function_call_output", "call_id": "call_1", "output": "done"}
IMAGE = {"type": "input_image", "image_url": "data:image/png;base64,QUJD", "detail": "low"}
MEDIA = {
    "type": "image_url",
    "image_url": {"url": "data:image/png;base64,QUJD", "detail": "low"},
}
USER = {"role": "user", "content": "Hi"}


def asked(**more: Any) -> Ask:
    told = {"model": "m", "input": "Hi", **more}
    return RESPONSES.asked({name: value for name, value in told.items() if value is not ...})


def said(*items: Any) -> tuple[Said, ...]:
    return asked(input=list(items)).said


def thought(*texts: str, **more: Any) -> Any:
    content = [{"type": "reasoning_text", "text": text} for text in texts]
    return {"type": "reasoning", "id": "rs_1", "summary": [], "content": content, **more}


def test_asked_reads_the_least_request() -> None:
    ask = asked()

    assert (ask.model, ask.said, ask.tools, ask.choice) == ("m", (Said("user", "Hi"),), (), "auto")
    assert (ask.parallel, ask.stream, ask.usage_wanted, ask.thinking) == (True, False, True, None)
    assert (ask.sampling, ask.template, ask.token_ids) == ({}, {}, False)


def test_asked_reads_what_steers_the_answer() -> None:
    ask = asked(
        stream=True,
        parallel_tool_calls=False,
        max_output_tokens=9,
        temperature=0.5,
        top_p=1,
        top_logprobs=3,
        include=["reasoning.encrypted_content", "message.output_text.logprobs"],
        stop=["END"],
        seed=7,
        min_p=0.1,
        store=True,
        service_tier="auto",
        chat_template_kwargs={"kind": 1},
        a_member_of_tomorrow=True,
    )

    assert (ask.stream, ask.parallel) == (True, False)
    assert ask.template == {"kind": 1}
    assert ask.sampling == {
        "max_tokens": 9,
        "temperature": 0.5,
        "top_p": 1,
        "logprobs": True,
        "top_logprobs": 3,
        "stop": ["END"],
        "seed": 7,
        "min_p": 0.1,
    }


def test_asked_takes_null_as_nothing_said() -> None:
    names = (
        *("instructions", "tools", "tool_choice", "parallel_tool_calls", "max_output_tokens"),
        *("temperature", "top_p", "reasoning", "text", "stream", "include", "top_logprobs"),
        *("store", "previous_response_id", "conversation", "background", "metadata", "user"),
    )

    assert asked(**dict.fromkeys(names)) == asked()


def test_logprobs_are_asked_for_by_either_word() -> None:
    assert asked(include=["message.output_text.logprobs"]).sampling == {"logprobs": True}
    assert asked(top_logprobs=2).sampling == {"logprobs": True, "top_logprobs": 2}


@pytest.mark.parametrize(
    ("told", "thinking"), [("low", None), ("none", False), (None, None), ("max", None)]
)
def test_effort_goes_on_and_none_means_no_thinking(told: Any, thinking: bool | None) -> None:
    ask = asked(reasoning={"effort": told, "summary": "auto"})
    passed = {} if told is None else {"reasoning_effort": told}

    assert (ask.thinking, ask.sampling, ask.template) == (thinking, passed, passed)


def test_thinking_may_be_said_to_the_template() -> None:
    ask = asked(chat_template_kwargs={"enable_thinking": True}, reasoning={"effort": "none"})

    assert ask.thinking is True


def test_format_of_the_text_is_a_response_format() -> None:
    form = {"type": "json_schema", "name": "n", "schema": SCHEMA, "strict": True}

    assert asked(text={"format": form, "verbosity": "low"}).sampling == {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "n", "schema": SCHEMA, "strict": True},
        }
    }
    assert asked(text={"format": {"type": "json_object"}}).sampling == {
        "response_format": {"type": "json_object"}
    }
    assert asked(text={"format": {"type": "text"}}).sampling == {}


@pytest.mark.parametrize(
    ("told", "tools", "choice"),
    [
        (None, SPECS, "auto"),
        ("auto", SPECS, "auto"),
        ("none", SPECS, "none"),
        ("required", SPECS, "required"),
        ({"type": "function", "name": "g"}, SPECS[1:], "required"),
        (
            {
                "type": "allowed_tools",
                "mode": "auto",
                "tools": [{"type": "function", "name": "f"}],
            },
            SPECS[:1],
            "auto",
        ),
        (
            {
                "type": "allowed_tools",
                "mode": "required",
                "tools": [{"type": "function", "name": "f"}],
            },
            SPECS[:1],
            "required",
        ),
    ],
)
def test_choice_narrows_the_tools(told: Any, tools: Any, choice: str) -> None:
    ask = asked(tools=[F, G], tool_choice=told)

    assert (ask.tools, ask.choice) == (tools, choice)


def test_instructions_come_first() -> None:
    ask = asked(instructions="Be brief.", input=[{"role": "developer", "content": "Be kind."}])

    assert ask.said == (Said("system", "Be brief."), Said("system", "Be kind."))


def test_message_may_have_parts_and_images() -> None:
    text = {"type": "input_text", "text": "Look: "}
    more = {"type": "input_text", "text": "well."}

    assert said({"type": "message", "role": "user", "content": [text, IMAGE, more]}) == (
        Said("user", "", media=({**text, "type": "text"}, MEDIA, {**more, "type": "text"})),
    )
    assert said({"type": "message", "role": "user", "content": [text, more, IMAGE]}) == (
        Said("user", "Look: well.", media=(MEDIA,)),
    )


def test_what_the_assistant_said_in_a_row_is_one_message() -> None:
    refusal = {"type": "refusal", "refusal": "No."}
    text = {"type": "output_text", "text": "Well. ", "annotations": [], "logprobs": []}

    assert said(
        USER,
        thought("Hm, ", "so."),
        {"type": "message", "role": "assistant", "id": "msg_1", "content": [text, refusal]},
        CALL,
        thought("And."),
        {**CALL, "call_id": "call_2", "arguments": ""},
        RESULT,
        {**RESULT, "call_id": "call_2", "output": [{"type": "input_text", "text": "x"}, IMAGE]},
        {"role": "assistant", "content": "Bye."},
    ) == (
        Said("user", "Hi"),
        Said(
            "assistant",
            "Well. No.",
            "Hm, \nso.\nAnd.",
            (Call("call_1", "f", {"a": "x"}), Call("call_2", "f", {})),
        ),
        Said("tool", "done", answers="call_1", name="f"),
        Said("tool", "x", answers="call_2", name="f", media=(MEDIA,)),
        Said("assistant", "Bye."),
    )


def test_reasoning_without_words_of_its_own_is_read_from_its_summary() -> None:
    summary = [{"type": "summary_text", "text": "In short."}]
    item = {"type": "reasoning", "id": "rs_1", "summary": summary, "encrypted_content": "…"}

    assert said(item, {"role": "assistant", "content": "Yes."}, USER)[0] == Said(
        "assistant", "Yes.", "In short."
    )


def test_answer_may_be_sent_back_as_it_came() -> None:
    output = [
        thought("Hm.", status="completed"),
        {**CALL, "id": "fc_1", "status": "completed"},
    ]

    assert said(USER, *output, RESULT)[1] == Said(
        "assistant", "", "Hm.", (Call("call_1", "f", {"a": "x"}),)
    )


@pytest.mark.parametrize(
    ("told", "param"),
    [
        ({"model": ...}, "model"),
        ({"input": ...}, "input"),
        ({"input": []}, "input"),
        ({"input": 7}, "input"),
        ({"input": ["Hi"]}, "input[0]"),
        ({"input": [{"role": "tool", "content": ""}]}, "input[0].role"),
        ({"input": [{"role": "user"}]}, "input[0].content"),
        ({"input": [{"role": "user", "content": [CALL]}]}, "input[0].content[0].type"),
        ({"input": [{"role": "assistant", "content": [IMAGE]}]}, "input[0].content[0].type"),
        (
            {"input": [{"role": "user", "content": [{"type": "input_image", "file_id": "f"}]}]},
            "input[0].content[0].file_id",
        ),
        ({"input": [{"type": "item_reference", "id": "msg_1"}]}, "input[0]"),
        ({"input": [{"id": "msg_1"}]}, "input[0]"),
        ({"input": [{"type": "computer_call"}]}, "input[0].type"),
        ({"input": [{}]}, "input[0].type"),
        ({"input": [CALL]}, "input[0]"),
        ({"input": [CALL, USER, RESULT]}, "input[0]"),
        ({"input": [CALL, {**CALL, "call_id": "2"}, RESULT, thought("Hm.")]}, "input[1]"),
        ({"input": [CALL, CALL, RESULT]}, "input[1].id"),
        ({"input": [RESULT]}, "input[0].call_id"),
        ({"input": [CALL, {**RESULT, "output": None}]}, "input[1].output"),
        ({"input": [{**CALL, "arguments": "{"}, RESULT]}, "input[0].arguments"),
        ({"input": [{**CALL, "arguments": "[]"}, RESULT]}, "input[0].arguments"),
        ({"instructions": ["Hi"]}, "instructions"),
        ({"tools": {}}, "tools"),
        ({"tools": [{"type": "web_search"}]}, "tools[0].type"),
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools[0].name"),
        ({"tools": [F, F]}, "tools"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"tool_choice": "any", "tools": [F]}, "tool_choice"),
        ({"tool_choice": {"type": "function", "name": "g"}, "tools": [F]}, "tool_choice.name"),
        ({"tool_choice": {"type": "web_search"}, "tools": [F]}, "tool_choice.type"),
        (
            {"tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "mcp"}]}},
            "tool_choice.tools[0].type",
        ),
        ({"max_output_tokens": 0}, "max_output_tokens"),
        ({"max_output_tokens": "9"}, "max_output_tokens"),
        ({"temperature": 3}, "temperature"),
        ({"top_p": float("nan")}, "top_p"),
        ({"top_logprobs": 21}, "top_logprobs"),
        ({"include": "x"}, "include"),
        ({"include": [1]}, "include[0]"),
        ({"stop": [1]}, "stop[0]"),
        ({"reasoning": "low"}, "reasoning"),
        ({"reasoning": {"effort": 1}}, "reasoning.effort"),
        ({"text": {"format": {"type": "xml"}}}, "text.format.type"),
        ({"text": {"format": {"type": "json_schema", "name": "n"}}}, "text.format.schema"),
        ({"stream": 1}, "stream"),
        ({"metadata": {"a": 1}}, "metadata.a"),
        ({"previous_response_id": "resp_1"}, "previous_response_id"),
        ({"conversation": {"id": "conv_1"}}, "conversation"),
        ({"background": True}, "background"),
        ({"prompt": {"id": "p"}}, "prompt"),
    ],
)
def test_asked_refuses_what_cannot_be_meant(told: Any, param: str) -> None:
    with pytest.raises(BadRequest) as caught:
        asked(**told)

    assert caught.value.param == param
    assert param in str(caught.value)

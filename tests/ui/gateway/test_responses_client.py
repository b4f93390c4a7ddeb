from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import openai
import pytest
from openai import OpenAI
from pydantic import BaseModel

from agent.providers.base import Usage
from parsing import ArgumentsDelta, CallBegan, CallEnded, ReasoningDelta, TextDelta
from ui.gateway.asked import BadRequest
from ui.gateway.client import Fault
from ui.gateway.responses import RESPONSES
from ui.gateway.told import Ended, Pieces, Tokens, Told

LOGPROB = {"token": "It is ", "logprob": -0.5, "bytes": None, "top_logprobs": []}
CHUNKS: list[Pieces] = [
    [Told(ReasoningDelta(0, "Hm"))],
    [Told(ReasoningDelta(0, ".")), Told(TextDelta(1, "It is "), Tokens(logprobs=[LOGPROB]))],
    [Told(TextDelta(1, "so."))],
    [Told(CallBegan(2, "f")), Told(ArgumentsDelta(2, '{"a": '))],
    [Told(ArgumentsDelta(2, '"x"}')), Told(CallEnded(2))],
    [Told(CallBegan(3, "f")), Told(ArgumentsDelta(3, "{}")), Told(CallEnded(3))],
]
END = Ended("tool_calls", Usage(11, 7, 3, 2))
TOOLS: Any = [
    {
        "type": "function",
        "name": "f",
        "description": "It is f.",
        "parameters": {"type": "object", "properties": {"a": {"type": "string"}}},
        "strict": True,
    }
]
Says = Callable[..., OpenAI]


@pytest.fixture
def says() -> Iterator[Says]:
    """A client of a gateway whose model says these chunks, and ends or fails."""
    opened: list[OpenAI] = []

    def made(chunks: list[Pieces], end: Ended | Fault) -> OpenAI:
        def handle(request: httpx.Request) -> httpx.Response:
            try:
                ask = RESPONSES.asked(json.loads(request.content))
            except BadRequest as bad:
                fault = Fault(400, "bad_request", str(bad), bad.param)
                return httpx.Response(400, json=RESPONSES.error(fault))
            answer = RESPONSES.answer(ask)
            if ask.stream:
                begun, told = answer.begin(), [*map(answer.told, chunks)]
                last = answer.failed(end) if isinstance(end, Fault) else answer.ended(end)
                kind = {"content-type": "text/event-stream"}
                return httpx.Response(200, headers=kind, content=b"".join([begun, *told, last]))
            if isinstance(end, Fault):
                return httpx.Response(end.status, json=RESPONSES.error(end))
            whole = answer.whole([piece for chunk in chunks for piece in chunk], end)
            return httpx.Response(200, json=whole)

        http: Any = httpx.Client(transport=httpx.MockTransport(handle))
        client = OpenAI(
            api_key="none", base_url="http://gateway/v1", max_retries=0, http_client=http
        )
        opened.append(client)
        return client

    yield made
    for client in opened:
        client.close()


def check(done: Any) -> None:
    reasoning, message, first, second = done.output

    assert done.status == "completed"
    assert reasoning.content[0].text == "Hm."
    assert done.output_text == "It is so."
    assert message.content[0].text == "It is so."
    assert (first.name, first.arguments, first.status) == ("f", '{"a": "x"}', "completed")
    assert (second.name, second.arguments) == ("f", "{}")
    assert first.call_id != second.call_id
    assert (done.usage.total_tokens, done.usage.output_tokens_details.reasoning_tokens) == (18, 3)
    assert done.store is False


def test_official_client_gets_a_whole_response(says: Says) -> None:
    done = says(CHUNKS, END).responses.create(model="m", input="Hi", tools=TOOLS)

    check(done)


def test_official_client_streams_events(says: Says) -> None:
    events = list(says(CHUNKS, END).responses.create(model="m", input="Hi", stream=True))

    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert events[-1].type == "response.completed"
    check(events[-1].response)


def test_official_stream_helper_gathers_the_response(says: Says) -> None:
    arguments: dict[str, list[str]] = {}
    snapshots: list[str] = []
    seen: list[str] = []
    with says(CHUNKS, END).responses.stream(model="m", input="Hi", tools=TOOLS) as stream:
        for event in stream:
            seen.append(event.type)
            match event.type:
                case "response.output_text.delta":
                    snapshots.append(event.snapshot)
                case "response.function_call_arguments.delta":
                    arguments.setdefault(event.item_id, []).append(event.snapshot)
                case _:
                    pass
        done = stream.get_final_response()

    check(done)
    assert seen[-1] == "response.completed"
    assert snapshots == ["It is ", "It is so."]
    assert list(arguments.values()) == [['{"a": ', '{"a": "x"}'], ["{}"]]
    parsed = [item.parsed_arguments for item in done.output if item.type == "function_call"]
    assert parsed == [{"a": "x"}, {}]


def test_official_client_sends_the_answer_back(says: Says) -> None:
    client = says(CHUNKS, END)
    done = client.responses.create(model="m", input="Hi", tools=TOOLS)
    results: Any = [
        {"type": "function_call_output", "call_id": item.call_id, "output": "done"}
        for item in done.output
        if item.type == "function_call"
    ]
    output: Any = [item.to_dict() for item in done.output]
    user: Any = {"role": "user", "content": "Hi"}

    check(client.responses.create(model="m", input=[user, *output, *results], tools=TOOLS))
    said = RESPONSES.asked({"model": "m", "input": [user, *output, *results]}).said
    assert (said[1].reasoning, said[1].text) == ("Hm.", "It is so.")
    assert [call.arguments for call in said[1].calls] == [{"a": "x"}, {}]
    assert [message.answers for message in said[2:]] == [call.id for call in said[1].calls]


def test_official_client_reads_logprobs(says: Says) -> None:
    client = says(CHUNKS, END)
    wanted: Any = {"include": ["message.output_text.logprobs"], "top_logprobs": 1}
    events = client.responses.create(model="m", input="Hi", stream=True, **wanted)
    deltas: Any = [event for event in events if event.type == "response.output_text.delta"]
    done: Any = client.responses.create(model="m", input="Hi", **wanted)

    assert [[one.token for one in delta.logprobs] for delta in deltas] == [["It is "], []]
    assert done.output[1].content[0].logprobs[0].bytes == list(b"It is ")


class Weather(BaseModel):
    city: str


def test_official_client_parses_a_format(says: Says) -> None:
    client = says([[Told(TextDelta(0, '{"city": "Oslo"}'))]], END)
    done = client.responses.parse(model="m", input="Hi", text_format=Weather)
    with client.responses.stream(model="m", input="Hi", text_format=Weather) as stream:
        streamed = stream.get_final_response()

    assert done.output_parsed == streamed.output_parsed == Weather(city="Oslo")


def test_official_client_hears_that_an_answer_is_incomplete(says: Says) -> None:
    client = says(CHUNKS[:4], Ended("length"))
    with client.responses.stream(model="m", input="Hi", tools=TOOLS) as stream:
        events = list(stream)
    done = client.responses.create(model="m", input="Hi", tools=TOOLS)
    last: Any = events[-1]
    responses: list[Any] = [last.response, done]

    assert last.type == "response.incomplete"
    for response in responses:
        assert response.status == "incomplete"
        assert response.incomplete_details.reason == "max_output_tokens"
        assert [item.status for item in response.output] == ["completed", "completed", "incomplete"]
        assert response.output[-1].arguments == '{"a": '


def test_official_client_hears_that_an_answer_broke_off(says: Says) -> None:
    fault = Fault(502, "upstream", "The upstream broke off.")
    client = says(CHUNKS[:4], fault)
    with client.responses.stream(model="m", input="Hi", tools=TOOLS) as stream:
        events: list[Any] = list(stream)

    assert [event.type for event in events[-2:]] == ["error", "response.failed"]
    assert events[-2].message == "The upstream broke off."
    assert events[-1].response.error.message == "The upstream broke off."
    assert events[-1].response.output_text == "It is so."
    with pytest.raises(openai.InternalServerError, match="The upstream broke off"):
        client.responses.create(model="m", input="Hi")


def test_official_client_raises_what_is_refused(says: Says) -> None:
    client = says(CHUNKS, END)
    with pytest.raises(openai.BadRequestError) as caught:
        client.responses.create(model="m", input="Hi", previous_response_id="resp_1")

    assert caught.value.param == "previous_response_id"
    assert "nothing is stored here" in caught.value.message

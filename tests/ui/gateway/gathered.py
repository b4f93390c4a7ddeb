"""What a client gathers from an answer's bytes, in each protocol, streamed and whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Gathered:
    """Text, reasoning, and calls as names and JSON texts; and the tokens that came along."""

    text: str = ""
    reasoning: str = ""
    calls: list[list[str]] = field(default_factory=list[list[str]])
    finish: str | None = None
    ids: list[int] = field(default_factory=list[int])
    logprobs: list[Any] = field(default_factory=list[Any])

    def said(self) -> tuple[str, str, list[tuple[str, Any]]]:
        return self.text, self.reasoning, [(name, json.loads(text)) for name, text in self.calls]


def events(data: bytes) -> list[Any]:
    """Give the data of each event."""
    lines = (line for line in data.decode().split("\n") if line.startswith("data: "))
    return [json.loads(line[6:]) for line in lines if line != "data: [DONE]"]


def chat_stream(data: bytes) -> Gathered:
    told = Gathered()
    assert data.endswith(b"data: [DONE]\n\n")
    choices = [choice for event in events(data) for choice in event["choices"]]
    for choice in choices:
        delta = choice["delta"]
        told.text += delta.get("content") or ""
        told.reasoning += delta.get("reasoning_content") or ""
        told.finish = choice.get("finish_reason") or told.finish
        told.ids += choice.get("token_ids") or ()
        told.logprobs += (choice.get("logprobs") or {}).get("content") or ()
    for call in (call for choice in choices for call in choice["delta"].get("tool_calls") or ()):
        if call["index"] == len(told.calls):
            assert call["type"] == "function"
            assert call["id"]
            told.calls.append([call["function"]["name"], ""])
        told.calls[call["index"]][1] += call["function"].get("arguments") or ""
    return told


def chat_whole(body: Mapping[str, Any]) -> Gathered:
    (choice,) = body["choices"]
    message = choice["message"]
    functions = [call["function"] for call in message.get("tool_calls") or ()]
    return Gathered(
        message.get("content") or "",
        message.get("reasoning_content") or "",
        [[function["name"], function["arguments"]] for function in functions],
        choice["finish_reason"],
        list(choice.get("token_ids") or ()),
        list((choice.get("logprobs") or {}).get("content") or ()),
    )


def messages_stream(data: bytes) -> Gathered:
    told = Gathered()
    heard = events(data)
    assert heard[0]["type"] == "message_start"
    assert heard[-1]["type"] == "message_stop"
    for event in heard:
        match event:
            case {
                "type": "content_block_start",
                "content_block": {"type": "tool_use", "name": name},
            }:
                told.calls.append([name, ""])
            case {"delta": {"type": "text_delta", "text": text}}:
                told.text += text
            case {"delta": {"type": "thinking_delta", "thinking": text}}:
                told.reasoning += text
            case {"delta": {"type": "input_json_delta", "partial_json": text}}:
                told.calls[-1][1] += text
            case {"type": "message_delta", "delta": {"stop_reason": reason}}:
                told.finish = reason
            case _:
                pass
    told.calls = [[name, text or "{}"] for name, text in told.calls]
    return told


def messages_whole(body: Mapping[str, Any]) -> Gathered:
    told = Gathered(finish=body["stop_reason"])
    for block in body["content"]:
        match block["type"]:
            case "text":
                told.text += block["text"]
            case "thinking":
                told.reasoning += block["thinking"]
            case _:
                told.calls.append([block["name"], json.dumps(block["input"])])
    return told


def responses_stream(data: bytes) -> Gathered:
    told = Gathered()
    heard = events(data)
    for event in heard:
        match event:
            case {
                "type": "response.output_item.added",
                "item": {"type": "function_call", "name": n},
            }:
                told.calls.append([n, ""])
            case {"type": "response.output_text.delta", "delta": text}:
                told.text += text
            case {"type": "response.function_call_arguments.delta", "delta": text}:
                told.calls[-1][1] += text
            case {
                "type": "response.reasoning_text.delta" | "response.reasoning_summary_text.delta",
                "delta": text,
            }:
                told.reasoning += text
            case _:
                pass
    last = responses_whole(heard[-1]["response"])
    assert (told.text, told.reasoning, told.calls) == (last.text, last.reasoning, last.calls)
    told.finish = last.finish
    return told


def responses_whole(body: Mapping[str, Any]) -> Gathered:
    told = Gathered(finish=body["status"])
    for item in body["output"]:
        match item["type"]:
            case "message":
                told.text += "".join(part["text"] for part in item["content"])
            case "reasoning":
                parts = item.get("content") or item.get("summary")
                told.reasoning += "".join(part["text"] for part in parts)
            case _:
                told.calls.append([item["name"], item["arguments"]])
    return told

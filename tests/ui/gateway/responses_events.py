"""The events of a Responses stream, looked at by the official client's types and put together."""

from __future__ import annotations

import copy
import json
from typing import Any, get_args

from openai.types.responses import Response, ResponseStreamEvent
from pydantic import BaseModel

_EVENTS: dict[str, type[BaseModel]] = {
    get_args(event.model_fields["type"].annotation)[0]: event
    for event in get_args(get_args(ResponseStreamEvent)[0])
}


def events(data: bytes) -> list[Any]:
    """Read server-sent events; each must be what the official types say of its name."""
    found: list[Any] = []
    for block in data.decode().split("\n\n")[:-1]:
        named, told = block.split("\n")
        event = json.loads(told.removeprefix("data: "))
        assert named == f"event: {event['type']}"
        assert event["sequence_number"] == len(found)
        _EVENTS[event["type"]].model_validate(event)
        found.append(event)
    assert data.endswith(b"\n\n") or not found
    return found


def timeless(response: Any) -> Any:
    """Give a response without what differs from answer to answer."""
    made = copy.deepcopy(response)
    Response.model_validate(made)
    for holder in (made, *made["output"]):
        for name in ("id", "call_id", "created_at", "completed_at"):
            if name in holder:
                holder[name] = None
    return made


_ORDER: dict[str, tuple[str, str]] = {  # event → where it may stand, and where it leads
    "output_item.added": ("between", "item"),
    "content_part.added": ("item", "part"),
    "output_text.delta": ("part", "part"),
    "reasoning_text.delta": ("part", "part"),
    "output_text.done": ("part", "done"),
    "reasoning_text.done": ("part", "done"),
    "content_part.done": ("done", "all done"),
    "function_call_arguments.delta": ("item", "item"),
    "function_call_arguments.done": ("item", "all done"),
    "output_item.done": ("all done", "between"),
}


def put_together(heard: list[Any]) -> list[Any]:
    """Build the output from the events alone; their order must be right."""
    output: list[Any] = []
    standing = "between"
    for event in heard:
        kind = event["type"].removeprefix("response.")
        needed, leads = _ORDER.get(kind, ("between", "between"))
        assert standing == needed, kind
        standing = leads
        if kind == "output_item.added":
            assert event["item"]["status"] == "in_progress"
            output.append(copy.deepcopy(event["item"]))
        if "output_index" in event:
            assert event["output_index"] == len(output) - 1
            assert event.get("item_id", output[-1]["id"]) == output[-1]["id"]
            _add(output[-1], kind, event)
    return output


def _add(item: Any, kind: str, event: Any) -> None:
    match kind:
        case "content_part.added":
            item["content"].append(copy.deepcopy(event["part"]))
        case "content_part.done":
            assert event["part"] == item["content"][event["content_index"]]
        case "output_text.delta" | "reasoning_text.delta":
            part = item["content"][event["content_index"]]
            assert part["type"] == kind.removesuffix(".delta")
            part["text"] += event["delta"]
            part.get("logprobs", []).extend(event.get("logprobs", ()))
        case "output_text.done" | "reasoning_text.done":
            part = item["content"][event["content_index"]]
            assert (event["text"], event.get("logprobs")) == (part["text"], part.get("logprobs"))
        case "function_call_arguments.delta":
            item["arguments"] += event["delta"]
        case "function_call_arguments.done":
            assert (event["name"], event["arguments"]) == (item["name"], item["arguments"])
        case "output_item.done":
            assert event["item"]["status"] in {"completed", "incomplete"}
            item["status"] = event["item"]["status"]
            assert event["item"] == item
        case _:
            assert kind == "output_item.added"

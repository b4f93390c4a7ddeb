"""The items of an answer, and the events that tell them: one for each block.

Law: an item's last form is what its events add up to; its `done` events come when it is closed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal

from nanoid import generate

from agent.providers.base import JsonObject
from ui.gateway.responses.events import Events, Growth, compact

Status = Literal["in_progress", "completed", "incomplete"]


class _Item:
    """An item that is being written at one place of the output."""

    def __init__(self, events: Events, place: int, prefix: str) -> None:
        self._events = events
        self._id = f"{prefix}_{generate()}"
        self._texts: list[str] = []
        self._place: JsonObject = {"item_id": self._id, "output_index": place}

    def _tell(self, kind: str, members: JsonObject) -> None:
        self._events.tell(f"response.{kind}", {**self._place, **members})

    def _tell_item(self, kind: str, item: JsonObject) -> None:
        members = {"output_index": self._place["output_index"], "item": item}
        self._events.tell(f"response.output_item.{kind}", members)


class _Spoken(_Item, ABC):
    """An item with one part of text in it."""

    def __init__(self, events: Events, place: int, prefix: str, kind: str) -> None:
        super().__init__(events, place, prefix)
        self._kind = kind
        self._place = {**self._place, "content_index": 0}
        self._growth = Growth(f"response.{kind}.delta", self._place)
        self._tell_item("added", self._item([], "in_progress"))
        self._tell("content_part.added", {"part": self._part("")})

    def close(self, *, complete: bool) -> JsonObject:
        """Tell that it is done, and give it."""
        text = "".join(self._texts)
        part = self._part(text)
        item = self._item([part], "completed" if complete else "incomplete")
        self._tell(f"{self._kind}.done", {"text": text, **self._beside()})
        self._tell("content_part.done", {"part": part})
        self._tell_item("done", item)
        return item

    @abstractmethod
    def _item(self, content: list[JsonObject], status: Status) -> JsonObject: ...

    @abstractmethod
    def _part(self, text: str) -> JsonObject: ...

    @abstractmethod
    def _beside(self) -> JsonObject:
        """Give what is told beside the whole text."""
        ...


class Message(_Spoken):
    """Text of the answer."""

    def __init__(self, events: Events, place: int) -> None:
        self._logprobs: list[Any] = []
        super().__init__(events, place, "msg", "output_text")

    def grow(self, text: str, logprobs: list[Any]) -> None:
        """Tell more of its text, and the logprobs that belong to it."""
        self._texts.append(text)
        tail = ',"logprobs":[]'
        if logprobs:
            self._logprobs += logprobs
            tail = f',"logprobs":{compact(logprobs)}'
        self._events.grow(self._growth.event(text, tail))

    def _item(self, content: list[JsonObject], status: Status) -> JsonObject:
        return {
            "id": self._id,
            "type": "message",
            "status": status,
            "role": "assistant",
            "content": content,
        }

    def _part(self, text: str) -> JsonObject:
        return {"type": "output_text", "text": text, "annotations": [], **self._beside()}

    def _beside(self) -> JsonObject:
        return {"logprobs": self._logprobs}


class Reasoning(_Spoken):
    """Reasoning, in the model's own words: it has no summary."""

    def __init__(self, events: Events, place: int) -> None:
        super().__init__(events, place, "rs", "reasoning_text")

    def grow(self, text: str) -> None:
        """Tell more of it."""
        self._texts.append(text)
        self._events.grow(self._growth.event(text, ""))

    def _item(self, content: list[JsonObject], status: Status) -> JsonObject:
        return {
            "id": self._id,
            "type": "reasoning",
            "status": status,
            "summary": [],
            "content": content,
        }

    def _part(self, text: str) -> JsonObject:
        return {"type": "reasoning_text", "text": text}

    def _beside(self) -> JsonObject:
        return {}


class FunctionCall(_Item):
    """A call; one that the model did not end is incomplete, its arguments as far as they came."""

    def __init__(self, events: Events, place: int, name: str) -> None:
        super().__init__(events, place, "fc")
        self._name = name
        self._call_id = f"call_{generate()}"
        self._growth = Growth("response.function_call_arguments.delta", self._place)
        self._tell_item("added", self._item("", "in_progress"))

    def grow(self, text: str) -> None:
        """Tell more of its arguments."""
        self._texts.append(text)
        self._events.grow(self._growth.event(text, ""))

    def close(self, *, complete: bool) -> JsonObject:
        """Tell that it is done, and give it."""
        arguments = "".join(self._texts)
        item = self._item(arguments, "completed" if complete else "incomplete")
        done = {"name": self._name, "arguments": arguments}
        self._tell("function_call_arguments.done", done)
        self._tell_item("done", item)
        return item

    def _item(self, arguments: str, status: Status) -> JsonObject:
        return {
            "id": self._id,
            "type": "function_call",
            "status": status,
            "call_id": self._call_id,
            "name": self._name,
            "arguments": arguments,
        }

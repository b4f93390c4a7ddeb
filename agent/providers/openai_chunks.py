"""What one chunk of a Chat Completions stream tells; every field of it may be missing or null."""

from collections.abc import Iterator
from typing import Any

from agent.errors import StreamBroken
from agent.providers.base import (
    Attachment,
    Finished,
    JsonObject,
    ReasoningPiece,
    StreamItem,
    TextPiece,
    Usage,
)
from agent.providers.calls import Calls
from agent.providers.jsons import as_array, as_count, as_object, as_word, is_array, is_object
from agent.providers.refusals import Place, broken_off
from agent.providers.sse import SentEvent
from agent.providers.wire import payload

OURS = "openai_compatible"
_ENDS = {
    **dict.fromkeys(("eos", "eos_token", "end_turn", "stop_sequence"), "stop"),
    "max_tokens": "length",
    "function_call": "tool_calls",
}

_PLAIN = ("content", "role")
_MORE = ("usage", "error", "timings")  # what a chunk may tell beside its choices
_REASONING = ("reasoning_content", "reasoning", "reasoning_text", "thinking")


class Chunks:
    """A reader of chunks; keeps the last usage and the finish reason until the end is told."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._calls = Calls()
        self._usage: Usage | None = None
        self._finish: str | None = None
        self.done = False
        self._begun = False
        self._reasoned = False
        self._field: str | None = None
        self._timed = False  # the usage is llama.cpp's own timings
        self.choice: JsonObject = {}  # of the last chunk, as it came
        self.delta: JsonObject = {}  # of the last chunk that was not plain

    @property
    def finished(self) -> bool:
        return self._finish is not None

    def read(self, event: SentEvent) -> Iterator[StreamItem]:
        if event.data.strip() == "[DONE]":
            self.done = True
            return
        yield from self.told(payload(event, self._place) or {}, event)

    def plain(self, chunk: JsonObject, event: SentEvent) -> str | None:
        """Give the text of a chunk that holds a piece of text and nothing else to be told.

        Most chunks are so; whatever else one says, `told` reads it.
        """
        choices = chunk.get("choices")
        if event.name != "message" or not choices or any(map(chunk.get, _MORE)):
            return None
        choice = choices[0] if is_array(choices) else None
        if not is_object(choice) or choice.get("finish_reason") or choice.get("error"):
            return None
        delta = choice.get("delta")
        if not is_object(delta):
            text = choice.get("text")
        else:
            text = delta.get("content")
            for name, value in delta.items() if len(delta) > 1 else ():
                if name not in _PLAIN and value is not None and value != []:
                    return None
        if not isinstance(text, str):
            return None
        self._begun = True
        self.choice = choice
        return text

    def told(self, chunk: JsonObject, event: SentEvent) -> Iterator[StreamItem]:
        """Read a chunk that is decoded already."""
        # before the choices, which may be there and empty
        if event.name == "error" or _is_error(chunk):
            raise broken_off(chunk, self._place)
        self._take_usage(chunk.get("usage"))
        self._take_timings(chunk.get("timings"))
        self.choice = choice = as_object(next(iter(as_array(chunk.get("choices"))), None))
        if choice.get("error"):
            raise broken_off(choice, self._place)
        self.delta = self._part(choice, event)
        yield from self._delta(self.delta)
        match choice.get("finish_reason"):
            case "error":
                raise StreamBroken(f"{self._place.url} broke the answer off without saying why.")
            case str(reason) if reason:
                self._finish = _ENDS.get(reason.lower(), reason.lower())
            case _:
                pass

    def end(self) -> Iterator[StreamItem]:
        if self._usage is not None:
            yield self._usage
        reason = self._finish or ("stop" if self.done else None)
        if reason is None:
            raise StreamBroken(
                f"The answer of {self._place.url} ended early: neither a finish reason nor [DONE]."
            )
        yield Finished(reason)

    def _part(self, choice: JsonObject, event: SentEvent) -> JsonObject:
        """Take the delta; a message only where nothing was streamed, or it would be told twice."""
        delta = choice.get("delta")
        if isinstance(choice.get("text"), str):  # a chunk of Completions
            delta = {"content": choice["text"]}
        if not is_object(delta) and (event.whole or not self._begun):
            delta = choice.get("message")
        self._begun = self._begun or is_object(delta)
        return as_object(delta)

    def _delta(self, delta: JsonObject) -> Iterator[StreamItem]:
        yield from self._reasoning(delta)
        yield from self._content(delta.get("content"))
        if refusal := as_word(delta.get("refusal")):
            yield TextPiece(refusal)
        calls = delta.get("tool_calls")
        for raw in [calls] if is_object(calls) else as_array(calls):
            yield from self._call(raw)
        if is_object(delta.get("function_call")):
            yield from self._call({"index": 0, "function": delta["function_call"]})
        if kept := _kept(delta):
            yield Attachment({"provider": OURS, **kept})

    def _reasoning(self, delta: JsonObject) -> Iterator[StreamItem]:
        name = next((name for name in _REASONING if isinstance(delta.get(name), str)), None)
        if name is None:
            return
        if self._field is None:
            self._field = name
            if name != _REASONING[0]:
                yield Attachment({"provider": OURS, "reasoning_field": name})
        if delta[name] or not self._reasoned:
            self._reasoned = True
            yield ReasoningPiece(delta[name])

    def _content(self, content: Any) -> Iterator[StreamItem]:
        if isinstance(content, str):
            if content:
                yield TextPiece(content)
            return
        for part in as_array(content):
            match part:
                case {"type": "thinking", "thinking": thinking}:
                    if text := "".join(_texts(thinking)):
                        yield ReasoningPiece(text)
                case _:
                    if text := "".join(_texts([part])):
                        yield TextPiece(text)

    def _call(self, raw: Any) -> Iterator[StreamItem]:
        piece = self._calls.piece(raw)
        if piece is None:
            return
        yield piece
        if kept := _kept(as_object(raw)):
            yield Attachment({"provider": OURS, "call": piece.index, **kept})

    def _take_usage(self, usage: Any) -> None:
        if not is_object(usage):
            return
        self._timed = False
        cached = _deep(usage, "prompt_tokens_details", "cached_tokens")
        self._usage = Usage(
            prompt=as_count(usage.get("prompt_tokens")),
            completion=as_count(usage.get("completion_tokens")),
            reasoning=_deep(usage, "completion_tokens_details", "reasoning_tokens"),
            cached=as_count(usage.get("prompt_cache_hit_tokens")) if cached is None else cached,
        )

    def _take_timings(self, timings: Any) -> None:
        """Take llama.cpp's counts where it sends no usage."""
        if not is_object(timings) or (self._usage is not None and not self._timed):
            return
        self._timed = True
        cached = as_count(timings.get("cache_n"))
        fresh = as_count(timings.get("prompt_n"))
        self._usage = Usage(
            prompt=None if fresh is None else fresh + (cached or 0),
            completion=as_count(timings.get("predicted_n")),
            cached=cached,
        )


def _is_error(chunk: JsonObject) -> bool:
    """Say whether it is one: under "error", or, as vLLM had it, the chunk itself."""
    bare = "choices" not in chunk and "message" in chunk and "code" in chunk
    return bool(chunk.get("error")) or bare or chunk.get("object") == "error"


def _texts(parts: Any) -> Iterator[str]:
    if isinstance(parts, str):
        yield parts
    for part in as_array(parts):
        match part:
            case str():
                yield part
            case {"text": str(text)}:
                yield text
            case _:
                pass


def _kept(holder: JsonObject) -> JsonObject:
    """Collect what must go back as it came: Gemini's signatures, OpenRouter's details."""
    kept: dict[str, Any] = {}
    for name in ("extra_content", "thought_signature", "reasoning_details"):
        if holder.get(name):
            kept[name] = holder[name]
    return kept


def _deep(usage: JsonObject, outer: str, inner: str) -> int | None:
    return as_count(as_object(usage.get(outer)).get(inner))

"""What one event of an upstream's stream says.

Law: most events are one piece of text, and cost one decoding; whatever else one may hold is read
as the agent reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from agent.errors import ProviderError
from agent.providers.base import Finished, JsonObject, ReasoningPiece, TextPiece, Usage
from agent.providers.jsons import as_array, as_object, as_word, is_array, is_object
from agent.providers.openai_chunks import Chunks
from agent.providers.refusals import Place
from agent.providers.sse import SentEvent
from agent.providers.surrogates import Joiner
from agent.providers.wire import payload
from ui.gateway.heard import Heard
from ui.gateway.told import Tokens

_TEXT = TextPiece.__name__
_SHORT = 16


class Hearing:
    """A reader of one stream."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._chunks = Chunks(place)
        self._joiner = Joiner()
        self._stop: str | None = None
        self.begun = False  # something was said
        self.done = False

    @property
    def ended(self) -> bool:
        """The answer has come to its end; usage may follow."""
        return self._chunks.finished or self.done

    def read(self, events: Iterable[SentEvent]) -> Iterator[Heard]:
        """Read events, of which some say nothing; raises ProviderError where one is none."""
        for event in events:
            try:
                heard = self._hear(event)
            except ProviderError as fault:
                if not self.forgives(fault):
                    raise
                return
            if heard is not None:
                self.begun = True
                yield heard

    def forgives(self, fault: ProviderError) -> bool:
        """Claim that a fault came after the answer's own end: it costs the usage at most."""
        return self.ended and fault.retryable

    def _hear(self, event: SentEvent) -> Heard | None:
        if self.done or (len(event.data) < _SHORT and event.data.strip() == "[DONE]"):
            self.done = self._chunks.done = True
            return None
        chunk = payload(event, self._place) or {}
        text = self._chunks.plain(chunk, event)
        if text is None:
            heard = self._other(chunk, event)
        else:
            heard = Heard(self._joiner.joined(_TEXT, text) if text else text)
        heard.tokens = _tokens(chunk, self._chunks.choice)
        nothing = heard.reasoning is None and heard.calls is None and heard.tokens is None
        return None if nothing and not heard.text else heard

    def end(self) -> Heard:
        """Tell the end; raises StreamBroken when the stream has not come to one."""
        heard = Heard(stop=self._stop)
        for item in self._chunks.end():
            match item:
                case Usage():
                    heard.usage = item
                case Finished(reason):
                    heard.finish = reason
                case _:
                    pass
        return heard

    def _other(self, chunk: JsonObject, event: SentEvent) -> Heard:
        heard = Heard()
        for raw in self._chunks.told(chunk, event):
            for item in self._joiner.join(raw):
                match item:
                    case TextPiece(text):
                        heard.text += text
                    case ReasoningPiece(text):
                        heard.reasoning = (heard.reasoning or "") + text
                    case _:  # calls go on as they came: whoever tells them numbers them
                        pass
        heard.calls = _calls(self._chunks.delta) or None
        self._stop = self._stop or _stop(self._chunks.choice)
        return heard


def _calls(delta: JsonObject) -> list[Any]:
    calls = delta.get("tool_calls")
    found = [calls] if is_object(calls) else as_array(calls)
    if is_object(single := delta.get("function_call")):
        return [*found, {"index": 0, "function": single}]
    return found


def _stop(choice: JsonObject) -> str | None:
    """Find the stop sequence that ended the answer: vLLM's `stop_reason`, SGLang's `matched_stop`.

    Both give the number of a token there, too.
    """
    return as_word(choice.get("stop_reason")) or as_word(choice.get("matched_stop"))


def _tokens(chunk: JsonObject, choice: JsonObject) -> Tokens | None:
    """Find the tokens' ids and logprobs, wherever a server puts them."""
    ids = choice.get("token_ids")
    logprobs = choice.get("logprobs")
    if ids is None and logprobs is None and "tokens" not in chunk and "delta" in choice:
        delta = choice["delta"]
        if not is_object(delta) or "gen_tokens" not in delta:
            return None
        ids = delta["gen_tokens"]
    content = _content(as_object(logprobs))
    found = _ids(ids) or _ids(chunk.get("tokens")) or _ids(choice.get("tokens"))
    if found is None and content:  # llama.cpp's
        found = _ids([as_object(one).get("id") for one in content])
    return Tokens(found, content) if found or content else None


def _ids(value: Any) -> list[int] | None:
    numbers = is_array(value) and value and all(type(one) is int for one in value)
    return value if numbers else None


def _content(logprobs: JsonObject) -> list[Any] | None:
    """Give the logprobs of a chunk as Chat Completions writes them, or of Completions as such."""
    content = logprobs.get("content")
    if is_array(content):
        return content or None
    tokens = as_array(logprobs.get("tokens"))
    chances = as_array(logprobs.get("token_logprobs"))
    tops = as_array(logprobs.get("top_logprobs"))
    return [
        _entry(str(token), _at(chances, place))
        | {"top_logprobs": [_entry(*pair) for pair in as_object(_at(tops, place)).items()]}
        for place, token in enumerate(tokens)
    ] or None


def _entry(token: str, logprob: Any) -> dict[str, Any]:
    data = list(token.encode("utf-8", "surrogatepass"))
    return {"token": token, "logprob": logprob, "bytes": data}


def _at(values: list[Any], place: int) -> Any:
    return values[place] if place < len(values) else None

"""Runs one request: what the upstream writes becomes text, reasoning and calls.

Law: a request has a parser of its own; the tokens of a chunk come with the last delta that it
gave; one call stays one call, and only one that was closed is told as ended.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from agent.errors import StreamBroken
from agent.providers.base import Usage
from parsing import (
    Delta,
    Finish,
    Options,
    Reader,
    ReasoningDelta,
    TextDelta,
    reader,
    reasoned,
)
from ui.gateway.heard import Heard, Prepared, Upstream
from ui.gateway.native_calls import NativeCalls
from ui.gateway.numbering import Numbering
from ui.gateway.reasoning_tokens import ReasoningTokens
from ui.gateway.told import Ended, Pieces, Told

_TEXT, _REASONING, _CALLS = "text", "reasoning", "calls"
_WILLING = ("stop", "tool_calls")  # the model ended the answer itself


async def run(prepared: Prepared, upstream: Upstream) -> AsyncGenerator[Pieces | Ended, None]:
    """Ask the upstream and tell its answer, `Ended` last.

    Raises ProviderError after what was read so far was yielded.  Leaving it leaves the upstream.
    """
    running = _Running(prepared)
    end = Heard()
    async with aclosing(upstream.stream(prepared)) as chunks:
        async for heard in chunks:
            if pieces := running.hear(heard):
                yield pieces
            if heard.finish is not None:
                end.finish = heard.finish
                end.stop = heard.stop
            if heard.usage is not None:
                end.usage = heard.usage
    if end.finish is None:
        raise StreamBroken("The upstream's answer ended early: it gave no finish reason.")
    if pieces := running.close(end.finish):
        yield pieces
    yield replace(running.ended(end.finish, end.usage), stop=end.stop)


class _Running:
    """One answer as it comes."""

    def __init__(self, prepared: Prepared) -> None:
        self._prepared = prepared
        self._options = prepared.options
        self._reader = self._opened(prepared.options)
        self._length = 0  # of the text
        self._beside = False  # reasoning comes beside the text
        self._numbering = Numbering(parallel=prepared.parallel)
        self._native: NativeCalls | None = None
        self._tokens: ReasoningTokens | None = None

    def _opened(self, options: Options) -> Reader:
        return reader(self._prepared.dialect, self._prepared.tools, "incremental", options=options)

    def hear(self, heard: Heard) -> Pieces:
        """Take one chunk of the upstream."""
        text, tokens = heard.text, heard.tokens
        if tokens is not None or self._tokens is not None:
            self._count(heard)
        deltas = self._apart(heard) if heard.reasoning is not None or heard.calls else []
        if text:
            self._length += len(text)
            if self._native is not None:
                deltas += self._numbering.take(_CALLS, self._native.settle())
            deltas += self._numbering.take(_TEXT, self._reader.feed(text).deltas())
        pieces = list(map(Told, deltas))
        if tokens is not None and (tokens.ids or tokens.logprobs):
            if not pieces:
                return [Told(None, tokens)]
            pieces[-1].tokens = tokens
        return pieces

    def close(self, finish: str) -> Pieces:
        """End the answer; give what is left to tell."""
        stopped = finish in _WILLING
        last = self._reader.close(Finish.STOP if stopped else Finish.LENGTH).deltas()
        deltas = self._numbering.take(_TEXT, last)
        if self._native is not None:
            deltas += self._numbering.take(_CALLS, self._native.end(stopped=stopped))
        return list(map(Told, deltas + self._numbering.close()))

    def ended(self, finish: str, usage: Usage | None) -> Ended:
        """Say how it ended."""
        if finish in _WILLING:
            called = self._numbering.calls and self._options.calls
            finish = "tool_calls" if called else "stop"
        if usage is not None and self._tokens is not None:
            # a server that was told to leave reasoning in the text counts none of it
            counted = self._tokens.count(reasoned(self._reader))
            usage = replace(usage, reasoning=counted or usage.reasoning or counted)
        return Ended(finish, usage)

    def _count(self, heard: Heard) -> None:
        if self._tokens is None and self._options.reasoning and not self._options.reasoning_as_text:
            self._tokens = ReasoningTokens(self._length)
        if self._tokens is not None:
            self._tokens.take(heard.text, heard.reasoning, heard.tokens)

    def _apart(self, heard: Heard) -> list[Delta]:
        """Take what came beside the text."""
        deltas: list[Delta] = []
        if heard.reasoning is not None:
            if not self._beside and not self._length:  # what comes as text is the answer
                self._reader = self._opened(replace(self._options, starts_in_reasoning=False))
            self._beside = True
        if heard.reasoning:
            kind = TextDelta if self._options.reasoning_as_text else ReasoningDelta
            deltas += self._numbering.take(_REASONING, [kind(0, heard.reasoning)])
        if heard.calls and self._options.calls:
            self._native = self._native or NativeCalls(self._prepared.tools)
            deltas += self._numbering.take(_CALLS, self._native.take(heard.calls))
        return deltas

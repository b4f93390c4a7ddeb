"""Events of a run as lines of the JSON envelope.

Law: lines come in the order in which things happened, and each is complete in itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import JsonValue

from agent.events import (
    BlockClosed,
    CallFinished,
    CallSkipped,
    Diverged,
    Event,
    Noticed,
    ReasoningGrew,
    Retried,
    TaskStarted,
    TurnFinished,
)
from ui.headless import wire
from ui.headless.tally import Tally

if TYPE_CHECKING:
    from agent.events import End
    from parsing import Block
    from tools import Request

Permission = Literal["ask", "allow_all"]


@dataclass(slots=True)
class Envelope:
    """Makes the lines of one run."""

    cwd: Path
    tools: Sequence[str]
    permission: Permission
    tally: Tally
    _session: str = ""
    _model: str = ""
    _thought: list[str] = field(default_factory=list[str])

    def lines(self, event: Event) -> Iterator[wire.Wire]:
        """Give the lines an event is worth."""
        match event:
            case TaskStarted():
                yield self._init(event)
            case ReasoningGrew(index, text) if index < 0:
                self._thought.append(text)
            case BlockClosed(_, block, call_id):
                yield from self._thinking()
                yield from self._block(block, call_id)
            case TurnFinished():
                yield from self._thinking()
            case CallFinished() | CallSkipped():
                yield self._result(event)
            case Retried() | Noticed() | Diverged():
                yield self._beside(event)
            case _:
                pass

    def ended(self, end: End) -> wire.Ended:
        """Give the last line."""
        tokens = self.tally.tokens
        return wire.Ended(
            subtype=subtype(end),
            session_id=self._session,
            is_error=end.exit_code != 0,
            exit_code=end.exit_code,
            result=clean(end.result),
            num_turns=self.tally.turns,
            duration_ms=self.tally.duration_ms,
            usage=wire.Usage(
                input_tokens=tokens["prompt"],
                output_tokens=tokens["completion"],
                reasoning_tokens=tokens["reasoning"],
                cached_tokens=tokens["cached"],
            ),
            permission_denials=[_denial(request) for request in self.tally.denied],
            divergences=self.tally.divergences,
            error=failure(end),
        )

    def _init(self, event: TaskStarted) -> wire.Init:
        self._session, self._model = event.session_id, event.model
        return wire.Init(
            session_id=event.session_id,
            cwd=clean(str(self.cwd)),
            model=clean(event.model),
            tools=list(self.tools),
            permission_mode=self.permission,
            dialect=event.dialect,
            mode=event.mode,
        )

    def _block(self, block: Block, call_id: str | None) -> Iterator[wire.Wire]:
        from parsing import ReasoningBlock, TextBlock

        content: wire.Text | wire.Thinking | wire.Use
        match block:
            case TextBlock(text):
                content = wire.Text(text=clean(text))
            case ReasoningBlock(reasoning):
                content = wire.Thinking(thinking=clean(reasoning))
            case _:
                content = wire.Use(
                    id=call_id or "",
                    name=clean(block.name),
                    input=_members(block.params),
                    partial=block.partial,
                    fault=None if block.fault is None else clean(block.fault),
                    repaired=[clean(words) for words in block.repaired],
                )
        yield self._assistant(content)
        if isinstance(content, wire.Use):
            yield from self._parser_notes(content)

    def _thinking(self) -> Iterator[wire.Assistant]:
        """Give the provider's own reasoning channel, which is no block, once it rests."""
        thought, self._thought = "".join(self._thought), []
        if thought:
            yield self._assistant(wire.Thinking(thinking=clean(thought)))

    def _assistant(self, content: wire.Text | wire.Thinking | wire.Use) -> wire.Assistant:
        turn = f"turn-{self.tally.turns}"
        message = wire.AssistantMessage(id=turn, model=clean(self._model), content=[content])
        return wire.Assistant(session_id=self._session, message=message)

    def _parser_notes(self, use: wire.Use) -> Iterator[wire.Diagnostic]:
        notes = [("parser_fault", use.fault)] if use.fault else []
        notes += [("parser_repaired", words) for words in use.repaired]
        notes += [("parser_partial", "the call was cut off")] if use.partial else []
        for kind, text in notes:
            yield self._diagnostic(kind, text, use.id)

    def _result(self, event: CallFinished | CallSkipped) -> wire.User:
        match event:
            case CallFinished(call_id, _, outcome):
                result = wire.Result(
                    tool_use_id=call_id,
                    content=clean(outcome.for_model),
                    is_error=outcome.failed,
                    status=outcome.kind.value,
                    exit_code=outcome.exit_code,
                    diff=None if outcome.diff is None else clean(outcome.diff),
                )
            case CallSkipped(call_id, _, why):
                result = wire.Result(
                    tool_use_id=call_id, content=clean(why), is_error=True, status="skipped"
                )
        return wire.User(session_id=self._session, message=wire.UserMessage(content=[result]))

    def _beside(self, event: Retried | Noticed | Diverged) -> wire.Diagnostic:
        match event:
            case Retried(why=why):
                return self._diagnostic("retry", f"{event.count} {event.when}: {why}")
            case Noticed(kind, text):
                return self._diagnostic(kind, text)
            case Diverged(report, saved_to):
                where = f"\nsaved to {saved_to}" if saved_to else ""
                return self._diagnostic("parser_divergence", report + where)

    def _diagnostic(self, kind: str, text: str, use: str | None = None) -> wire.Diagnostic:
        return wire.Diagnostic(
            session_id=self._session, kind=kind, text=clean(text), tool_use_id=use
        )


def subtype(end: End) -> str:
    """Name the end as scripts know it: `success`, or `error_` and our word."""
    return "success" if end.status == "completed" else f"error_{end.status}"


def failure(end: End) -> wire.Failure | None:
    """Say what went wrong, if something did."""
    if end.exit_code == 0:
        return None
    kind = type(end.error).__name__ if end.error else end.status
    message = str(end.error) if end.error else end.result
    if end.status == "no_tool_used":  # its result is the assistant's own words
        message = "The model answered without a tool and never called attempt_completion."
    retryable = bool(getattr(end.error, "retryable", False)) or end.exit_code == 75
    return wire.Failure.model_validate(
        {"class": kind, "message": clean(message), "retryable": retryable}
    )


def clean(text: str) -> str:
    """Replace what is no Unicode text: lone surrogates."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


def cleaned(value: JsonValue) -> JsonValue:
    """Replace lone surrogates anywhere in a JSON value."""
    match value:
        case str():
            return clean(value)
        case list():
            return [cleaned(item) for item in value]
        case dict():
            return _members(value)
        case _:
            return value


def _members(values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {clean(key): cleaned(item) for key, item in values.items()}


def _denial(request: Request) -> wire.Denial:
    return wire.Denial(
        tool_name=request.tool,
        tool_use_id=request.call_id,
        tool_input=_members(request.params),
    )

"""How events and messages are written into a session's rows.

Law: what can be read again from the text (the growth of blocks) is not stored; everything that
decides how a conversation goes on is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, assert_never

from agent.events import (
    BlockClosed,
    CallAsked,
    CallDecided,
    CallFinished,
    CallOutput,
    CallSkipped,
    CallStarted,
    Diverged,
    Event,
    Noticed,
    ReasoningGrew,
    Retried,
    TaskFinished,
    TaskStarted,
    TextGrew,
    TurnFinished,
    TurnStarted,
    UsageTold,
    UseGrew,
)
from agent.native import NativeUse, sent
from agent.providers.base import Message, SentCall, SentResult
from parsing import ToolUse
from tools import Allow, Outcome, heading

Data = Mapping[str, Any]


def row_of(event: Event) -> tuple[str, Data] | None:
    """Give an event's row, kind and data; None for what is not stored."""
    match event:
        case TextGrew() | ReasoningGrew() | UseGrew() | CallOutput():
            return None
        case BlockClosed(_, block, call_id):
            return ("call", _use(call_id or "", block)) if isinstance(block, ToolUse) else None
        case CallAsked() | CallDecided() | CallStarted() | CallFinished() | CallSkipped():
            return _call_row(event)
        case _:
            return _task_row(event)


def _task_row(
    event: TaskStarted
    | TurnStarted
    | TurnFinished
    | UsageTold
    | Retried
    | Noticed
    | Diverged
    | TaskFinished,
) -> tuple[str, Data]:
    match event:
        case TaskFinished(end):
            error = str(end.error) if end.error else None
            told = {"status": end.status, "result": end.result, "exit_code": end.exit_code}
            row: tuple[str, Data] = "task_finished", told | {"error": error}
        case UsageTold(usage):
            names = ("prompt", "completion", "reasoning", "cached")
            row = "usage", {name: getattr(usage, name) for name in names}
        case Diverged(report, saved_to):
            row = "diverged", {"report": report, "saved_to": str(saved_to) if saved_to else None}
        case TaskStarted() | TurnStarted() | TurnFinished() | Retried() | Noticed():
            row = _snake(type(event).__name__), _plain(event)
        case _:
            assert_never(event)
    return row


def _call_row(
    event: CallAsked | CallDecided | CallStarted | CallFinished | CallSkipped,
) -> tuple[str, Data]:
    data: dict[str, Any] = {"call_id": event.call_id}
    match event:
        case CallAsked(_, request):
            return "call_asked", data | {"tool": request.tool}
        case CallDecided(_, decision):
            words = None if isinstance(decision, Allow) else decision.words
            return "call_decided", data | {"allowed": isinstance(decision, Allow), "words": words}
        case CallStarted(_, use):
            return "call_started", data | {"tool": use.name}
        case CallFinished(_, use, outcome):
            return "call_finished", data | {"tool": use.name} | _plain(outcome)
        case CallSkipped(_, use, why):
            return "call_skipped", data | {"tool": use.name, "why": why}
        case _:
            assert_never(event)


def message_data(message: Message) -> Data:
    """Write a message down, what its provider attached included."""
    told: dict[str, Any] = {
        "text": message.text,
        "reasoning": message.reasoning,
        "attachments": [dict(data) for data in message.attachments],
    }
    if message.calls:
        told["calls"] = [asdict(call) for call in message.calls]
    if message.results:
        told["results"] = [asdict(result) for result in message.results]
    return told


def message_of(role: str, data: Data) -> Message:
    """Read a message that was written down."""
    return Message(
        "assistant" if role == "assistant" else "user",
        str(data["text"]),
        data.get("reasoning"),
        tuple(data.get("attachments", ())),
        tuple(call_of(call) for call in data.get("calls", ())),
        tuple(SentResult(str(r["call_id"]), str(r["text"])) for r in data.get("results", ())),
    )


def call_of(data: Data) -> SentCall:
    """Read a native call that was written down."""
    return SentCall(str(data["id"]), str(data["name"]), str(data["arguments"]))


def _use(call_id: str, use: ToolUse) -> Data:
    told = {"call_id": call_id, "heading": heading(use), "use": use.as_json()}
    return told | ({"native": asdict(sent(use))} if isinstance(use, NativeUse) else {})


def _plain(
    value: TaskStarted | TurnStarted | TurnFinished | Retried | Noticed | Outcome,
) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()

from __future__ import annotations

import pytest

from agent.accumulator import Accumulator, NativeCall
from agent.native import native_use
from agent.providers.base import (
    Attachment,
    CallPiece,
    Finished,
    Message,
    ReasoningPiece,
    StreamItem,
    TextPiece,
    Usage,
)
from parsing import ToolSpec

SPEC = ToolSpec(
    "read_file",
    "",
    {
        "properties": {
            "path": {"type": "string"},
            "start_line": {"type": "integer"},
            "deep": {"type": "boolean"},
        }
    },
)


def heard(*items: StreamItem) -> Accumulator:
    accumulator = Accumulator()
    for item in items:
        accumulator.add(item)
    return accumulator


@pytest.mark.parametrize(
    ("items", "reasoning"),
    [
        ((), None),
        ((ReasoningPiece(""),), ""),
        ((ReasoningPiece("a"), ReasoningPiece("b")), "ab"),
    ],
)
def test_accumulator_tells_absent_reasoning_from_empty(
    items: tuple[StreamItem, ...], reasoning: str | None
) -> None:
    message = heard(TextPiece("x"), *items).message()

    assert message == Message("assistant", "x", reasoning)


def test_accumulator_keeps_every_channel() -> None:
    signature = {"type": "thinking", "signature": "abc"}
    accumulator = heard(
        ReasoningPiece("hm"),
        TextPiece("one "),
        Attachment(signature),
        TextPiece("two"),
        CallPiece(0, "c1", "read_file", '{"pa'),
        CallPiece(1, "c2", "list_files", "{}"),
        CallPiece(0, None, None, 'th": "a"}'),
        Usage(3, 1),
        Usage(3, 4),
        Finished("tool_calls"),
    )

    assert accumulator.message("[mark]") == Message(
        "assistant", "one two\n\n[mark]", "hm", (signature,)
    )
    assert [(call.id, call.name, call.arguments) for call in accumulator.calls] == [
        ("c1", "read_file", '{"path": "a"}'),
        ("c2", "list_files", "{}"),
    ]
    assert (accumulator.usage, accumulator.finish) == (Usage(3, 4), "tool_calls")


@pytest.mark.parametrize(
    ("arguments", "params"),
    [
        ('{"path": "a.py", "start_line": 3, "deep": true}', {"path": "a.py", "start_line": 3}),
        ('{"path": "a.py", "start_line": "3"}', {"path": "a.py", "start_line": 3}),
        ('{"path": "007"}', {"path": "007"}),
        ('{"path": "null"}', {"path": "null"}),
        ("", {}),
        ("null", {}),
        ('""', {}),
        ('"{\\"path\\": \\"a\\"}"', {"path": "a"}),
        ('{"other": [1, {"a": null}]}', {"other": [1, {"a": None}]}),
    ],
)
def test_native_use_reads_arguments_by_the_schema(
    arguments: str, params: dict[str, object]
) -> None:
    use = native_use(NativeCall("c", "read_file", [arguments]), [SPEC], ended=True)

    assert (use.partial, use.fault) == (False, None)
    assert {key: use.params[key] for key in params} == params


@pytest.mark.parametrize("arguments", ['{"path": ', "[1]", "nonsense", "7", '"x"'])
def test_native_use_gives_a_fault_for_what_is_no_object(arguments: str) -> None:
    use = native_use(NativeCall("c", "read_file", [arguments]), [SPEC], ended=True)

    assert use.fault is not None
    assert "read_file" in use.fault


@pytest.mark.parametrize(
    ("arguments", "partial"), [('{"path": "a', True), ("", True), ('{"path": "a"}', False)]
)
def test_native_use_is_partial_when_the_stream_was_cut(arguments: str, partial: bool) -> None:
    use = native_use(NativeCall("c", "read_file", [arguments]), [SPEC], ended=False)

    assert use.partial is partial

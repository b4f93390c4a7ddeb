from __future__ import annotations

from typing import Any

import pytest

from parsing import ToolSpec, ToolUse, parse
from tests.tools.uses import rows, use_of
from tools import BadArguments
from tools.arguments import arguments_of, read_arguments

SPEC = ToolSpec(
    "t",
    "",
    {
        "properties": {
            "text": {"type": "string"},
            "many": {"type": "array", "items": {"type": "string"}},
            "map": {"type": "object"},
            "number": {"type": "integer"},
            "flag": {"type": "boolean"},
            "note": {"type": "string"},
        },
        "required": ["text"],
    },
)


def test_arguments_of_a_json_dialect_may_hold_raw_line_breaks() -> None:
    (use,) = parse(
        '<tool_call>{"name": "t", "arguments": {"text": "a\nb"}}</tool_call>', "hermes", [SPEC]
    )

    assert isinstance(use, ToolUse)
    assert use.exact
    assert read_arguments(use, SPEC) == {"text": "a\nb"}


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("", {}),
        (" \n", {}),
        ("null", {}),
        ('""', {}),
        ('{"a": 1}', {"a": 1}),
        (r'"{\"a\": 1}"', {"a": 1}),
    ],
)
def test_arguments_are_read(text: str, arguments: dict[str, Any]) -> None:
    assert arguments_of(text) == arguments


@pytest.mark.parametrize("text", ["{", "[1]", "5", "true", r'"\"{}\""', '"x"', "[" * 100_000])
def test_arguments_that_are_no_object_are_an_error(text: str) -> None:
    with pytest.raises(BadArguments, match="expected a JSON object"):
        arguments_of(text)


def test_arguments_of_an_empty_string_are_none() -> None:
    row = next(r for r in rows("faults-paths.jsonl") if r["id"] == "tool-arguments-empty-string")

    assert '"arguments": ""' in row["input"]
    assert arguments_of("") == row["expected"]["tool_calls"][0]["arguments"]


def test_string_is_decoded_only_where_the_schema_wants_structure() -> None:
    use = use_of("t", text='["a"]', many='["a"]', map='{"b": 1}')

    assert read_arguments(use, SPEC) == {"text": '["a"]', "many": ["a"], "map": {"b": 1}}


def test_what_says_nothing_is_left_out() -> None:
    use = use_of("t", text="", many="", number="", flag=None, note="", other="")

    assert read_arguments(use, SPEC) == {"text": "", "note": "", "other": ""}


def test_string_that_is_no_structure_stays_for_validation() -> None:
    use = use_of("t", text=None, many="a, b", map=None)

    assert read_arguments(use, SPEC) == {"text": None, "many": "a, b"}

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsing import Extent, ToolSpec, ToolUse, Value
from parsing.values import Kind, json_text, kind_of, typed

NUMBER = Kind.NUMBER
OTHER = Kind.INTEGER | Kind.NUMBER | Kind.BOOLEAN | Kind.ARRAY | Kind.OBJECT | Kind.NULL
DEEP = "[" * 100_000


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({}, Kind.STRING),
        ({"type": "string"}, Kind.STRING),
        ({"type": "integer"}, Kind.INTEGER),
        ({"type": ["number", "null"]}, Kind.NUMBER | Kind.NULL),
        ({"type": "boolean", "nullable": True}, Kind.BOOLEAN | Kind.NULL),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, Kind.INTEGER | Kind.NULL),
        ({"oneOf": [{"type": "array"}, {"type": "object"}]}, Kind.ARRAY | Kind.OBJECT),
        ({"enum": ["a", None]}, Kind.STRING | Kind.NULL),
        ({"enum": [1, 2]}, Kind.INTEGER),
        ({"const": True}, Kind.BOOLEAN),
        ({"type": "date"}, Kind.STRING),
        ({"$ref": "#/$defs/size"}, Kind.NUMBER),
        ({"$ref": "#/$defs/none"}, Kind.STRING),
        ({"$ref": "#/$defs/loop"}, Kind.STRING),
    ],
)
def test_values_kind_is_what_the_schema_allows(schema: Mapping[str, Any], kind: Kind) -> None:
    root = {"$defs": {"size": {"type": "number"}, "loop": {"$ref": "#/$defs/loop"}}}

    assert kind_of(schema, root) == kind


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        (" 7\n", Kind.INTEGER, 7),
        ("-0", Kind.INTEGER, 0),
        ("9007199254740993", NUMBER, 9007199254740993),
        ("1e3", NUMBER, 1000.0),
        ("0.5", NUMBER | Kind.NULL, 0.5),
        ("True", Kind.BOOLEAN, True),
        ("FALSE", Kind.BOOLEAN | Kind.NULL, False),
        ("null", Kind.INTEGER | Kind.NULL, None),
        ("null", Kind.STRING | Kind.NULL, None),
        ('[1, {"a": null}]', Kind.ARRAY, [1, {"a": None}]),
        ("{}", Kind.OBJECT, {}),
        ("12", Kind.BOOLEAN | Kind.INTEGER, 12),
    ],
)
def test_values_that_fit_are_read(text: str, kind: Kind, value: object) -> None:
    found = typed(text, kind)

    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("12", Kind.STRING),
        ("12", Kind.STRING | Kind.INTEGER),
        (" null", Kind.STRING | Kind.NULL),
        ("007", Kind.INTEGER),
        ("1_000", Kind.INTEGER),
        ("+1", Kind.INTEGER),
        ("0x10", Kind.INTEGER),
        ("1.5", Kind.INTEGER),
        ("１", Kind.INTEGER),
        ("", Kind.INTEGER),
        ("NaN", NUMBER),
        ("Infinity", NUMBER),
        ("1e999", NUMBER),
        ("[1e999]", Kind.ARRAY),
        ("[NaN]", Kind.ARRAY),
        ("1" * 5000, Kind.INTEGER),
        ("true", NUMBER),
        ("1", Kind.BOOLEAN),
        ("yes", Kind.BOOLEAN),
        ("None", Kind.INTEGER | Kind.NULL),
        ("NULL", Kind.INTEGER | Kind.NULL),
        ("null", Kind.INTEGER),
        ('"7"', Kind.INTEGER),
        ("(1,)", Kind.ARRAY),
        ("{'a': 1}", Kind.OBJECT),
        ("[1]", Kind.OBJECT),
        (DEEP, Kind.ARRAY),
        ("__import__('os')", OTHER),
    ],
)
def test_values_that_do_not_fit_stay_text(text: str, kind: Kind) -> None:
    assert typed(text, kind) == text
    assert json.loads(json_text(text, kind)) == text


@settings(deadline=None)
@given(st.text(), st.sampled_from([*Kind, OTHER, OTHER | Kind.STRING]))
def test_values_json_says_what_is_typed(text: str, kind: Kind) -> None:
    assert json.loads(json_text(text, kind)) == typed(text, kind)


@settings(deadline=None)
@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_values_numbers_are_exact(number: float) -> None:
    found = typed(json.dumps(number), NUMBER)

    assert found == number
    assert type(found) is type(number)


def test_values_of_duplicates_the_last_wins() -> None:
    call = ToolUse("a", (Value("x", "1"), Value("y", "2"), Value("x", "3")))

    assert dict(call.params) == {"x": "3", "y": "2"}
    assert call.arguments == '{"x": "1", "y": "2", "x": "3"}'


def test_values_open_ones_are_a_prefix_of_the_arguments() -> None:
    values = (Value("x", "1"), Value("y", 'say "', closed=False))
    call = ToolUse("a", values, partial=True)

    assert dict(call.params) == {"x": "1", "y": 'say "'}
    assert call.arguments == '{"x": "1", "y": "say \\"'


@pytest.mark.parametrize(
    ("name", "schema", "extent"),
    [
        ("path", {"type": "string"}, Extent.LINE),
        ("file_path", {"type": "string"}, Extent.LINE),
        ("url", {}, Extent.LINE),
        ("count", {"type": "integer"}, Extent.LINE),
        ("tags", {"type": "array"}, Extent.LINE),
        ("content", {"type": "string"}, Extent.BODY),
        ("diff", {"type": ["string", "null"]}, Extent.BODY),
        ("patch", {}, Extent.BODY),
        ("input", {}, Extent.BODY),
        ("input", {"type": "object"}, Extent.LINE),
        ("command", {"type": "string"}, Extent.FREE),
        ("pathology", {}, Extent.FREE),
        ("command", {"type": "string", "x-kind": "line"}, Extent.LINE),
        ("path", {"type": "string", "x-kind": "body"}, Extent.BODY),
        ("path", {"type": "string", "x-kind": "odd"}, Extent.LINE),
    ],
)
def test_values_reach_as_far_as_their_kind(
    name: str, schema: Mapping[str, Any], extent: Extent
) -> None:
    tool = ToolSpec("t", "", {"properties": {name: schema}})

    assert tool.params[name].extent is extent

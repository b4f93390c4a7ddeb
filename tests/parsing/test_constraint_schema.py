from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from parsing import dialect
from parsing.constraint import Bounds, NoConstraint, call_schema, structural_tag
from tests.parsing.constrained import CALLS, MISFITS, TOOLS, Call, constrained

JSON_DIALECTS = ("hermes", "qwen3", "longcat", "llama3_json", "internlm", "fenced_json", "inkling")
ARRAYS = ("mistral", "granite", "phi4_mini", "xlam", "cohere", "jamba", "apertus")


def inside(name: str, call: Call) -> Any:
    """Give the JSON that stands between the marks of a dialect's spelling."""
    text = dialect(name).shape.spell(*call)
    found = json.JSONDecoder().raw_decode(text, text.index("{"))[0]
    return [found] if name in ARRAYS else found


def fitting(name: str, calls: Sequence[Call]) -> list[bool]:
    schema = call_schema(name, TOOLS)
    Draft202012Validator.check_schema(schema)
    return [Draft202012Validator(schema).is_valid(inside(name, call)) for call in calls]


@pytest.mark.parametrize("name", [*JSON_DIALECTS, *ARRAYS])
def test_call_schema_takes_what_the_dialect_spells_and_nothing_that_does_not_fit(name: str) -> None:
    assert fitting(name, CALLS) == [True] * len(CALLS)
    assert fitting(name, MISFITS) == [False] * len(MISFITS)


@pytest.mark.parametrize(
    "name", ["cline", "qwen3_coder", "kimi_k2", "pythonic", "harmony", "gemma4"]
)
def test_call_schema_is_refused_where_a_call_is_no_json_object(name: str) -> None:
    with pytest.raises(NoConstraint, match=f"{name}: its calls are no JSON objects"):
        call_schema(name, TOOLS)


def test_call_schema_of_an_array_counts_its_calls() -> None:
    told = call_schema("mistral", TOOLS, Bounds(max_calls=2))
    free = call_schema("mistral", TOOLS, Bounds(required=False))

    assert (told["minItems"], told["maxItems"]) == (1, 2)
    assert "minItems" not in free
    assert "maxItems" not in free


@pytest.mark.parametrize("name", constrained())
def test_structural_tag_has_a_trigger_for_each_tag(name: str) -> None:
    found = structural_tag(name, TOOLS, Bounds(required=False))["format"]
    begun = [tag["begin"] for tag in found["tags"]]

    assert found["type"] == "triggered_tags"
    assert [sum(map(one.startswith, found["triggers"])) for one in begun] == [1] * len(begun)
    assert json.loads(json.dumps(found)) == found

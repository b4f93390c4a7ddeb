from __future__ import annotations

from typing import Any

import pytest

from ui.gateway.asked import BadRequest, Call
from ui.gateway.history import Calls, arguments, content, distinct, narrowed, tool
from ui.gateway.members import number, objects, truth, whole_number, word

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
READ = {"name": "read", "description": "reads", "parameters": SCHEMA}


def refused(error: pytest.ExceptionInfo[BadRequest]) -> tuple[str, str]:
    return str(error.value), error.value.param


def test_tool_is_read_with_its_schema() -> None:
    found = tool(READ, "tools[0]")
    other = tool({"name": "f", "input_schema": SCHEMA}, "tools[1]", schema="input_schema")

    assert (found.name, found.description, found.parameters) == ("read", "reads", SCHEMA)
    assert other.parameters == SCHEMA
    assert tool({"name": "bare"}, "tools[0]").parameters == {}


@pytest.mark.parametrize(
    ("entry", "words", "param"),
    [
        ({}, "tools[0].name: found nothing, expected a string", "tools[0].name"),
        ({"name": ""}, "tools[0].name: found an empty string, expected a string", "tools[0].name"),
        ({"name": 3}, "tools[0].name: found a number, expected a string", "tools[0].name"),
        (
            {"name": "f", "parameters": []},
            "tools[0].parameters: found an array, expected an object",
            "tools[0].parameters",
        ),
        (
            {"name": "f", "parameters": {"properties": "x"}},
            "tools[0].parameters.properties: found a string, expected an object",
            "tools[0].parameters.properties",
        ),
        (
            {"name": "f", "parameters": {"required": [True]}},
            "tools[0].parameters.required[0]: found true or false, expected a string",
            "tools[0].parameters.required[0]",
        ),
    ],
)
def test_tool_names_what_is_wrong(entry: dict[str, Any], words: str, param: str) -> None:
    with pytest.raises(BadRequest) as error:
        tool(entry, "tools[0]")

    assert refused(error) == (words, param)


def test_tools_have_names_of_their_own_and_are_narrowed_by_them() -> None:
    tools = distinct([tool({"name": name}, "t") for name in ("f", "g", "h")])

    assert [spec.name for spec in narrowed(tools, ["h", "f"])] == ["f", "h"]
    with pytest.raises(BadRequest, match="two tools are called 'f'"):
        distinct([*tools, tools[0]])
    with pytest.raises(BadRequest) as error:
        narrowed(tools, ["x"])
    assert refused(error) == (
        "tool_choice: 'x' is no tool of the request; it has f, g, h",
        "tool_choice",
    )


def test_arguments_are_an_object() -> None:
    assert arguments('{"a": [1]}', "p") == {"a": [1]}
    assert arguments({"a": 1}, "p") == {"a": 1}
    assert arguments(" ", "p") == arguments(None, "p") == {}


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("{", "p is no JSON object: Expecting property name"),
        ("[1]", "p is no JSON object: it is an array"),
        ('{"a": NaN}', "p is no JSON object: NaN is no JSON"),
        ('{"a": 1e999}', "p is no JSON object: 1e999 is too large for a number"),
        ("[" * 100_000, "p is no JSON object: it is nested too deeply"),
        ('{"a": ' + "1" * 5000 + "}", "p is no JSON object: "),
        ([1], "p: found an array, expected a string with a JSON object in it"),
    ],
)
def test_arguments_that_are_none_are_refused(told: object, words: str) -> None:
    with pytest.raises(BadRequest) as error:
        arguments(told, "p")

    assert str(error.value).startswith(words)
    assert error.value.param == "p"


def test_calls_are_answered_once_each() -> None:
    calls = Calls()
    calls.asked(Call("1", "f", {}), "m[1]")
    calls.asked(Call("2", "g", {}), "m[1]")

    assert calls.answered("2", "m[2]").name == "g"
    with pytest.raises(BadRequest, match=r"m\[3\]: the call '2' was answered before"):
        calls.answered("2", "m[3]")
    with pytest.raises(BadRequest, match=r"m\[3\]: found a result of '9', but no such call"):
        calls.answered("9", "m[3]")
    with pytest.raises(BadRequest, match=r"m\[1\]: the call '1' of f has no result before m\[3\]"):
        calls.settled("m[3]")
    assert calls.answered("1", "m[3]").name == "f"
    calls.settled("m[4]")


def test_calls_may_use_an_id_again_once_it_was_answered() -> None:
    calls = Calls()
    calls.asked(Call("1", "f", {}), "m[1]")
    with pytest.raises(BadRequest, match=r"m\[1\]\.id: another call has the id '1' too"):
        calls.asked(Call("1", "g", {}), "m[1]")
    calls.answered("1", "m[2]")
    calls.asked(Call("1", "g", {}), "m[3]")

    assert calls.answered("1", "m[4]").name == "g"


def test_content_is_text_and_media() -> None:
    def part(found: dict[str, Any], where: str) -> str | dict[str, Any]:
        return where if found["type"] == "place" else found

    parts = [{"type": "text", "text": "a"}, "b", {"type": "place"}, {"type": "image", "x": 1}]

    assert content("hi", "c", part) == ("hi", ())
    assert content(None, "c", part) == ("", ())
    assert content(parts, "c", part) == ("abc[2]", ({"type": "image", "x": 1},))
    with pytest.raises(BadRequest, match="c: found a number, expected a string or an array"):
        content(3, "c", part)
    with pytest.raises(BadRequest, match=r"c\[0\]: found a number, expected an object"):
        content([3], "c", part)


def test_members_are_looked_at() -> None:
    assert (word({}, "a"), truth({"a": None}, "a"), whole_number({"a": 3}, "a")) == (None, None, 3)
    assert number({"a": 0.5}, "a") == 0.5
    assert list(objects([{}], "a")) == [("a[0]", {})]
    for read, value in ((truth, 1), (whole_number, True), (whole_number, 1.5), (number, "1")):
        with pytest.raises(BadRequest, match=r"^p\.a: found "):
            read({"a": value}, "a", "p")

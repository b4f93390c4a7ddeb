from __future__ import annotations

from dataclasses import replace

import pytest

from parsing import Dialect, GrammarError, ToolSpec, dialect, parse, reader
from parsing.table import Act, Edge, Mode, Slot, Table

CLINE = dialect("cline")


def tool(name: str, *params: str) -> ToolSpec:
    return ToolSpec(name, "", {"properties": {param: {"type": "string"} for param in params}})


def with_table(table: Table) -> Dialect:
    return replace(CLINE, name="mine", table=lambda tools, options: table)


@pytest.mark.parametrize("name", ["think", "thinking", "thought"])
def test_grammar_refuses_a_tool_named_like_a_reasoning_tag(name: str) -> None:
    with pytest.raises(GrammarError, match=f"'{name}' is the name of a reasoning tag"):
        reader("cline", (tool(name),))


@pytest.mark.parametrize("name", ["", "a b", "1a", "-a", "é", "a>", "a\n", "a.b", "/a", "<a"])
def test_grammar_refuses_a_tool_that_cannot_be_a_tag(name: str) -> None:
    with pytest.raises(GrammarError, match="cannot be a tag"):
        reader("cline", (tool(name),))


@pytest.mark.parametrize("name", ["", "a b", "$ref", "a\n", "x:y"])
def test_grammar_refuses_a_parameter_that_cannot_be_a_tag(name: str) -> None:
    with pytest.raises(GrammarError, match="of tool 'fine' cannot be a tag"):
        reader("cline", (tool("fine", name),))


def test_grammar_refuses_a_tool_declared_twice() -> None:
    with pytest.raises(GrammarError, match="'a' is declared twice"):
        reader("cline", (tool("a", "x"), tool("b"), tool("a", "y")))


@pytest.mark.parametrize("name", ["think", "thinking", "thought"])
def test_grammar_takes_a_parameter_named_like_a_reasoning_tag(name: str) -> None:
    text = f"<a><{name}>x</{name}></a>"

    (block,) = parse(text, "cline", (tool("a", name),))

    assert block.as_json()["params"] == {name: "x"}


def test_grammar_takes_a_parameter_named_like_its_tool() -> None:
    (block,) = parse("<a><a>x</a></a>", "cline", (tool("a", "a"),))

    assert block.as_json()["params"] == {"a": "x"}
    assert block.partial is False


def test_grammar_takes_names_that_begin_alike() -> None:
    tools = (tool("read", "path"), tool("read_file", "path", "path_to"))

    blocks = parse("<read_file><path_to>x</path_to></read_file>", "cline", tools)

    assert [block.as_json()["params"] for block in blocks] == [{"path_to": "x"}]


def test_grammar_refuses_an_edge_that_leads_nowhere() -> None:
    modes = {"text": Mode(Slot.TEXT, {"<a>": Edge(Act.OPEN_CALL, "call a", "a")})}

    with pytest.raises(GrammarError, match="leads to no mode"):
        reader(with_table(Table("text", modes)))


@pytest.mark.parametrize("tag", ["a", "<a", "<>", "< a>", "<a b>", "a>", "<<a>"])
def test_grammar_refuses_an_edge_that_is_no_tag(tag: str) -> None:
    modes = {"text": Mode(Slot.TEXT, {tag: Edge(Act.DROP, "text")})}

    with pytest.raises(GrammarError, match="is no tag"):
        reader(with_table(Table("text", modes)))


def test_grammar_refuses_a_start_that_is_no_mode() -> None:
    with pytest.raises(GrammarError, match="starts in 'reasoning', which is no mode"):
        reader(with_table(Table("reasoning", {"text": Mode(Slot.TEXT, {})})))

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from parsing import ToolSpec, ToolUse, dialect, parse
from parsing.constraint import Bounds, Grammar, NoConstraint, constraint, gbnf
from tests.parsing.constrained import (
    CALLS,
    MISFITS,
    OPTIONS,
    TOOLS,
    UNCONSTRAINED,
    check_reads,
    constrained,
)
from tests.parsing.grammar_texts import lets_through, sentence
from tools import default_tools

DIALECTS = constrained()
EACH = 12  # texts of each dialect


@cache
def grammar_of(name: str) -> Grammar:
    return constraint(name, TOOLS)


@pytest.mark.parametrize("name", DIALECTS)
def test_constraint_lets_only_texts_through_that_read_without_fault(name: str) -> None:
    grammar = grammar_of(name)

    for seed in range(EACH):
        check_reads(sentence(grammar, Random(seed)), name, TOOLS)


@pytest.mark.parametrize("name", DIALECTS)
def test_constraint_of_our_own_tools_reads_without_fault(name: str) -> None:
    tools = default_tools().specs
    grammar = constraint(name, tools)

    for seed in range(EACH // 4):
        text = sentence(grammar, Random(seed))
        blocks = parse(text, name, tools, options=OPTIONS)

        assert [getattr(block, "fault", None) for block in blocks] == [None] * len(blocks), text
        assert not any(block.partial for block in blocks), text


@pytest.mark.parametrize("name", DIALECTS)
def test_constraint_lets_the_dialects_own_spelling_through(name: str) -> None:
    grammar = grammar_of(name)

    for tool, arguments in CALLS:
        text = dialect(name).shape.spell(tool, arguments)

        assert lets_through(grammar, f"Now.\n{text}"), text
        assert not lets_through(grammar, text[:-1]), text


@pytest.mark.parametrize("name", DIALECTS)
def test_constraint_refuses_calls_that_do_not_fit_the_tools(name: str) -> None:
    shape = dialect(name).shape
    grammar = grammar_of(name)

    for tool, arguments in MISFITS:
        assert not lets_through(grammar, shape.spell(tool, arguments)), (tool, arguments)


@pytest.mark.parametrize("name", DIALECTS)
def test_constraint_lets_as_many_calls_through_as_are_read(name: str) -> None:
    text = dialect(name).shape.spell_all([("get_time", {})] * 3)
    several = len(parse(text, name, TOOLS, options=OPTIONS)) == 3

    assert lets_through(grammar_of(name), text) is several
    assert lets_through(constraint(name, TOOLS, Bounds(max_calls=3)), text) is several
    assert not lets_through(constraint(name, TOOLS, Bounds(max_calls=2)), text)


@pytest.mark.parametrize("name", DIALECTS)
def test_constraint_may_leave_out_text_and_need_no_call(name: str) -> None:
    call = dialect(name).shape.spell("get_time", {})
    silent = constraint(name, TOOLS, Bounds(text=False))
    free = constraint(name, TOOLS, Bounds(required=False))

    assert lets_through(silent, call)
    assert not lets_through(silent, f"Now.\n{call}")
    assert [lets_through(free, text) for text in ("", "Now.", call, f"Now.\n{call}")] == [True] * 4


def test_constraint_of_reasoning_that_is_a_message_of_its_own_is_refused() -> None:
    with pytest.raises(NoConstraint, match="harmony: there is no constraint for its reasoning"):
        constraint("harmony", TOOLS, Bounds(reasoning=True))


@pytest.mark.parametrize("name", [name for name in DIALECTS if name != "harmony"])
def test_constraint_may_let_reasoning_stand_first(name: str) -> None:
    grammar = constraint(name, TOOLS, Bounds(reasoning=True))
    call = dialect(name).shape.spell("get_time", {})
    opens = "" if dialect(name).opens_reasoning else "<think>"

    assert lets_through(grammar, f"{opens}a `call` or <b>?</think>\n\nNow.\n{call}")
    assert lets_through(grammar, call) is not dialect(name).opens_reasoning
    for seed in range(EACH // 2):
        blocks = parse(sentence(grammar, Random(seed)), name, TOOLS)
        uses = [block for block in blocks if isinstance(block, ToolUse)]
        assert uses
        assert [(use.partial, use.fault) for use in uses] == [(False, None)] * len(uses)


@pytest.mark.parametrize("name", UNCONSTRAINED)
def test_constraint_of_a_dialect_that_has_none_is_refused(name: str) -> None:
    with pytest.raises(NoConstraint, match=rf"{name}: there is no constraint"):
        constraint(name, TOOLS)


def test_constraint_of_no_tools_is_refused() -> None:
    with pytest.raises(NoConstraint, match="at least one tool"):
        gbnf("cline", [])


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ("x", True),
        ("", True),
        ("<a></a>", True),
        ("a <<< b", True),
        ("</con", True),
        ("</cont>\n<b", True),
        ("</content", False),
        ("<</content>", False),
        ("<write_to_file", False),
        ("<write-to-file", False),
        ("<write>", True),
    ],
)
def test_constraint_lets_a_body_hold_what_does_not_end_it(value: str, fits: bool) -> None:
    text = dialect("cline").shape.spell("write_to_file", {"path": "a", "content": value})

    assert lets_through(constraint("cline", TOOLS, Bounds(text=False)), text) is fits
    if fits:
        check_reads(text, "cline", TOOLS)


def test_constraint_bounds_strings_and_pins_values() -> None:
    write = ToolSpec(
        "write",
        "",
        {
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
            "required": ["path", "content"],
        },
    )
    bounds = Bounds(fixed={"path": "a.txt"}, max_text=3, max_lines=2, max_calls=1)

    for name in DIALECTS:
        grammar = constraint(name, [write], bounds)
        shape = dialect(name).shape
        told = {"path": "a.txt", "content": "x"}
        most = {"path": "a.txt", "content": "y" * 80 + "\n" + "z" * 78}

        assert lets_through(grammar, shape.spell("write", told)), name
        assert lets_through(grammar, "Now\n" + shape.spell("write", most)), name
        assert not lets_through(grammar, "Nowhere\n" + shape.spell("write", told)), name
        assert not lets_through(grammar, shape.spell("write", {**told, "path": "b.txt"})), name
        long = {**told, "content": "y" * 170}
        assert not lets_through(grammar, shape.spell("write", long)), name

"""The forms for XGrammar, compiled and matched by it; skipped where it is not installed."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest

from parsing import dialect, parse
from parsing.constraint import Bounds, constraint, ebnf, structural_tag
from tests.parsing.constrained import CALLS, MISFITS, OPTIONS, TOOLS, constrained
from tests.parsing.grammar_texts import sentence

xgrammar = pytest.importorskip("xgrammar", reason="the extra `xgrammar` is not installed")

DIALECTS = constrained()
EACH = 3  # texts of each dialect


@cache
def compiler() -> Any:
    return xgrammar.GrammarCompiler(xgrammar.TokenizerInfo([]))


def takes(grammar: Any, text: str) -> bool:
    compiled = compiler().compile_grammar(grammar)
    matcher = xgrammar.GrammarMatcher(compiled, terminate_without_stop_token=True)
    return bool(matcher.accept_string(text)) and bool(matcher.is_completed())


def texts(name: str) -> list[str]:
    shape = dialect(name).shape
    return [shape.spell(*call) for call in CALLS]


@pytest.mark.parametrize("name", DIALECTS)
def test_xgrammar_takes_the_ebnf_of_every_dialect(name: str) -> None:
    grammar = xgrammar.Grammar.from_ebnf(ebnf(name, TOOLS))
    grown = [sentence(constraint(name, TOOLS), Random(seed)) for seed in range(EACH)]
    wrong = [dialect(name).shape.spell(*call) for call in MISFITS]

    assert [text for text in (*texts(name), *grown) if not takes(grammar, text)] == []
    assert [text for text in wrong if takes(grammar, text)] == []


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("text", [True, False], ids=["text", "no-text"])
def test_xgrammar_takes_the_structural_tag_of_every_dialect(name: str, text: bool) -> None:
    tag = structural_tag(name, TOOLS, Bounds(text=text))
    grammar = xgrammar.Grammar.from_structural_tag(json.dumps(tag))
    shape = dialect(name).shape
    two = shape.spell_all([CALLS[0], CALLS[1]])
    several = len(parse(two, name, TOOLS, options=OPTIONS)) == 2

    assert [one for one in texts(name) if not takes(grammar, one)] == []
    assert takes(grammar, f"Now.\n{shape.spell(*CALLS[0])}") is text
    assert takes(grammar, two) is several
    assert not takes(grammar, "Now.")
    assert [call for call in MISFITS[1:] if takes(grammar, shape.spell(*call))] == []


@pytest.mark.parametrize("name", DIALECTS)
def test_xgrammar_lets_text_alone_through_when_no_call_is_required(name: str) -> None:
    tag = structural_tag(name, TOOLS, Bounds(required=False))
    grammar = xgrammar.Grammar.from_structural_tag(json.dumps(tag))
    call = dialect(name).shape.spell(*CALLS[1])

    assert [takes(grammar, text) for text in ("", "Now.", call, f"Now.\n{call}")] == [True] * 4
    assert not takes(grammar, call[:-1])

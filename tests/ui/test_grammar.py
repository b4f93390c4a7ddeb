from __future__ import annotations

import json

import pytest

from parsing.constraint import Bounds, call_schema, ebnf, gbnf, structural_tag
from parsing.spec import specs_from_openai
from tests.ui.command import Tagline, write
from tools import default_tools

TOOL = {
    "type": "function",
    "function": {
        "name": "fetch_page",
        "parameters": {
            "type": "object",
            "properties": {"url": {"type": "string"}, "depth": {"type": "integer"}},
            "required": ["url"],
        },
    },
}
SPECS = specs_from_openai([TOOL])


def test_grammar_prints_rules_for_our_own_tools_by_default(tagline: Tagline) -> None:
    ran = tagline.run("grammar")

    assert (ran.code, ran.err) == (0, "")
    assert ran.out == gbnf("cline", default_tools().specs)


@pytest.mark.parametrize("form", ["gbnf", "ebnf"])
def test_grammar_prints_rules_for_the_tools_of_a_file(tagline: Tagline, form: str) -> None:
    file = write(tagline.folder, "tools.json", json.dumps([TOOL]))
    ran = tagline.run("grammar", "--dialect", "qwen25", "--tool-set", file, "--form", form)
    make = {"gbnf": gbnf, "ebnf": ebnf}[form]

    assert (ran.code, ran.err) == (0, "")
    assert ran.out == make("hermes", SPECS)
    assert r"\"fetch_page\"" in ran.out


def test_grammar_prints_the_structural_tag_without_text(tagline: Tagline) -> None:
    file = write(tagline.folder, "tools.json", json.dumps([TOOL]))
    asked = ("--tool-set", file, "--form", "structural", "--no-text")
    ran = tagline.run("grammar", "--dialect", "hermes", *asked)

    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == structural_tag("hermes", SPECS, Bounds(text=False))
    assert json.loads(ran.out)["format"]["tags"][0]["end"] == "}\n</tool_call>"


def test_grammar_prints_the_schema_of_a_call(tagline: Tagline) -> None:
    file = write(tagline.folder, "tools.json", json.dumps([TOOL]))
    ran = tagline.run("grammar", "--dialect", "llama3_json", "--tool-set", file, "--form", "schema")

    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out) == call_schema("llama3_json", SPECS)
    assert json.loads(ran.out)["required"] == ["name", "parameters"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--dialect", "none"), "none: there is no constraint for this dialect"),
        (("--dialect", "klingon"), "klingon"),
        (("--dialect", "cline", "--form", "schema"), "cline: its calls are no JSON objects"),
        (("--tool-set", "missing.json"), "missing.json"),
        (("--tool-set", "object.json"), "object.json: `tools` must be a JSON array"),
        (("--tool-set", "empty.json"), "a grammar of calls needs at least one tool"),
        (("--form", "bnf"), "bnf"),
    ],
)
def test_grammar_says_what_it_cannot_print(
    tagline: Tagline, arguments: tuple[str, ...], words: str
) -> None:
    write(tagline.folder, "object.json", "{}")
    write(tagline.folder, "empty.json", "[]")
    ran = tagline.run("grammar", *arguments)

    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err

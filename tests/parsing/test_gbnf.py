from __future__ import annotations

import re

import pytest

from parsing import Finish, TextBlock, ToolSpec, ToolUse, gbnf, reader

RULE = re.compile(r"^([a-z0-9-]+) ::= (.*)$")
WRITE = ToolSpec(
    "write_to_file",
    "",
    {
        "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["path", "content"],
    },
)
RUN = ToolSpec(
    "execute_command",
    "",
    {
        "properties": {
            "command": {"type": "string"},
            "safe": {"type": "boolean"},
            "limits": {"type": "array"},
        },
        "required": ["command"],
    },
)


def rules(grammar: str) -> dict[str, str]:
    found = [RULE.match(line) for line in grammar.splitlines()]
    return {rule[1]: rule[2] for rule in found if rule}


def used(body: str) -> set[str]:
    bare = re.sub(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]', " ", body)
    return set(re.findall(r"[a-z][a-z0-9-]*", bare))


def test_gbnf_defines_every_rule_it_uses() -> None:
    found = rules(gbnf("cline", [WRITE, RUN]))

    assert "root" in found
    assert {name for body in found.values() for name in used(body)} <= set(found)


def test_gbnf_names_its_rules_as_llama_cpp_wants_them() -> None:
    lines = gbnf("cline", [WRITE, RUN]).splitlines()

    assert [line for line in lines if not RULE.match(line)] == []


def test_gbnf_pins_values_and_bounds_what_may_be_written() -> None:
    grammar = gbnf("cline", [WRITE], fixed={"path": "a.txt"}, max_text=20, max_lines=3, max_calls=1)

    assert rules(grammar)["root"] == "text call"
    assert rules(grammar)["text"] == r'([^<`~] [^<`~]{0,20} "\n")?'
    assert '"<path>" "a.txt" "</path>\\n"' in rules(grammar)["call-0"]
    assert r'[^<\n]{1,80} ("\n" [^<\n]{0,80}){0,2}' in rules(grammar)["call-0"]


def test_gbnf_puts_required_parameters_first_and_types_the_others() -> None:
    call = rules(gbnf("cline", [RUN]))["call-0"]

    assert call.index("<command>") < call.index("<safe>") < call.index("<limits>")
    assert '("<safe>" ("true" | "false") "</safe>\\n")?' in call
    assert '("<limits>" array "</limits>\\n")?' in call


def test_gbnf_of_no_tools_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one tool"):
        gbnf("cline", [])


class Walk:
    """Says whether a grammar's value rules let a text through, by trying every way."""

    def __init__(self, grammar: str) -> None:
        self.rules = rules(grammar)

    def lets(self, name: str, text: str) -> bool:
        return any(rest == "" for rest in self.ways(name, text))

    def ways(self, name: str, text: str) -> set[str]:
        ends: set[str] = set()
        for arm in re.split(r" \| (?=\"|\[|value)", self.rules[name]):
            rests = {text}
            for part in re.findall(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[a-z][a-z0-9-]*', arm):
                rests = {rest for before in rests for rest in self.step(part, before)}
            ends |= rests
        return ends

    def step(self, part: str, text: str) -> set[str]:
        if part.startswith('"'):
            literal = part[1:-1].replace("\\n", "\n")
            return {text[len(literal) :]} if text.startswith(literal) else set()
        if part.startswith("["):
            return {text[1:]} if text and re.match(part, text) else set()
        return self.ways(part, text)


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ("x", True),
        ("<a></a>", True),
        ("a <<< b", True),
        ("</con", False),
        ("</cont>\n<b", True),
        ("</content", False),
        ("<</content>", False),
        ("<write_to_file", False),
        ("<write-to-file", False),
        ("<write>", True),
        ("", False),
    ],
)
def test_gbnf_lets_a_body_hold_what_does_not_end_it(value: str, fits: bool) -> None:
    # "</con" alone is half a word at the value's end, which the next rule would complete
    walk = Walk(gbnf("cline", [WRITE]))

    assert walk.lets("value-0-2", value) is fits


@pytest.mark.parametrize(
    "value", ["<b>x</b>", "a < b", "</div>\n</p>", "print('<<')", "</ content>"]
)
def test_gbnf_values_read_back_as_they_are(value: str) -> None:
    assert Walk(gbnf("cline", [WRITE])).lets("value-0-2", value)
    message = reader("cline", [WRITE, RUN], "both")
    message.feed(
        f"Now.\n<write_to_file>\n<path>a</path>\n<content>\n{value}\n</content>\n</write_to_file>"
    )
    message.close(Finish.STOP)
    text, use = message.blocks

    assert isinstance(text, TextBlock)
    assert isinstance(use, ToolUse)
    assert use.params == {"path": "a", "content": value}
    assert (use.partial, use.fault, use.repaired) == (False, None, ())

"""A grammar for constrained decoding in llama.cpp's notation (GBNF), made from a dialect's table.

What it lets through is free text, then calls of the declared tools, well-formed: required
parameters in the schema's order, optional ones after them, values that fit their types and hold
no tag that would end them.  Text before a call has no `<`, backtick or tilde, so that no fence
and no inline code can make the call inert.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from parsing.options import AGENT
from parsing.registry import dialect
from parsing.spec import Extent, Parameter, ToolSpec
from parsing.table import Act, Dialect, Table
from parsing.values import Kind

_JSON = r"""
json ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" gap (member ("," gap member)*)? "}"
member ::= string ":" gap json gap
array ::= "[" gap (json gap ("," gap json gap)*)? "]"
string ::= "\"" ([^"\\<\x00-\x1f] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\""
number ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,15})?
gap ::= " "?
""".strip()


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a decoder may write; None is no bound of the grammar's own."""

    fixed: Mapping[str, str] = field(default_factory=dict[str, str])  # parameter → its only value
    max_text: int | None = None  # characters before the first call
    max_lines: int | None = None  # of 80 characters without `<`, in a body
    max_calls: int | None = None


def gbnf(
    protocol: str | Dialect,
    tools: Sequence[ToolSpec],
    *,
    fixed: Mapping[str, str] | None = None,
    max_text: int | None = None,
    max_lines: int | None = None,
    max_calls: int | None = None,
) -> str:
    """Write the grammar for these tools; raises ValueError when there is none to call."""
    if not tools:
        raise ValueError("a grammar of calls needs at least one tool")
    found = dialect(protocol) if isinstance(protocol, str) else protocol
    bounds = Bounds(fixed or {}, max_text, max_lines, max_calls)
    return _Writer(found, tools, bounds).grammar()


class _Writer:
    def __init__(self, protocol: Dialect, tools: Sequence[ToolSpec], bounds: Bounds) -> None:
        self._dialect = protocol
        self._tools = tools
        self._bounds = bounds
        self._table: Table = protocol.table(tools, AGENT)
        self._rules: dict[str, str] = {}

    def grammar(self) -> str:
        calls = self._bounds.max_calls
        more = "*" if calls is None else f"{{0,{calls - 1}}}" if calls > 1 else None
        text = "*" if self._bounds.max_text is None else f"{{0,{self._bounds.max_text}}}"
        self._rules["root"] = f'text call ("\\n" call){more}' if more else "text call"
        self._rules["text"] = f'([^<`~] [^<`~]{text} "\\n")?'
        self._rules["call"] = " | ".join(f"call-{place}" for place in range(len(self._tools)))
        for place, tool in enumerate(self._tools):
            self._rules[f"call-{place}"] = self._call(place, tool)
        return (
            "\n".join(f"{name} ::= {rule}" for name, rule in self._rules.items()) + f"\n{_JSON}\n"
        )

    def _call(self, place: int, tool: ToolSpec) -> str:
        bare = self._dialect.shape.spell(tool.name, {})
        head, tail = _halves(bare, self._dialect.shape.spell(tool.name, {"x": ""}))
        parts = [_literal(head)]
        for param in sorted(tool.params.values(), key=lambda param: not param.required):
            spelled = self._dialect.shape.spell(tool.name, {param.name: "\0"})
            before, _, after = spelled[len(head) : len(spelled) - len(tail)].partition("\0")
            value = self._value(f"value-{place}-{len(parts)}", tool, param)
            part = f"{_literal(before)} {value} {_literal(after)}"
            parts.append(part if param.required else f"({part})?")
        return " ".join([*parts, _literal(tail)])

    def _value(self, name: str, tool: ToolSpec, param: Parameter) -> str:
        if param.name in self._bounds.fixed:
            return _literal(self._bounds.fixed[param.name])
        if Kind.STRING not in param.kind:
            return _typed(param.kind)
        if param.extent is Extent.LINE:
            return "[^<\\n]{1,200}"
        if param.extent is Extent.BODY and self._bounds.max_lines is not None:
            return f'[^<\\n]{{1,80}} ("\\n" [^<\\n]{{0,80}}){{0,{self._bounds.max_lines - 1}}}'
        return self._without(name, sorted(self._ends(tool, param)))

    def _ends(self, tool: ToolSpec, param: Parameter) -> set[str]:
        """Give what a value must not hold: the beginnings of tags that would end or nest it.

        Of other calls' openers two characters: exact words would make it ten times as long.
        """
        edges = self._table.modes[f"value {tool.name} {param.name}"].edges
        return {tag[:2] if edge.act is Act.CUT_CALL else tag[:-1] for tag, edge in edges.items()}

    def _without(self, name: str, words: Sequence[str]) -> str:
        """Write rules for any text, not empty, that holds none of the words.

        Every word begins with `<` and has no other, so half a word falls back to its start.
        """
        states = sorted({word[:n] for word in words for n in range(1, len(word))})
        number = {state: f"{name}-{place}" for place, state in enumerate(states)}
        self._rules[name] = f"[^<] {name}-x | {_literal('<')} {number['<']}"
        self._rules[f"{name}-x"] = f'"" | {name}'
        for state in states:
            follow = {word[len(state)] for word in words if word.startswith(state)}
            follow |= {"-" for char in follow if char == "_"}
            arms = [f"[^{_in_class(sorted(follow | {'<'}))}] {name}-x"]
            arms.append(f"{_literal('<')} {number['<']}")
            arms += [
                f"{_literal(char)} {number[state + char]}"
                for char in sorted(follow)
                if state + char in number
            ]
            self._rules[number[state]] = " | ".join(arms)
        return name


def _halves(bare: str, filled: str) -> tuple[str, str]:
    """Part an empty call where a parameter stands in a filled one."""
    at = next((n for n, (one, two) in enumerate(zip(bare, filled, strict=False)) if one != two), 0)
    cut = bare.rfind("<", 0, at + 1) if bare[:at].endswith(("<", "</")) else at
    return bare[:cut], bare[cut:]


def _typed(kind: Kind) -> str:
    if kind is Kind.BOOLEAN:
        return '("true" | "false")'
    if kind is Kind.INTEGER:
        return '"-"? ("0" | [1-9] [0-9]{0,15})'
    return {Kind.NUMBER: "number", Kind.ARRAY: "array", Kind.OBJECT: "object"}.get(kind, "json")


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _in_class(chars: Sequence[str]) -> str:
    return "".join(f"\\{char}" if char in "]\\^-" else char for char in chars)

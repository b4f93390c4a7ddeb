"""A grammar in the notation of llama.cpp (GBNF) or of XGrammar (EBNF).

Both notations are one, within what is written here: characters that mean something in a class
are written by number, because each reader knows other escapes, and of four digits, because
XGrammar takes `\\x5Fa` for one number.
"""

from __future__ import annotations

from typing import assert_never

from parsing.constraint.nodes import Alt, Chars, Grammar, Literal, Node, Ref, Repeat, Seq

_SIMPLE = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printed(grammar: Grammar) -> str:
    """Write the rules, one a line, the root first."""
    return "".join(f"{name} ::= {_arms(node)}\n" for name, node in grammar.rules.items())


def _arms(node: Node) -> str:
    return " | ".join(map(_row, node.arms)) if isinstance(node, Alt) else _row(node)


def _row(node: Node) -> str:
    return " ".join(map(_atom, node.parts)) if isinstance(node, Seq) else _atom(node)


def _atom(node: Node) -> str:
    match node:
        case Literal(text):
            return f'"{"".join(map(_in_text, text))}"'
        case Chars(ranges, others):
            return f"[{'^' if others else ''}{''.join(_range(*ends) for ends in ranges)}]"
        case Repeat(inner, least, most):
            bare = _atom(inner)
            repeated = isinstance(inner, Repeat) or (isinstance(inner, Literal) and not inner.text)
            return f"({bare}){_times(least, most)}" if repeated else f"{bare}{_times(least, most)}"
        case Ref(name):
            return name
        case Seq() | Alt():
            return f"({_arms(node)})"
        case _:
            assert_never(node)


def _times(least: int, most: int | None) -> str:
    match least, most:
        case 0, 1:
            return "?"
        case 0, None:
            return "*"
        case 1, None:
            return "+"
        case _:
            return f"{{{least},{'' if most is None else most}}}"


def _range(low: str, high: str) -> str:
    return _in_class(low) if low == high else f"{_in_class(low)}-{_in_class(high)}"


def _in_text(char: str) -> str:
    return _SIMPLE.get(char) or (_numbered(char) if char < " " or char == "\x7f" else char)


def _in_class(char: str) -> str:
    if char in "\n\r\t\\":
        return _SIMPLE[char]
    return char if char.isalnum() or char in " <>{}/'`~,.:;=|(" else _numbered(char)


def _numbered(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04X}" if code < 65536 else f"\\U{code:08X}"

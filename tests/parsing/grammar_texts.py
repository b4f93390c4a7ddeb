"""Texts of a constraint's grammar: grown from it at random, and recognised by it."""

from __future__ import annotations

from random import Random

from parsing.constraint import Grammar
from parsing.constraint.nodes import EMPTY, Alt, Chars, Literal, Node, Ref, Repeat, Seq

POOL = "".join(sorted({*"aZ 7é_-<>{}[]()|`'\"\\/=,:;.\n\tnurtx\x1c｜▁😀", *"tool_call parameter"}))
_LONG = 300  # characters, after which a text comes to its end by the shortest way
_FAR = 10_000

Stack = tuple[Node, "Stack"] | None


def sentence(grammar: Grammar, random: Random) -> str:
    """Grow a text that the grammar lets through."""
    least = _shortest(grammar)
    out: list[str] = []
    waiting: list[Node] = [grammar.rules["root"]]
    while waiting:
        match waiting.pop():
            case Literal(text):
                out.append(text)
            case Chars() as chars:
                out.append(_char(chars, random))
            case Seq(parts):
                waiting += reversed(parts)
            case Alt(arms):
                over = len(out) > _LONG
                waiting.append(min(arms, key=least) if over else random.choice(arms))
            case Repeat(inner, fewest, most):
                more = 0 if len(out) > _LONG else random.choice([0, 0, 1, 2, 9])
                times = fewest + more if most is None else min(fewest + more, most)
                waiting += [inner] * times
            case Ref(name):
                waiting.append(grammar.rules[name])
    return "".join(out)


def _char(chars: Chars, random: Random) -> str:
    fitting = [char for char in POOL if chars.holds(char)]
    return random.choice(fitting or [low for low, _ in chars.ranges])


class _shortest:  # noqa: N801 it is called as a function
    """How long the shortest text of a node is, in rules passed."""

    def __init__(self, grammar: Grammar) -> None:
        self.sizes = dict.fromkeys(grammar.rules, _FAR)
        changed = True
        while changed:
            now = {name: min(_FAR, self(node) + 1) for name, node in grammar.rules.items()}
            changed, self.sizes = now != self.sizes, now

    def __call__(self, node: Node) -> int:
        match node:
            case Ref(name):
                return self.sizes[name]
            case Seq(parts):
                return sum(map(self, parts))
            case Alt(arms):
                return min(map(self, arms))
            case Repeat(inner, fewest):
                return self(inner) * fewest
            case _:
                return 1


def lets_through(grammar: Grammar, text: str) -> bool:
    """Say whether the grammar lets exactly this text through."""
    stacks = _opened(grammar, {(grammar.rules["root"], None)})
    for char in text:
        stacks = _opened(grammar, {rest for stack in stacks for rest in _after(stack, char)})
    return None in stacks


def _after(stack: Stack, char: str) -> list[Stack]:
    match stack:
        case (Literal(text), rest) if text[:1] == char:
            return [(Literal(text[1:]), rest)]
        case (Chars() as chars, rest) if chars.holds(char):
            return [rest]
        case _:
            return []


def _opened(grammar: Grammar, stacks: set[Stack]) -> set[Stack]:
    """Unfold stacks until each begins with a character, or is empty: the end."""
    done: set[Stack] = set()
    seen: set[Stack] = set()
    waiting = list(stacks)
    while waiting:
        stack = waiting.pop()
        if stack in seen:
            continue
        seen.add(stack)
        if stack is None or isinstance(stack[0], Chars) or _said(stack[0]):
            done.add(stack)
        else:
            waiting += _unfolded(grammar, stack[0], stack[1])
    return done


def _said(node: Node) -> bool:
    return isinstance(node, Literal) and node != EMPTY


def _unfolded(grammar: Grammar, node: Node, rest: Stack) -> list[Stack]:
    match node:
        case Seq(parts):
            for part in reversed(parts):
                rest = (part, rest)
            return [rest]
        case Alt(arms):
            return [(arm, rest) for arm in arms]
        case Ref(name):
            return [(grammar.rules[name], rest)]
        case Repeat(inner, fewest, most):
            fewer = None if most is None else most - 1
            again: Node = EMPTY if fewer == 0 else Repeat(inner, max(fewest - 1, 0), fewer)
            more: Stack = (inner, (again, rest))
            return [more] if fewest else [rest, more]
        case _:
            return [rest]

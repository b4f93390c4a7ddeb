"""The form in which a constraint is made, before it is written in some decoder's notation.

A grammar is rules by name; what a rule lets through is a tree of six kinds of nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

ROOT = "root"
SPACES = tuple(char for char in map(chr, range(0x3001)) if char.isspace())


@dataclass(frozen=True, slots=True)
class Literal:
    """This text; the empty one too."""

    text: str


@dataclass(frozen=True, slots=True)
class Chars:
    """One character of these ranges, or, with `others`, one that is in none of them."""

    ranges: tuple[tuple[str, str], ...]
    others: bool = False

    def holds(self, char: str) -> bool:
        """Say whether the character is let through."""
        return any(low <= char <= high for low, high in self.ranges) is not self.others


@dataclass(frozen=True, slots=True)
class Seq:
    """All of these, one after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alt:
    """One of these."""

    arms: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """This, again and again; without `most` there is no end to it."""

    node: Node
    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Ref:
    """What the rule of this name lets through."""

    name: str


Node = Literal | Chars | Seq | Alt | Repeat | Ref
EMPTY = Literal("")


@dataclass(frozen=True, slots=True)
class Grammar:
    """Rules by name, `root` among them; every rule that is used is there."""

    rules: Mapping[str, Node]


class Rules:
    """Rules as they are made; what was made for a key once is used again."""

    def __init__(self) -> None:
        self.made: dict[str, Node] = {}
        self._shared: dict[Hashable, Ref] = {}

    def name(self, hint: str) -> str:
        """Take a name that no rule has: letters, digits and hyphens."""
        name, number = hint, 1
        while name in self.made:
            number += 1
            name = f"{hint}-{number}"
        self.made[name] = EMPTY
        return name

    def add(self, hint: str, node: Node) -> Ref:
        """Make a rule of a node."""
        name = self.name(hint)
        self.made[name] = node
        return Ref(name)

    def shared(self, key: Hashable, hint: str, make: Callable[[], Node]) -> Ref:
        """Give the rule for a key, made when it is first asked for; it may refer to itself."""
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = Ref(self.name(hint))
            self.made[found.name] = make()
        return found

    def grammar(self, root: Node) -> Grammar:
        """Give the grammar of what this root needs, the root first."""
        needed: dict[str, Node] = {ROOT: root}
        waiting = [root]
        while waiting:
            names = dict.fromkeys(_used(waiting.pop()))
            found = {name: self.made[name] for name in names if name not in needed}
            needed |= found
            waiting += found.values()
        return Grammar(needed)


def _used(node: Node) -> Iterator[str]:
    match node:
        case Ref(name):
            yield name
        case Repeat(inner):
            yield from _used(inner)
        case Seq(nodes) | Alt(nodes):
            for one in nodes:
                yield from _used(one)
        case _:
            pass


def seq(*parts: Node) -> Node:
    """Put nodes in a row; texts that touch become one."""
    flat: list[Node] = []
    for part in parts:
        for one in part.parts if isinstance(part, Seq) else (part,):
            last = flat[-1] if flat else None
            if isinstance(one, Literal) and isinstance(last, Literal):
                flat[-1] = Literal(last.text + one.text)
            elif one != EMPTY:
                flat.append(one)
    return flat[0] if len(flat) == 1 else Seq(tuple(flat)) if flat else EMPTY


def alt(arms: Iterable[Node]) -> Node:
    """Choose among nodes, each of them once."""
    flat: dict[Node, None] = {}
    for arm in arms:
        flat |= dict.fromkeys(arm.arms if isinstance(arm, Alt) else (arm,))
    return next(iter(flat)) if len(flat) == 1 else Alt(tuple(flat))


def maybe(node: Node) -> Node:
    """Let a node be absent."""
    return EMPTY if node == EMPTY else Repeat(node, 0, 1)


def none_of(chars: Iterable[str]) -> Chars:
    """Let any other character through."""
    return Chars(_ranges(chars), others=True)


def one_of(chars: Iterable[str]) -> Chars:
    """Let one of these characters through."""
    return Chars(_ranges(chars))


def _ranges(chars: Iterable[str]) -> tuple[tuple[str, str], ...]:
    found: list[tuple[str, str]] = []
    for char in sorted(set(chars)):
        if found and ord(found[-1][1]) + 1 == ord(char):
            found[-1] = (found[-1][0], char)
        else:
            found.append((char, char))
    return tuple(found)


def listed(rules: Rules, hint: str, members: Sequence[tuple[Node, bool]], comma: Node) -> Node:
    """Put members in their order with commas between them; of each, whether it must be there."""
    if comma == EMPTY:
        return seq(*(node if needed else maybe(node) for node, needed in members))
    rest: Node = EMPTY
    arms: list[Node] = [EMPTY]
    for place, (node, needed) in reversed([*enumerate(members)]):
        first = seq(node, rest)
        arms = [first] if needed else [first, *arms]
        after = seq(comma, node)
        if place:
            rest = rules.add(f"{hint}-rest", seq(after if needed else maybe(after), rest))
    return alt(arms)

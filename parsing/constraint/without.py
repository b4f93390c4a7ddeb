"""Text that holds none of some words, as rules: what a value may hold that a mark would end.

Each rule is a state: the end of the text so far that may become one of the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from parsing.constraint.nodes import (
    EMPTY,
    SPACES,
    Literal,
    Node,
    Ref,
    Repeat,
    Rules,
    alt,
    maybe,
    none_of,
    one_of,
    seq,
)


def without(
    rules: Rules, words: Iterable[str], after: str, *, filled: bool = False, loose: bool = False
) -> Ref:
    """Make the rule for any text that holds none of the words, nor makes one with `after`.

    With `filled` it is not white space alone: one newline at the most stands before what it says.
    `loose` reads hyphens and underscores as one.
    """
    told = {_plain(word) for word in words} if loose else set(words)
    least = sorted(word for word in told if not any(word != w and word.startswith(w) for w in told))
    text = _Text(rules, least, _plain(after) if loose else after, loose=loose)
    key = ("without", tuple(least), text.closing, loose)
    ref = rules.shared(key, "text", lambda: text.state(""))
    if not filled:
        return ref
    line = maybe(Literal("\n"))
    return rules.shared((*key, "filled"), "text", lambda: seq(line, text.state("", filled=True)))


def _plain(text: str) -> str:
    return text.replace("-", "_")


class _Text:
    """The rules of one set of words; of what comes after, only what can complete a word."""

    def __init__(self, rules: Rules, words: Sequence[str], after: str, *, loose: bool) -> None:
        self._rules = rules
        self._words = words
        self._loose = loose
        self._beginnings = {word[:size] for word in words for size in range(len(word))}
        ends = [state for state in self._beginnings if not self._may_end(state, after)]
        self.closing = after if ends else ""
        self._key = (tuple(words), self.closing, loose)

    def state(self, begun: str, *, filled: bool = False) -> Node:
        """Give what may follow a text that ends in the beginning of a word."""
        ends = [begun[at:] for at in range(len(begun) + 1)]
        leads = {word[len(end)] for word in self._words for end in ends if word.startswith(end)}
        arms: list[Node] = []
        if not filled and self._may_end(begun, self.closing):
            arms.append(EMPTY)
        arms.append(
            seq(none_of({*self._spelled(leads), *(SPACES if filled else ())}), self._to(""))
        )
        for char in sorted(leads):
            to = self._next(begun + char)
            if to is not None:
                arms.append(seq(one_of(self._spelled({char})), self._to(to)))
        return alt(arms)

    def _to(self, begun: str) -> Ref:
        if not begun:
            return self._rules.shared(("without", *self._key), "text", lambda: self.state(""))
        key = ("state", *self._key, begun)
        return self._rules.shared(key, "begun", lambda: self.state(begun))

    def _next(self, text: str) -> str | None:
        """Give the longest end of a text that begins a word; none where a word is whole."""
        if any(text.endswith(word) for word in self._words):
            return None
        ends = (text[at:] for at in range(len(text)))
        return next((end for end in ends if end in self._beginnings), "")

    def _may_end(self, begun: str, after: str) -> bool:
        ends = [begun[at:] + after for at in range(len(begun))] if after else []
        return not any(
            end.startswith(word) or word.startswith(end) for end in ends for word in self._words
        )

    def _spelled(self, chars: set[str]) -> set[str]:
        return chars | ({"-", "_"} if self._loose and "_" in chars else set[str]())


def lines(rules: Rules, leads: Iterable[str], most: int) -> Ref:
    """Make the rule for so many lines, of 80 characters and without these ones, not empty."""
    char = none_of({"\n", *leads})
    more = seq(Literal("\n"), Repeat(char, 0, 80))
    node = seq(Repeat(char, 1, 80), Repeat(more, 0, most - 1))
    return rules.shared(node, "lines", lambda: node)

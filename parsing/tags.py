"""Sets of `<name>` tags: exact spellings, and loose ones that fit a single tag."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

BLANKS = 8
"""How many blanks a tag may have before its closing bracket."""

_SLOPPY = re.compile(r"[-_ \t]")
TAG = re.compile(r"</?[A-Za-z_][\w-]*>\Z")


def exact_name(raw: str) -> str:
    """Give a tag without blanks before its bracket."""
    return raw if raw[-2:-1] not in " \t" else raw[:-1].rstrip(" \t") + ">"


def plain(tag: str) -> str:
    """Give the form in which near-miss spellings of a tag are equal."""
    return tag.replace("-", "_")


class Tags:
    """A set of tags: exact spellings, and loose ones that fit a single tag."""

    def __init__(self, tags: Iterable[str]) -> None:
        self.exact = tuple(tags)
        count = Counter(plain(tag) for tag in self.exact)
        self.loose: Mapping[str, str] = {
            plain(tag): tag for tag in self.exact if count[plain(tag)] == 1
        }
        self.longest = max(map(len, self.exact), default=0) + BLANKS
        self._begun: dict[str, tuple[str, ...]] = {}

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Match any of the tags, spelled exactly or loosely."""
        ordered = sorted(self.exact, key=len, reverse=True)
        return re.compile("|".join(map(self._spelled, ordered)) or r"(?!)")

    def _spelled(self, tag: str) -> str:
        name = re.escape(tag[:-1]).replace(r"\-", "-")
        if plain(tag) in self.loose:
            name = re.sub("[-_]", "[-_]", name)
        return rf"{name}[ \t]{{0,{BLANKS}}}>"

    @cached_property
    def prefixes(self) -> set[str]:
        """All proper prefixes of the exact spellings, and of the loose ones up to two long."""
        short = {tag[0] + mark for tag in self.exact for mark in "-_" if tag[1] in "-_"}
        return short.union(tag[:n] for tag in self.exact for n in range(1, len(tag)))

    @cached_property
    def _loose_prefixes(self) -> frozenset[str]:
        return frozenset(tag[:n] for tag in self.loose for n in range(1, len(tag)))

    def named(self, raw: str) -> str | None:
        """Give the tag that a complete `<…>` spells, if it spells one."""
        if raw in self._known:
            return raw
        if raw[:3] not in self.heads or not _SLOPPY.search(raw):
            return None
        name = exact_name(raw)
        if len(raw) - len(name) > BLANKS:
            return None
        return name if name in self._known else self.loose.get(plain(name))

    @cached_property
    def heads(self) -> frozenset[str]:
        return frozenset(head for tag in self.exact for head in _heads(tag))

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.exact)

    def begins(self, tail: str) -> bool:
        """Say whether more text can make a tag of this tail."""
        if tail in self.prefixes or plain(tail) in self._loose_prefixes:
            return True
        bare = tail.rstrip(" \t")
        return 0 < len(tail) - len(bare) <= BLANKS and self.named(bare + ">") is not None

    def begun(self, tail: str) -> tuple[str, ...]:
        """Give the tags that more text can make of this tail."""
        found = self._begun.get(tail)
        if found is None:
            found = self._find_begun(tail)
            if found:
                self._begun[tail] = found
        return found

    def _find_begun(self, tail: str) -> tuple[str, ...]:
        bare = tail.rstrip(" \t")
        if len(bare) < len(tail):
            tag = self.named(bare + ">") if len(tail) - len(bare) <= BLANKS else None
            return () if tag is None else (tag,)
        loose = plain(tail)
        return tuple(
            tag
            for tag in self.exact
            if tag.startswith(tail) or (plain(tag) in self.loose and plain(tag).startswith(loose))
        )


def _heads(tag: str) -> list[str]:
    """Give the first three characters of every spelling of a tag."""
    blanks = [f"{tag[:2]} ", f"{tag[:2]}\t"] if len(tag) == 3 else []
    return [tag[:3], tag[:3].replace("_", "-"), tag[:3].replace("-", "_"), *blanks]
